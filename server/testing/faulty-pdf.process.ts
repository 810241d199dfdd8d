// The printing process, with an engine that fails once for each file in a folder.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';

const folder = process.env['PDF_FAULTS'] ?? '';
// eslint-disable-next-line unbound-method
const pdf = NodeCompiler.prototype.pdf;
NodeCompiler.prototype.pdf = function fail(...args) {
  const [fault] = readdirSync(folder);
  if (fault !== undefined) {
    rmSync(join(folder, fault));
    throw new Error('the engine is out of order');
  }
  return pdf.apply(this, args);
};

await import('../document/pdf/pdf.process.ts');
