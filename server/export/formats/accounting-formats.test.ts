import { afterAll, beforeAll, expect, test } from 'vitest';

import { kronerToOre } from '../../../domain/money.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import type { TestClient } from '../../testing/client.ts';
import { seedCompany } from '../../testing/company.ts';
import { bytesAt } from '../../testing/exports.ts';

const YEAR = { from: '2026-01-01', to: '2026-12-31' };
const YEARS = { from: '2001-01-01', to: '2099-12-31' };

let testApp: TestApp;
let owner: TestClient;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'export,payments,credit', DISPATCH: 'staff' });
  owner = await testApp.login('eier@example.no');
  await seedCompany(owner);
});
afterAll(async () => testApp.close());

async function fileOf(kind: string, period: object) {
  const asked = await owner.post('/api/exports/', { kind, ...period });
  expect(asked).toMatchObject({ status: 201, body: { kind, state: 'DONE' } });
  const url = `/api/exports/${asked.body.uuid}/file/`;
  const { headers } = await owner.get(url);
  const content = await bytesAt(testApp, owner, url);
  return { asked: asked.body, headers, content: Buffer.from(content) };
}

// EXP-1
test.each([
  ['GBAT10', YEARS, 'txt', 'text/plain; charset=iso-8859-1'],
  ['SAFT', YEARS, 'xml', 'application/xml'],
  [
    'TWENTYFOURSEVEN',
    YEARS,
    'xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  ['UNI', YEAR, 'xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['UNI', YEARS, 'zip', 'application/zip'],
])('the API answers %s of %o as .%s', async (kind, period, ending, type) => {
  const { headers, content } = await fileOf(kind, period);
  expect(headers['content-type']).toBe(type);
  expect(headers['content-disposition']).toMatch(new RegExp(`\\.${ending}"`));
  expect(content.length).toBeGreaterThan(100);
});

// EXP-2
test('GBAT10 has the sums of the answer', async () => {
  const { asked, content } = await fileOf('GBAT10', YEARS);
  const rows = content
    .toString('latin1')
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(';'));
  const sum = (isIncluded: (account: string) => boolean) =>
    rows
      .filter(([, , , kind, , , account = '']) => kind !== '2' && isIncluded(account))
      .reduce((total, row) => total + kronerToOre(Number(row[8])), 0);
  expect(sum((account) => account === '1500')).toBe(kronerToOre(asked.gross));
  expect(sum((account) => account.startsWith('3'))).toBe(0 - kronerToOre(asked.net));
  expect(sum((account) => account.startsWith('27'))).toBe(0 - kronerToOre(asked.vat));
});
