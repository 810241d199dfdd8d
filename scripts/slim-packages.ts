// Takes out of node_modules what nothing here reads (docs/decisions/0002-toolchain.md says what stays, and why).
//
//   node scripts/slim-packages.ts FOLDER            after `npm ci`, see scripts/prepare.mjs
//   node scripts/slim-packages.ts FOLDER --image    for the image too, where nobody develops, see Dockerfile
//
// Packages stay, with their package.json and licences, so that npm finds what it installed.

import fs from 'node:fs';
import path from 'node:path';

import { fontFiles } from '../server/platform/pdf/fonts.ts';

/** Font weights that no document uses, and their pictures. */
const FONTS = '@expo-google-fonts';
const FONT_OR_PICTURE = /\.(ttf|png)$/;
/** Node's headers, with a second copy of the program that the package has in `bin`; Sentry's command-line program. */
const UNUSED = ['node/node_modules', 'sentry/dist'];

/** Files for people and compilers. Node runs no TypeScript in node_modules. Licences must stay. */
const FOR_DEVELOPERS = /\.(map|md|markdown|[cm]?tsx?|flow)$/;
const LICENCE = /licen[cs]e|notice|copying/i;
/** Folders at the root of a package. */
const BESIDE_THE_PROGRAM =
  'test tests __tests__ benchmark benchmarks example examples docs coverage .github'.split(' ');
/** Used only by bundlers. */
const UNUSED_IN_IMAGE = ['sentry', '@sentry/bundler-plugins'];

const [folder = '', option] = process.argv.slice(2);
if (!fs.existsSync(path.join(folder, FONTS)) || (option !== undefined && option !== '--image')) {
  console.error(`${folder || 'Nothing'} is no node_modules of Faktur, or ${option} no option.`);
  process.exit(2);
}

removeAll(UNUSED);
removeFiles(FONTS, isUnusedFont(fontFiles()));
if (option === '--image') {
  removeAll(UNUSED_IN_IMAGE);
  removeAll(
    packageFolders().flatMap((name) => BESIDE_THE_PROGRAM.map((beside) => `${name}/${beside}`)),
  );
  removeFiles('.', (file) => FOR_DEVELOPERS.test(file) && !LICENCE.test(path.basename(file)));
}

function removeAll(names: string[]) {
  for (const name of names) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
}

function removeFiles(below: string, isUnread: (file: string) => boolean) {
  const entries = fs.readdirSync(path.join(folder, below), {
    recursive: true,
    withFileTypes: true,
  });
  for (const entry of entries.filter((file) => file.isFile() && isUnread(file.name))) {
    fs.rmSync(path.join(entry.parentPath, entry.name));
  }
}

function isUnusedFont(files: string[]): (file: string) => boolean {
  const used = new Set(files.map((file) => path.basename(file)));
  return (file) => FONT_OR_PICTURE.test(file) && !used.has(file);
}

/** All package folders, nested ones too, relative to the folder. */
function packageFolders(): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'package.json')
    .map((file) => path.dirname(file));
}
