// Checks how much JavaScript the browser fetches for each kind of screen, and all styles, against limits. After a build, `node
// scripts/check-bundle.ts` prints it; npm test checks it.

import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const KILOBYTE = 1000;
/** gzip of all style sheets together, in kB. */
const STYLES_LIMIT = 10;

interface Budget {
  readonly screen: string;
  /** The modules loaded for it, named as in Vite's manifest: its page, and its code beside the app's. */
  readonly modules: readonly string[];
  /** gzip, in kB of 1000 bytes. */
  readonly limit: number;
}

const BUDGETS: readonly Budget[] = [
  { screen: 'landing', modules: ['landing.html'], limit: 5 },
  { screen: 'login', modules: ['index.html'], limit: 142 },
  { screen: 'code', modules: ['index.html', 'features/session/MagicLinkPage.tsx'], limit: 144 },
  {
    screen: 'signed-in start',
    modules: ['index.html', 'features/invoice/list/InvoiceListPage.tsx'],
    limit: 180,
  },
  {
    screen: 'new invoice',
    modules: ['features/invoice/editor/InvoiceCreatePage.tsx'],
    limit: 200,
  },
];

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** A screen's size in kB of gzip, and its limit. */
export interface Weight {
  readonly screen: string;
  readonly weight: number;
  readonly limit: number;
}

/**
 * Measures the built app. It counts everything fetched before the screen works: the entry, the screen and all their
 * imports. It does not count code fetched on demand, such as error reports.
 *
 * @param folder of the built app
 * @throws when a screen is missing from the manifest
 */
export function weighScreens(folder: string): Weight[] {
  const text = fs.readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const screens = BUDGETS.map(({ screen, modules, limit }) => {
    const files = new Set<string>();
    for (const name of modules) collect(manifest, name, files);
    const bytes = [...files].reduce(
      (sum, file) => sum + gzipSync(fs.readFileSync(path.join(folder, file)), { level: 9 }).length,
      0,
    );
    return { screen, weight: bytes / KILOBYTE, limit };
  });
  const sheets = fs.globSync('assets/*.css', { cwd: folder }).toSorted();
  const styles = gzipSync(
    sheets.map((file) => fs.readFileSync(path.join(folder, file), 'utf8')).join(''),
    { level: 9 },
  );
  return [...screens, { screen: 'styles', weight: styles.length / KILOBYTE, limit: STYLES_LIMIT }];
}

function collect(manifest: Manifest, name: string, files: Set<string>): void {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`${name} is not in the bundle: has it moved?`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(manifest, imported, files);
}

if (import.meta.main) {
  for (const { screen, weight, limit } of weighScreens(path.resolve('dist/web'))) {
    const mark = weight <= limit ? '✓' : '✗';
    console.log(`${mark} ${screen}: ${weight.toFixed(1)} kB of ${limit} kB`);
    if (weight > limit) process.exitCode = 1;
  }
}
