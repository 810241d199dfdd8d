import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const FOLDER = import.meta.dirname;

test('HAProxy takes its file, with the addresses of the environment', () => {
  const nodes = [1, 2, 3].flatMap((node) => [
    [`PG${node}_ADDRESS`, `127.0.0.1:543${node}`],
    [`PG${node}_PATRONI_PORT`, `800${node}`],
  ]);
  const check = spawnSync('haproxy', ['-c', '-f', join(FOLDER, 'haproxy.cfg')], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_LISTEN: '127.0.0.1:5000',
      ...Object.fromEntries(nodes),
    },
    encoding: 'utf8',
  });
  expect(check.stderr + check.stdout).not.toMatch(/warning|alert/i);
  expect(check.status).toBe(0);
});
