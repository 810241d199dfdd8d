// node scripts/complete-lock-file.ts, after `npm install` changed package-lock.json.
//
// Programs such as oxlint come as one optional package for each platform. If the registry serves only some of them,
// `npm install` silently leaves the others out of the lock file, and then `npm ci` refuses it everywhere ("Missing …
// from lock file"). This adds their entries with the known fields: name, version and platform. They have no integrity
// hash until somebody runs `npm install` against a registry that has them. The platforms that we test on all have a
// hash.

import fs from 'node:fs';
import path from 'node:path';
import { type LockFile, missingPackages, platformOf } from './lock-file.ts';

const file = path.resolve(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(fs.readFileSync(file, 'utf8')) as LockFile;

for (const { name, version, dev } of missingPackages(lock)) {
  lock.packages[`node_modules/${name}`] = {
    version,
    ...platformOf(name),
    ...(dev ? { dev } : {}),
    optional: true,
  };
  console.log(`added ${name} ${version}`);
}
// npm's own order, so that its next run changes nothing.
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
);
fs.writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
