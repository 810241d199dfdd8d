// A process whose disk is full when its embedded database starts a new log file. For full-disk.test.ts.
import fs from 'node:fs';

import { openEmbeddedDatabase } from '../platform/db/embedded.ts';

const { openSync, writeSync } = fs;
const full = new Set<number>();

// Simulates the error of a full disk; everything else is real.
fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  if (String(path).includes('/pg_wal/xlogtemp')) full.add(fd);
  return fd;
};
fs.writeSync = ((fd: number, ...rest: [string]) => {
  if (full.has(fd)) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  return writeSync(fd, ...rest);
}) as typeof writeSync;

const { pglite } = await openEmbeddedDatabase(process.env['DATA_DIR'] ?? '');
await pglite.exec('CREATE TABLE written (number integer)');
for (let number = 1; ; number += 1) {
  await pglite.query('INSERT INTO written VALUES ($1)', [number]);
  process.stdout.write(`${number}\n`);
  await pglite.exec(`SELECT pg_logical_emit_message(false, 'fill', repeat('x', 1000000))`);
}
