import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { suppress } from '../platform/mail/refusals.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { ALL_YEARS, bytesAt, expire, namesInZip, untilExport } from '../testing/exports.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { addMember } from '../testing/members.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { requireExport } from './export.repository.ts';

// EXP-6: what `since_last` has.

const TODAY = todayInOslo();
const EARLIER = addDays(TODAY, -3);
const SINCE = { since_last: true };
/** Random histories of a company. */
const RUNS = Number(process.env['SINCE_LAST_RUNS'] ?? 3);

let smtp: MailServer;
let testApp: TestApp;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({
    FEATURES: 'export,payments,credit,members',
    DISPATCH: 'staff',
    SMTP_URL: smtp.url,
  });
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  await testApp.context.db.deleteFrom('rateLimit').execute();
});

let companies = 0;

/** A company of its own. */
class Company {
  readonly email = `firma${++companies}@example.no`;
  owner!: TestClient;
  auditor!: TestClient;
  customer = 0;
  companyId = 0;

  async open(): Promise<this> {
    const { db } = testApp.context;
    this.owner = await testApp.login(this.email);
    await completeProfile(this.owner);
    this.customer = await createCustomer(this.owner);
    this.companyId = await companyIdOf(db, this.email);
    const email = `revisor${companies}@example.no`;
    const member = { companyId: this.companyId, email, role: 'AUDITOR' } as const;
    this.auditor = (await addMember(testApp, member)).client;
    return this;
  }

  async issue(issue_date = TODAY): Promise<string> {
    const uuid = await createDraft(this.owner, this.customer, { issue_date });
    await register(this.owner, uuid);
    return uuid;
  }

  /** Asks for an export; null when nothing is new. */
  async ask(body: object, client = this.owner): Promise<string | null> {
    const { status, body: answer } = await client.post('/api/exports/', body);
    if (status !== 201 && status !== 409) throw new Error(`The export got ${status}`);
    return status === 201 ? (answer as { uuid: string }).uuid : null;
  }

  /** The vouchers in the file of an accounting format: numbers of documents, and those of payments after 'B-'. */
  async fetch(uuid: string | null, client = this.owner): Promise<string[]> {
    if (uuid === null) return [];
    const file = (await bytesAt(testApp, client, `/api/exports/${uuid}/file/`)).toString('latin1');
    const named = file.startsWith('<')
      ? [...file.matchAll(/<TransactionID>(.+?)</g)].map(([, id = '']) => id)
      : file
          .split('\r\n')
          .filter(Boolean)
          .map((row) => row.split(';'))
          .map(([, number, , kind]) => `${kind === '2' ? 'B-' : ''}${number}`);
    return [...new Set(named)];
  }

  async whole(): Promise<string[]> {
    return this.fetch(await this.ask({ kind: 'GBAT10', ...ALL_YEARS }));
  }
}

const anyStep = fc.record({
  what: fc.constantFrom(
    ...(['issue', 'issue early', 'pay', 'credit', 'ask', 'ask', 'ask', 'ask filtered'] as const),
    ...(['ask for sheets', 'fetch', 'fetch', 'delete', 'expire'] as const),
  ),
  row: fc.nat(3),
  isAuditor: fc.boolean(),
});

