import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runScript } from '../../testing/process.ts';
import { openEmbeddedDatabase } from './embedded.ts';

test('a disk too full for the log ends the process with one line, and loses nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faktur-full-disk-'));
  const { code, output } = await runScript('server/testing/full-disk.ts', { DATA_DIR: folder });
  const written = output.trimEnd().split('\n');
  expect(written.pop()).toMatch(/^Faktur stopped: .* could not write its log \(ENOSPC\)/);
  expect(code).toBe(1);
  expect(written.length).toBeGreaterThan(5);

  const database = await openEmbeddedDatabase(folder);
  const { rows } = await database.pglite.query(
    'SELECT number::text FROM written ORDER BY written.number',
  );
  expect(rows).toEqual(written.map((number) => ({ number })));
  await database.close();
  await rm(folder, { recursive: true });
});
