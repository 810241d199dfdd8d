import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Figure } from './figure.ts';
import { SECRET_KEY, type Harness } from './harness.ts';
import { seedTenants, type Tenants } from './seed-tenants.ts';

const OPERATOR = join(import.meta.dirname, '..', 'scripts', 'operator.ts');

/** Backs up a part of the installation and restores it with the check of the ledger. */
export async function measureBackup(harness: Harness, tenants: Tenants): Promise<Figure[]> {
  harness.say(`backup of ${tenants.companies.toLocaleString('en-GB')} companies …`);
  const url = await harness.newDatabase();
  await seedTenants(url, tenants);
  const file = join(await harness.newFolder(), 'faktur.backup');
  const backup = await run(url, 'db:backup', file);
  harness.say(`  backup: ${backup.toFixed(0)} s`);
  const restore = await run(await harness.newDatabase(), 'db:restore', file);
  harness.say(`  restore: ${restore.toFixed(0)} s`);
  const { size } = await stat(file);
  const of = `of ${tenants.companies.toLocaleString('en-GB')} companies`;
  return [
    { name: `backup ${of}`, value: backup, unit: 's' },
    { name: `restore and ledger check ${of}`, value: restore, unit: 's' },
    { name: `backup ${of}, its file`, value: size / 2 ** 20, unit: 'MB' },
  ];
}

/** Runs an operator's command; returns its duration in seconds. @throws Error when it fails */
async function run(url: string, ...args: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [OPERATOR, ...args], {
    env: { PATH: process.env['PATH'], DATABASE_URL: url, SECRET_KEY },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}`);
  return (performance.now() - began) / 1000;
}
