import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The errors of xmllint for documents against a schema, one text per document; '' is valid. */
export function validateBySchema(schema: string, documents: readonly Uint8Array[]): string[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-xsd-'));
  try {
    return documents.map((document, index) => {
      const file = path.join(folder, `${index}.xml`);
      fs.writeFileSync(file, document);
      const args = ['--noout', '--nonet', '--huge', '--schema', schema, file];
      const { status, stderr, error } = spawnSync('xmllint', args, { encoding: 'utf8' });
      if (error) throw error;
      return status === 0 ? '' : stderr;
    });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
