// Runs inside the image, on its packages: imports every module of the server, which proves that their imports exist,
// and prints the invoice from standard input. Writes the SHA-256 of the PDF.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import type { PdfInput } from '../../server/document/pdf/document-printer.ts';
import { createPdfRenderer } from '../../server/document/pdf/renderer.ts';

const server = path.resolve(import.meta.dirname, '..', '..', 'server');
/** These run when imported; the other tests start them through the product. */
const PROGRAM = /(^main|\.worker|\.process)\.ts$/;

const modules = fs
  .readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !PROGRAM.test(file));
for (const file of modules) await import(path.join(server, file));

const fail = (...what: unknown[]) => {
  throw new Error(JSON.stringify(what));
};
const renderer = createPdfRenderer({ processes: 1, log: { warn: fail, error: fail } });
const pdf = await renderer.render(JSON.parse(await text(process.stdin)) as PdfInput);
await renderer.close();
const hash = createHash('sha256').update(pdf).digest('hex');
process.stdout.write(JSON.stringify({ modules: modules.length, hash }));
