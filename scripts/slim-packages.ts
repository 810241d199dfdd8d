// Takes out of node_modules what a running Faktur never reads: for the image, see Dockerfile.
//
//   node scripts/slim-packages.ts FOLDER    FOLDER is a node_modules without development packages

import fs from 'node:fs';
import path from 'node:path';

import { fontFiles } from '../server/pdf/fonts.ts';

/** What is for people and compilers. Licences stay: they must go along. */
const READ_BY_NOBODY = /\.(map|md|d\.[cm]?ts)$/;
/** A second copy of what the package `node` has in its `bin`, and Sentry's tools for bundlers. */
const UNUSED = ['node/node_modules', 'sentry', '@sentry/bundler-plugins'];
const FONTS = '@expo-google-fonts';
const FONT_OR_PICTURE = /\.(ttf|png)$/;

const [folder = ''] = process.argv.slice(2);
if (!fs.existsSync(path.join(folder, FONTS))) {
  console.error(`${folder || 'Nothing'} is no node_modules of Faktur.`);
  process.exit(2);
}
const used = new Set(fontFiles().map((file) => path.basename(file)));

for (const name of UNUSED) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (isUnread(file)) fs.rmSync(path.join(folder, file), { recursive: true });
}

function isUnread(file: string): boolean {
  const isFont = file.startsWith(FONTS) && FONT_OR_PICTURE.test(file);
  return READ_BY_NOBODY.test(file) || (isFont && !used.has(path.basename(file)));
}
