import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A PDF that is asked about with the programs of poppler-utils. */
export interface ReadPdf {
  /** `pdfinfo`, with its own options. */
  info(...options: string[]): string;
  /** `pdftotext` as it looks, or in the order of the content, which is that of reading. */
  text(order?: 'layout' | 'reading'): string;
  fonts(): string;
  /** The attached files by name. */
  attachments(): Record<string, string>;
  /** What poppler had to complain about. */
  complaints(): string[];
}

// poppler expects a name where ISO 32000-1 table 321 has a boolean, and says so of every PDF.
const KNOWN_COMPLAINT = 'Suspects object is wrong type (boolean)';

/** Writes a PDF into a folder and opens it for questions. */
export function readWithPoppler(folder: string, pdf: Uint8Array): ReadPdf {
  const own = fs.mkdtempSync(path.join(folder, 'pdf-'));
  const file = path.join(own, 'document.pdf');
  fs.writeFileSync(file, pdf);
  const complaints: string[] = [];
  const run = (program: string, ...args: string[]) => {
    const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
    if (error) throw error;
    complaints.push(
      ...stderr.split('\n').filter((line) => line !== '' && !line.includes(KNOWN_COMPLAINT)),
    );
    return stdout;
  };
  return {
    info: (...options) => run('pdfinfo', ...options, file),
    text: (order = 'layout') =>
      run('pdftotext', order === 'layout' ? '-layout' : '-raw', file, '-'),
    fonts: () => run('pdffonts', file),
    attachments: () => {
      const into = path.join(own, 'attached');
      fs.mkdirSync(into, { recursive: true });
      run('pdfdetach', '-saveall', '-o', into, file);
      return Object.fromEntries(
        fs.readdirSync(into).map((name) => [name, fs.readFileSync(path.join(into, name), 'utf8')]),
      );
    },
    complaints: () => {
      run('pdftoppm', '-r', '20', file, path.join(own, 'page'));
      return complaints;
    },
  };
}

/** A folder that is thrown away with `removeFolder`. */
export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-pdf-'));
}

export function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true });
}
