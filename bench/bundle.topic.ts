import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { WEB_FOLDER } from '../server/app.ts';
import type { Figure } from './figure.ts';

/** What a browser has to fetch. Fonts are compressed already. */
export async function measureBundle(): Promise<Figure[]> {
  const page = readFileSync(join(WEB_FOLDER, 'index.html'), 'utf8');
  const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].flatMap(
    ([, file]) => file ?? [],
  );
  const all = readdirSync(join(WEB_FOLDER, 'assets')).map((file) => `assets/${file}`);
  return [
    kilobytes('first page: JavaScript and CSS, gzip', first, packed),
    kilobytes('all JavaScript, gzip', all.filter(hasEnding('.js')), packed),
    kilobytes('all CSS, gzip', all.filter(hasEnding('.css')), packed),
    kilobytes('fonts, all subsets', all.filter(hasEnding('.woff2')), plain),
  ];
}

function hasEnding(ending: string) {
  return (file: string) => file.endsWith(ending);
}

function kilobytes(name: string, files: readonly string[], size: (file: string) => number): Figure {
  return { name, value: files.reduce((sum, file) => sum + size(file), 0) / 1000, unit: 'kB' };
}

function plain(file: string): number {
  return readFileSync(join(WEB_FOLDER, file)).length;
}

function packed(file: string): number {
  return gzipSync(readFileSync(join(WEB_FOLDER, file))).length;
}
