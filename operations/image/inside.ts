// Runs inside the image, on its packages: reads every module of the server, so that what one imports must be there,
// and prints the invoice on standard input. Says the SHA-256 of the PDF.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import type { PdfInput } from '../../server/pdf/document-page.ts';
import { createPdfRenderer } from '../../server/pdf/renderer.ts';

const server = path.resolve(import.meta.dirname, '..', '..', 'server');
/** They do something as soon as they are read; the product starts them in the other tests. */
const PROGRAM = /(^main|\.worker|\.process)\.ts$/;

const modules = fs
  .readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !PROGRAM.test(file));
for (const file of modules) await import(path.join(server, file));

const fail = (...what: unknown[]) => {
  throw new Error(JSON.stringify(what));
};
const renderer = createPdfRenderer({ threads: 1, log: { warn: fail, error: fail } });
const pdf = await renderer.render(JSON.parse(await text(process.stdin)) as PdfInput);
await renderer.close();
const hash = createHash('sha256').update(pdf).digest('hex');
process.stdout.write(JSON.stringify({ modules: modules.length, hash }));
