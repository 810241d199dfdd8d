import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

interface PlacedWord {
  readonly word: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** A PDF to examine with the programs of poppler-utils. */
export interface ReadPdf {
  /** The output of `pdfinfo` with these options. */
  info(...options: string[]): string;
  /** The output of `pdftotext`, in the visual layout or in the order of the content (reading order). */
  text(order?: 'layout' | 'reading'): string;
  /** The place of each word, in points from the upper left corner of its page. */
  places(): PlacedWord[];
  fonts(): string;
  /** The attached files by name. */
  attachments(): Record<string, string>;
  /** The warnings and errors of poppler. */
  complaints(): string[];
}

// poppler expects a name where ISO 32000-1 table 321 has a boolean, and warns about every PDF.
const KNOWN_COMPLAINT = 'Suspects object is wrong type (boolean)';

/** Writes a PDF into a folder, to examine it. */
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
    places: () => placesIn(run('pdftotext', '-bbox', file, '-')),
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

const PLACE = /<word xMin="(.+?)" yMin=".+?" xMax="(.+?)" yMax="(.+?)">(.*?)<\/word>/g;

function placesIn(boxes: string): PlacedWord[] {
  return [...boxes.matchAll(PLACE)].map(([, left, right, bottom, word = '']) => ({
    word,
    left: Number(left),
    right: Number(right),
    bottom: Number(bottom),
  }));
}

/** The line of a payment box with the KID, and the smallest gap before the amount in it, in points. */
export function paymentLine(pdf: ReadPdf, kid: string) {
  const places = pdf.places();
  const bottom = places.find(({ word }) => word === kid)?.bottom ?? NaN;
  const line = places
    .filter((it) => Math.abs(it.bottom - bottom) < 3)
    .toSorted((one, other) => one.left - other.left);
  const untilAmount = line.slice(0, line.findIndex(({ word }) => word === 'kr') + 1);
  const spaces = untilAmount.slice(1).map(({ left }, x) => left - (untilAmount[x]?.right ?? NaN));
  return { text: line.map(({ word }) => word).join(' '), space: Math.min(...spaces) };
}

/** A temporary folder, removed with `removeFolder`. */
export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-pdf-'));
}

export function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true });
}
