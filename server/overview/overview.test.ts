import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, daysBetween, todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { OpenItem } from '../../domain/export/figures.ts';
import { checkLedger } from '../document/ledger.service.ts';
import type { Books } from '../export/books.ts';
import { currentMoment, openBooks } from '../export/open-books.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  line,
  register,
} from '../testing/factories.ts';
import { addBankPayment } from '../testing/payments.ts';

const OWNER = 'eier@example.no';
const TODAY = todayInOslo();

let testApp: TestApp;
let owner: TestClient;
let companyId: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'overview,export,payments,credit', DISPATCH: 'staff' });
  owner = await testApp.login(OWNER);
  await completeProfile(owner);
  companyId = await companyIdOf(testApp.context.db, OWNER);
  await liveTwoYears();
  await liveAtRandom();
});
afterAll(async () => testApp.close());

/** Registers an invoice. Returns its uuid. */
async function invoice(client: TestClient, customer: number, changes: object): Promise<string> {
  const uuid = await createDraft(client, customer, changes);
  await register(client, uuid);
  return uuid;
}

/** Invoices of two years: open, paid late, in advance, in part or too much, credited, and moved between invoices. */
async function liveTwoYears(): Promise<void> {
  const customers = [
    await createCustomer(owner),
    await createCustomer(owner, { name: 'Bjørk & Sønn AS', email: null }),
    await createCustomer(owner, { name: 'Slettes AS', email: null }),
  ];
  const { db } = testApp.context;
  for (let index = 0; index < 36; index += 1) {
    const issueDate = addDays(TODAY, index * -21);
    const customer = customers[index % 3] ?? 0;
    const uuid = await invoice(owner, customer, {
      issue_date: issueDate,
      due_days: 1 + ((index * 7) % 45),
      invoice_lines: [line('Arbeid', (10_010 + index * 3333) / 100, 25), line('Mat', 17.77, 15)],
    });
    const { body } = await owner.get(`/api/invoices/${uuid}/`);
    const paidOn =
      addDays(issueDate, (index * 5) % 40) > TODAY ? TODAY : addDays(issueDate, (index * 5) % 40);
    const pay = async (amount: number, date: IsoDate) => {
      const answer = await owner.post('/api/payments/', { invoice_uuid: uuid, amount, date });
      expect(answer.status).toBe(201);
      return (answer.body as { uuid: string }).uuid;
    };
    if (index % 6 === 1) await pay(body.gross_amount, paidOn);
    if (index % 6 === 2) await pay(50, addDays(issueDate, -3));
    if (index % 6 === 3) {
      const payment = await pay(60, paidOn);
      expect((await owner.post(`/api/payments/${payment}/undo/`)).status).toBe(200);
    }
    if (index % 6 === 4) {
      const credited = await owner.post(`/api/invoices/${uuid}/credit/`, {
        reductions: [{ description: 'Avslag', net_amount: 25, vat_treatment: 'STANDARD' }],
      });
      expect(credited.status).toBe(201);
    }
    if (index % 6 === 5) {
      const amount = Math.round(body.gross_amount * 100 + 4000) / 100;
      const payment = await addBankPayment(db, companyId, { amount, paidOn });
      const placed = await owner.post(`/api/payments/${payment}/place/`, { invoice_uuid: uuid });
      expect(placed.status).toBe(200);
    }
    if (index % 12 === 0 && index > 0) {
      expect((await owner.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    }
  }
}

const SEED = Number(process.env['BOOKS_SEED'] ?? 38);
const ROUNDS = Number(process.env['BOOKS_ROUNDS'] ?? 15);

/** Changes the books by calls at once, on few invoices. Each call is accepted or refused. */
async function liveAtRandom(): Promise<void> {
  let state = SEED;
  const below = (many: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % many;
  };
  const { body } = await owner.get('/api/invoices/?status=REGISTERED');
  const uuids: string[] = body.results.map(({ uuid }: { uuid: string }) => uuid).slice(0, 6);
  const payments: string[] = [];
  const some = () => uuids[below(uuids.length)] ?? '';
  const actions: (() => Promise<Answer | undefined>)[] = [
    async () => {
      const date = addDays(TODAY, -below(800));
      const amount = (1 + below(9000)) / 100;
      const answer = await owner.post('/api/payments/', { invoice_uuid: some(), amount, date });
      if (answer.status === 201) payments.push((answer.body as { uuid: string }).uuid);
      return answer;
    },
    async () => owner.post(`/api/payments/${payments[below(payments.length)]}/undo/`),
    async () => owner.post(`/api/invoices/${some()}/update/`, { status: 'PAID' }),
    async () => owner.post(`/api/invoices/${some()}/update/`, { status: 'REGISTERED' }),
    async () =>
      owner.post(`/api/invoices/${some()}/credit/`, {
        reductions: [
          { description: 'Avslag', net_amount: 1 + below(9), vat_treatment: 'STANDARD' },
        ],
      }),
    async () => {
      const changes = { issue_date: addDays(TODAY, -below(700)), due_days: below(60) };
      uuids.push(await createDraft(owner, 1 + below(3), changes));
      return owner.post('/api/invoices/queue/');
    },
  ];
  const accepted = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const which = below(actions.length);
        const answer = await actions[which]?.();
        expect(answer?.status).toBeLessThan(500);
        if ((answer?.status ?? 400) < 400) accepted.add(which);
      }),
    );
  }
  expect(accepted.size).toBe(actions.length);
}

