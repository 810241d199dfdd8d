// Runs before every npm script that needs the packages or the built web app. It is plain
// JavaScript without dependencies, because on a fresh machine there is nothing else yet: it must
// run on whatever Node (`engines` in package.json) brought npm. When nothing changed it spawns nothing, so a
// second `npm start` costs milliseconds here.
//
//   node scripts/prepare.mjs            packages, then the web app
//   node scripts/prepare.mjs --no-web   packages only

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages, packagesAreCurrent } from './prepare/packages.mjs';
import { withLock } from './prepare/lock.mjs';
import { buildWebApp, webAppIsCurrent } from './prepare/web-app.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const wantsWebApp = !process.argv.includes('--no-web');

const isCurrent = () => packagesAreCurrent(root) && (!wantsWebApp || webAppIsCurrent(root));

async function prepare() {
  if (!packagesAreCurrent(root)) await installPackages(root);
  if (wantsWebApp && !webAppIsCurrent(root)) await buildWebApp(root);
}

try {
  if (!isCurrent()) await withLock(path.join(root, 'dist', 'prepare.lock'), prepare);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