// EXP-64
test('the files of a family together are the whole, each voucher once, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(anyStep, { minLength: 8, maxLength: 20 }),
      async (beginsWithPeriod, steps) => {
        const company = await new Company().open();
        const invoices = [await company.issue(EARLIER)];
        const open: string[] = [];
        const fetched: string[][] = [];
        const fetch = async (uuid: string, client: TestClient) => {
          open.splice(open.indexOf(uuid), 1);
          fetched.push(await company.fetch(uuid, client));
        };
        if (beginsWithPeriod) {
          const period = { kind: 'SAFT', from: EARLIER, to: addDays(TODAY, -1) };
          open.push((await company.ask(period)) ?? '');
        }
        for (const { what, row, isAuditor } of steps) {
          const client = isAuditor ? company.auditor : company.owner;
          const kind = row % 2 === 0 ? 'GBAT10' : 'SAFT';
          const invoice = invoices[row % invoices.length] ?? '';
          const chosen = open[row % open.length];
          if (what === 'issue') invoices.push(await company.issue());
          else if (what === 'issue early') invoices.push(await company.issue(EARLIER));
          else if (what === 'pay') {
            const payment = { invoice_uuid: invoice, amount: 10 + row, date: TODAY };
            await company.owner.post('/api/payments/', payment);
          } else if (what === 'credit') {
            await company.owner.delete(`/api/invoices/${invoice}/?expect=REGISTERED`);
          } else if (what === 'ask') {
            const uuid = await company.ask({ kind, ...SINCE }, client);
            if (uuid !== null) open.push(uuid);
          } else if (what === 'ask filtered') {
            const filter = { status: 'PAID' };
            await company.fetch(await company.ask({ kind, ...SINCE, filter }, client), client);
          } else if (what === 'ask for sheets')
            await company.ask({ kind: 'XLSX', ...SINCE }, client);
          else if (chosen && what === 'fetch') await fetch(chosen, client);
          else if (chosen) {
            open.splice(open.indexOf(chosen), 1);
            if (what === 'delete') await company.owner.delete(`/api/exports/${chosen}/`);
            else await expire(testApp.context.db, company.companyId, chosen);
          }
        }
        const last = await company.ask({ kind: 'GBAT10', ...SINCE });
        for (const uuid of [...open, ...(last === null ? [] : [last])]) {
          await fetch(uuid, company.owner);
        }
        expect(await company.ask({ kind: 'GBAT10', ...SINCE })).toBeNull();
        expect(fetched.flat().toSorted()).toEqual((await company.whole()).toSorted());
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test('the unread file before another that was fetched comes again when it is deleted', async () => {
  const company = await new Company().open();
  await company.issue();
  const unread = await company.ask({ kind: 'GBAT10', ...SINCE });
  await company.issue();
  const read = await company.ask({ kind: 'TWENTYFOURSEVEN', ...SINCE });
  await company.fetch(read);
  await company.owner.delete(`/api/exports/${unread}/`);
  expect(await company.fetch(await company.ask({ kind: 'SAFT', ...SINCE }))).toEqual(['1']);
  expect(await company.ask({ kind: 'UNI', ...SINCE })).toBeNull();
  // One that was fetched is with the accountant, whatever becomes of the file.
  await company.owner.delete(`/api/exports/${read}/`);
  expect(await company.ask({ kind: 'UNI', ...SINCE })).toBeNull();
});

test('what is dated before the first period that was exported is not new, what lies between two is', async () => {
  const company = await new Company().open();
  await company.issue(addDays(TODAY, -20));
  await company.issue(addDays(TODAY, -10));
  await company.issue(addDays(TODAY, -5));
  const daysAgo = (many: number) => ({ from: addDays(TODAY, -many), to: addDays(TODAY, -many) });
  await company.fetch(await company.ask({ kind: 'SAFT', ...daysAgo(12) }));
  await company.fetch(await company.ask({ kind: 'SAFT', ...daysAgo(5) }));
  expect(await company.fetch(await company.ask({ kind: 'SAFT', ...SINCE }))).toEqual(['2']);
  // Looking at an earlier period again makes nothing new.
  await company.fetch(await company.ask({ kind: 'SAFT', ...daysAgo(10) }));
  expect(await company.ask({ kind: 'SAFT', ...SINCE })).toBeNull();
});

test('PDF and EHF go on by themselves, with documents alone', async () => {
  const company = await new Company().open();
  const uuid = await company.issue();
  await company.fetch(await company.ask({ kind: 'GBAT10', ...SINCE }));
  const made = await company.ask({ kind: 'DOCUMENTS', ...SINCE });
  await untilExport(company.owner, made ?? '');
  const file = await bytesAt(testApp, company.owner, `/api/exports/${made}/file/`);
  expect(await namesInZip(file)).toContain('Faktura-1.pdf');
  const payment = { invoice_uuid: uuid, amount: 10, date: TODAY };
  expect((await company.owner.post('/api/payments/', payment)).status).toBe(201);
  expect(await company.ask({ kind: 'DOCUMENTS', ...SINCE })).toBeNull();
});

test('a file that is fetched by its link is not exported again; one whose link was refused is, and ends', async () => {
  const company = await new Company().open();
  await company.issue();
  const asked = { kind: 'GBAT10', ...SINCE };
  await suppress(testApp.context.db, 'sperret@example.no', 'BOUNCE');
  const refused = (await company.ask({ ...asked, send_to: 'sperret@example.no' })) ?? '';
  await until(
    async () => requireExport(testApp.context.db, company.companyId, refused),
    ({ linkRefusedAt }) => linkRefusedAt !== null,
  );
  expect((await company.owner.get(`/api/exports/${refused}/file/`)).status).toBe(200);
  expect(await company.ask(asked)).toBeNull();
  await company.issue();
  const unread = (await company.ask({ ...asked, send_to: 'sperret@example.no' })) ?? '';
  await until(
    async () => requireExport(testApp.context.db, company.companyId, unread),
    ({ linkRefusedAt }) => linkRefusedAt !== null,
  );

  const address = `regnskap${companies}@example.no`;
  const sent = await company.ask({ ...asked, send_to: address });
  expect((await company.owner.get(`/api/exports/${unread}/file/`)).status).toBe(404);
  const { text = '' } = await readMail(await smtp.waitForMail(({ to }) => to.includes(address)));
  const [, path = 'none'] =
    /http:\/\/faktur\.test(\/delt\/eksport\/[a-z2-7]{32}\/)/.exec(text) ?? [];
  const file = await bytesAt(testApp, testApp.visitor(), path);
  expect(file.toString('latin1')).toContain('Faktura 2;');
  await company.owner.delete(`/api/exports/${sent}/`);
  expect(await company.ask(asked)).toBeNull();
});
