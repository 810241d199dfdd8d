import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startProcess } from '../server/testing/process.ts';
import { until } from '../server/testing/until.ts';
import { DEV_EMAIL, makeDevData } from './dev-company.ts';

let parent: string;

beforeAll(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-dev-'));
});
afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

test('its owner logs in with the code in the terminal, and finds something of everything', async () => {
  const folder = path.join(parent, 'dev-data');
  // What a first start left that was cut off.
  fs.mkdirSync(path.join(`${folder}.unfinished`, 'postgres'), { recursive: true });
  await makeDevData(folder);
  expect(fs.readdirSync(parent)).toEqual(['dev-data']);

  const product = await startProcess({ DATA_DIR: folder, LOG_LEVEL: 'info' });
  const owner = product.visitor();
  await owner.post('/api/users/login/email/', { email: DEV_EMAIL });
  const code = await until(
    () => /Login code for (\S+): (\w{6})/.exec(product.log.join('\n')),
    (found) => found !== null,
  );
  expect(code?.[1]).toBe(DEV_EMAIL);
  await owner.post('/api/users/login/verify/', { email: DEV_EMAIL, registration_token: code?.[2] });
  expect((await owner.get('/api/users/session/')).body.is_profile_completed).toBe(true);
  const { results } = (await owner.get('/api/invoices/')).body;
  const statuses = results.map(({ status }: { status: string }) => status);
  expect(new Set(statuses)).toEqual(new Set(['DRAFT', 'REGISTERED', 'PAID', 'CANCELLED']));
  expect((await owner.get('/api/customers/')).body).toHaveLength(4);
  expect((await owner.get('/api/customers/groups/')).body).toHaveLength(1);
  expect((await owner.get('/api/invoices/template/')).body).toHaveLength(1);
  expect(await product.stop()).toBe(0);
});

test('data that is there stays as it is', async () => {
  const folder = path.join(parent, 'mine');
  fs.mkdirSync(folder);
  await makeDevData(folder);
  expect(fs.readdirSync(folder)).toEqual([]);
});
