// Runs before every npm script that needs the packages or the built web app. It is plain JavaScript without
// dependencies, because a fresh machine has nothing else: it must run on any Node that came with npm (`engines` in
// package.json). When nothing changed it starts no process, so a second `npm start` takes only milliseconds longer.
//
// node scripts/prepare.mjs            packages, then the web app
// node scripts/prepare.mjs --no-web   packages only

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