async function faultInBooks(): Promise<string | null | undefined> {
  const [report] = await Array.fromAsync(checkLedger(testApp.context.db, OWNER));
  return report?.fault;
}

async function overviewOf(query: string) {
  const answer = await owner.get(`/api/overview/${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function booksOn(to: IsoDate): Promise<Books> {
  const { db } = testApp.context;
  const moment = await currentMoment(db, companyId);
  const scope = { companyId, from: null, to, filter: null, ...moment };
  return openBooks(db, scope, { madeBy: OWNER, madeAt: new Date().toISOString() });
}

function sum(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((total, amount) => total + amount * 100, 0)) / 100;
}

const year = Number(TODAY.slice(0, 4));

test('the kept sums are those of the invoices and payments, also counted anew', async () => {
  const { db } = testApp.context;
  expect(await faultInBooks()).toBeNull();
  await sql`DELETE FROM invoice_day WHERE company_id = ${companyId}`.execute(db);
  expect(await faultInBooks()).toContain('counts');
  await sql`SELECT count_invoice_days(${companyId}::bigint)`.execute(db);
  expect(await faultInBooks()).toBeNull();
});

// OVER-1, OVER-3
test.each([
  ['this year', `${year}-01-01`, `${year}-12-31`],
  ['last year', `${year - 1}-01-01`, `${year - 1}-12-31`],
  ['days within months', `${year - 1}-02-14`, `${year}-03-05`],
  ['one day', addDays(TODAY, -21), addDays(TODAY, -21)],
  ['nothing', '2001-01-01', '2001-12-31'],
])('turnover and VAT of %s are those of the export', async (_, from, to) => {
  const { turnover, vat } = await overviewOf(`?from=${from}&to=${to}`);
  const exported = await owner.post('/api/exports/?dry_run=true', { kind: 'XLSX', from, to });
  expect(sum(turnover.map(({ net }: { net: number }) => net))).toBe(exported.body.net);
  expect(sum(vat.map((term: { vat: number }) => term.vat))).toBe(exported.body.vat);
  expect(turnover[0].month).toBe(from.slice(0, 7));
  expect(turnover.at(-1).month).toBe(to.slice(0, 7));
});

// OVER-1
test('each month stands beside the same one of the year before', async () => {
  const now = await overviewOf(`?from=${year}-01-01&to=${year}-12-31`);
  const before = await overviewOf(`?from=${year - 1}-01-01&to=${year - 1}-12-31`);
  const months = now.turnover.map(({ last_year }: { last_year: number }) => last_year);
  expect(months).toEqual(before.turnover.map(({ net }: { net: number }) => net));
  expect(months.filter((net: number) => net > 0).length).toBeGreaterThan(6);
  // Without a period: the year of today.
  expect(await overviewOf('')).toEqual(now);
});

function ageOf({ document }: OpenItem, asOf: IsoDate): string {
  const late = daysBetween(document?.dueDate ?? asOf, asOf);
  if (late <= 0) return 'NOT_DUE';
  if (late <= 14) return 'DAYS_1_14';
  if (late <= 30) return 'DAYS_15_30';
  if (late <= 60) return 'DAYS_31_60';
  return late <= 90 ? 'DAYS_61_90' : 'OVER_90';
}

// Also before payments and credit notes that came later, and after what is dated ahead.
// OVER-5
test.each([0, -1, -10, -50, -100, -200, -365, -500, -750, 100].map((days) => addDays(TODAY, days)))(
  'what is owed on %s is what the books say',
  async (asOf) => {
    const books = await booksOn(asOf);
    const items: OpenItem[] = [];
    for await (const part of books.openItems()) items.push(...part);
    const claims = items.filter(({ document }) => document !== null);
    const { outstanding, overdue } = await overviewOf(`?as_of=${asOf}`);
    const kroner = (some: readonly OpenItem[]) => sum(some.map(({ rest }) => rest / 100));
    expect(outstanding.total).toBe(kroner(claims));
    for (const { age, amount, count } of outstanding.ages) {
      const group = claims.filter((item) => ageOf(item, asOf) === age);
      expect({ age, amount, count }).toEqual({ age, amount: kroner(group), count: group.length });
    }
    const late = claims.filter(({ document }) => (document?.dueDate ?? asOf) < asOf);
    const [first] = late.toSorted((one, other) =>
      (one.document?.dueDate ?? '').localeCompare(other.document?.dueDate ?? ''),
    );
    const oldest = first?.document?.dueDate ?? null;
    expect(overdue).toEqual({ amount: kroner(late), count: late.length, oldest });
    // The journal's receivables also have what customers have to their credit.
    const accounts = await books.accounts();
    const receivables = accounts.find(({ role }) => role === 'RECEIVABLES')?.closing ?? 0;
    const credit = items.filter(({ document }) => document === null);
    expect(receivables / 100).toBe(sum([outstanding.total, kroner(credit)]));
  },
);

// OVER-6
describe('customers of 12 months', () => {
  test('are those of the invoices, the largest first', async () => {
    const { customers } = await overviewOf('');
    expect(customers).toHaveLength(3);
    const nets = customers.map(({ net }: { net: number }) => net);
    expect(nets).toEqual(nets.toSorted((one: number, other: number) => other - one));
    const exported = await owner.post('/api/exports/?dry_run=true', {
      kind: 'XLSX',
      from: addDays(`${year - 1}${TODAY.slice(4)}`, 1),
      to: TODAY,
    });
    expect(sum(nets)).toBe(exported.body.net);
  });

  test('keep the name of one that was deleted', async () => {
    const client = await testApp.login();
    await completeProfile(client);
    const number = await createCustomer(client, { name: 'Borte AS', email: null });
    const uuid = await invoice(client, number, { issue_date: TODAY });
    const { gross_amount } = (await client.get(`/api/invoices/${uuid}/`)).body;
    await client.post('/api/payments/', { invoice_uuid: uuid, amount: gross_amount, date: TODAY });
    expect((await client.delete(`/api/customers/${number}/`)).status).toBe(204);
    const { customers } = (await client.get('/api/overview/')).body;
    expect(customers).toEqual([{ customer_number: null, name: 'Borte AS', net: 143.43 }]);
  });

  test('are the ten largest', async () => {
    const client = await testApp.login();
    await completeProfile(client);
    const nets = Array.from({ length: 11 }, (_, index) => 100 + index);
    for (const net of nets) {
      const customer = await createCustomer(client, { name: `Kunde ${net}`, email: null });
      await invoice(client, customer, { invoice_lines: [line('Arbeid', net, 25)] });
    }
    const { customers } = (await client.get('/api/overview/')).body;
    const largest = nets.slice(1).toReversed();
    expect(customers.map(({ net }: { net: number }) => net)).toEqual(largest);
  });
});

// OVER-7
test('the median of days to payment counts from issue, of 12 months', async () => {
  const client = await testApp.login();
  await completeProfile(client);
  const customer = await createCustomer(client);
  expect((await client.get('/api/overview/')).body.median_days).toBeNull();
  const pay = async (days: number, ago: number) => {
    const issue_date = addDays(TODAY, -ago);
    const uuid = await invoice(client, customer, { issue_date });
    const date = addDays(issue_date, days);
    const paid = await client.post('/api/payments/', { invoice_uuid: uuid, amount: 173.46, date });
    expect(paid.status).toBe(201);
  };
  await pay(3, 20);
  await pay(30, 400);
  expect((await client.get('/api/overview/')).body.median_days).toBe(3);
  await pay(8, 60);
  expect((await client.get('/api/overview/')).body.median_days).toBe(5.5);
  await pay(19, 60);
  expect((await client.get('/api/overview/')).body.median_days).toBe(8);
});

// OVER-1
test.each([
  '?from=2026-01-01',
  '?to=2026-01-01',
  '?from=2026-02-01&to=2026-01-01',
  '?from=2020-01-01&to=2025-01-01',
  '?as_of=2026-02-30',
])('%s is refused', async (query) => {
  expect((await owner.get(`/api/overview/${query}`)).status).toBe(400);
});
