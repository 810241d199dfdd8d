import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from './postgres-cluster.ts';

async function ask(url: string, question: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(question);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

test('serves UTF-8 only on the loopback with fsync on, and leaves nothing behind', async () => {
  const { url, stop } = await startPostgres();
  const folder = path.dirname(String(await ask(url, 'show data_directory')));
  expect(await ask(url, 'show server_encoding')).toBe('UTF8');
  expect(await ask(url, 'show listen_addresses')).toBe('127.0.0.1');
  expect(await ask(url, 'show fsync')).toBe('on');
  expect(Number(await ask(url, 'show server_version_num'))).toBeGreaterThanOrEqual(150_000);

  await stop();
  await stop();
  await expect(ask(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  expect(fs.existsSync(folder)).toBe(false);
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  'does not outlive a process ended by %s',
  async (signal) => {
    const script = `
    const { startPostgres } = await import(${JSON.stringify(path.join(import.meta.dirname, 'postgres-cluster.ts'))});
    console.log((await startPostgres({ fsync: false })).url);
    setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = line.toString().trim();
    const folder = path.dirname(String(await ask(url, 'show data_directory')));

    child.kill(signal);
    await once(child, 'close');
    await expect.poll(() => fs.existsSync(folder)).toBe(false);
    await expect.poll(() => spawnSync('pgrep', ['-f', folder]).status).toBe(1);
    await expect(ask(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  },
);
