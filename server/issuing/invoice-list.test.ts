import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { INVOICE_SORTS, LISTED_STATUSES } from '../../domain/invoice/invoice-list.schema.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  line,
  register,
} from '../testing/factories.ts';

const TODAY = todayInOslo();
/** In the order of the Norwegian alphabet. */
const NAMES = ['Abel AS', 'bakeriet', 'Émile', 'Zink', 'Ære AS', 'ørnen', 'Åpen dag', 'ålreit'];
/** More than two pages, in a fixed order that differs from every sort. */
const MANY = 45;

let testApp: TestApp;
let client: TestClient;

beforeAll(async () => {
  testApp = await startTestApp({ DISPATCH: 'staff' });
  client = await testApp.login('kari@fjordlys.no');
  await completeProfile(client);
  const customers: number[] = [];
  for (const name of NAMES.toReversed()) {
    customers.push(await createCustomer(client, { name, email: 'post@example.no' }));
  }
  for (let i = 0; i < MANY; i++) {
    const uuid = await createDraft(
      client,
      customers[(i * 5 + Math.floor(i / 8)) % customers.length] ?? 0,
      {
        issue_date: addDays(TODAY, -((i * 7) % 13)),
        due_days: 1 + ((i * 11) % 9),
        invoice_lines: [
          {
            invoiced_quantity: 1,
            description: 'Arbeid',
            net_unit_amount: ((i * 3) % 17) * 100,
            vat_rate_percentage: 25,
          },
        ],
      },
    );
    if (i % 4 !== 0) await register(client, uuid);
    if (i % 4 === 2) await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
    if (i % 12 === 3) await client.delete(`/api/invoices/${uuid}/`);
  }
});
afterAll(async () => testApp.close());

interface Listed {
  readonly uuid: string;
  readonly invoice_number: number | null;
  readonly customer_number: number;
  readonly customer_name: string;
  readonly status: string;
  readonly kind: string;
  readonly issue_date: string;
  readonly due_date: string;
  readonly gross_amount: number;
}

interface ListedPage {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly Listed[];
}

async function pageAt(path: string): Promise<ListedPage> {
  const { status, body } = await client.get(path);
  expect(status).toBe(200);
  return body;
}

/** The whole list, fetched page by page through the links in the responses. */
async function listed(query: string): Promise<Listed[]> {
  const first = await pageAt(`/api/invoices/?${query}`);
  const found = [...first.results];
  for (let { next } = first; next !== null;) {
    const page = await pageAt(next);
    found.push(...page.results);
    ({ next } = page);
  }
  expect(found).toHaveLength(first.count);
  return found;
}

const collator = new Intl.Collator('nb-NO', { sensitivity: 'base' });

const COMPARED: Readonly<Record<string, (a: Listed, b: Listed) => number>> = {
  number: () => 0,
  customer: (a, b) => collator.compare(a.customer_name, b.customer_name),
  issue_date: (a, b) => a.issue_date.localeCompare(b.issue_date),
  due_date: (a, b) => a.due_date.localeCompare(b.due_date),
  amount: (a, b) => a.gross_amount - b.gross_amount,
};

/** Equal values are ordered by number; drafts come last. */
function compareNumbers(a: Listed, b: Listed): number {
  return (a.invoice_number ?? Infinity) - (b.invoice_number ?? Infinity) || 0;
}

// INV-29
describe('a list of some days', () => {
  const [from, to] = [addDays(TODAY, -9), addDays(TODAY, -3)];

  test.each(['', '&sort=amount', '&sort=-due_date', '&status=OUTSTANDING'])(
    'of issue has just what was issued then and has a number: %s',
    async (more) => {
      const all = await listed(more);
      const found = await listed(`from=${from}&to=${to}${more}`);
      const isOf = ({ issue_date, invoice_number }: Listed) =>
        issue_date >= from && issue_date <= to && invoice_number !== null;
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(all.filter(isOf));
      expect(await listed(`from=${from}${more}`)).toEqual(
        all.filter(({ issue_date, invoice_number }) => issue_date >= from && invoice_number),
      );
    },
  );

  test('of payment has just what is due then', async () => {
    const found = await listed(`status=OUTSTANDING&due_from=${from}&due_to=${to}`);
    const all = await listed('status=OUTSTANDING');
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(all.filter(({ due_date }) => due_date >= from && due_date <= to));
    const days = all.map(({ due_date }) => due_date);
    expect(days, 'what is owed begins with the earliest due date').toEqual(days.toSorted());
    const first = await listed(`status=OUTSTANDING&due_to=${to}`);
    expect(first).toEqual(all.filter(({ due_date }) => due_date <= to));
  });

  test('is refused when a day does not exist', async () => {
    const { status, body } = await client.get('/api/invoices/?from=2026-02-30');
    expect(status).toBe(400);
    expect(body.detail).toMatchObject([{ field: 'from' }]);
  });
});

// INV-29
describe('a sorted list', () => {
  test.each(INVOICE_SORTS)('by %s has every invoice once, in order', async (sort) => {
    const all = await listed('');
    const sorted = await listed(`sort=${sort}`);
    expect(sorted.map(({ uuid }) => uuid).toSorted()).toEqual(
      all.map(({ uuid }) => uuid).toSorted(),
    );
    const compare = COMPARED[sort.replace('-', '')];
    const sign = sort.startsWith('-') ? -1 : 1;
    for (const [index, one] of sorted.entries()) {
      const next = sorted[index + 1];
      if (!next) break;
      const order = compare?.(one, next) || compareNumbers(one, next) || 0;
      expect(sign * order, `${JSON.stringify(one)} before ${JSON.stringify(next)}`).toBeLessThan(1);
    }
  });

  test.each(INVOICE_SORTS.filter((sort) => !sort.startsWith('-')))(
    'by %s is turned round whole',
    async (sort) => {
      const up = await listed(`sort=${sort}`);
      const down = await listed(`sort=-${sort}`);
      expect(down.map(({ uuid }) => uuid)).toEqual(up.map(({ uuid }) => uuid).toReversed());
    },
  );

  test('equals the unsorted list when the highest number is first', async () => {
    expect(await listed('sort=-number')).toEqual(await listed(''));
  });

  test.each(LISTED_STATUSES)('of %s has the same invoices as the unsorted list', async (status) => {
    const all = await listed(`status=${status}`);
    for (const sort of ['customer', '-issue_date', 'due_date', '-amount', 'number']) {
      const sorted = await listed(`status=${status}&sort=${sort}`);
      expect(new Set(sorted.map(({ uuid }) => uuid))).toEqual(new Set(all.map(({ uuid }) => uuid)));
    }
  });

  test('of one customer, and of a search, has drafts and registered invoices', async () => {
    const [{ customer_number: number } = { customer_number: 0 }] =
      await listed('query=%C3%A5lreit');
    const all = await listed(`customer_number=${number}`);
    expect(new Set(all.map(({ status }) => status)).size).toBeGreaterThan(1);
    for (const sort of ['customer', '-customer', 'amount', '-due_date']) {
      for (const filter of [`customer_number=${number}`, 'query=%C3%A5lreit']) {
        const sorted = await listed(`${filter}&sort=${sort}`);
        expect(new Set(sorted.map(({ uuid }) => uuid))).toEqual(
          new Set(all.map(({ uuid }) => uuid)),
        );
      }
    }
  });

  test('is the same when all are found by a word of their lines, and narrower by a sum (INV-44)', async () => {
    for (const order of ['', '&sort=customer', '&sort=-amount', '&status=REGISTERED']) {
      const all = await listed(order);
      expect(await listed(`query=ARBEID${order}`)).toEqual(all);
      const isOfSum = ({ gross_amount: sum }: Listed) => sum === 1250;
      expect(await listed(`query=kr+1.250,-${order}`)).toEqual(all.filter(isOfSum));
    }
  });

  test('keeps its sort, filter and search from page to page', async () => {
    const { body } = await client.get(
      '/api/invoices/?sort=-amount&status=REGISTERED&query=&page=2',
    );
    expect(body.previous).toBe('/api/invoices/?page=1&status=REGISTERED&sort=-amount');
    const names = (await listed('query=%C3%A5&sort=amount')).map(({ customer_name: name }) => name);
    expect(new Set(names)).toEqual(new Set(['Åpen dag', 'ålreit']));
  });

  test('refuses unknown sorts', async () => {
    const { status, body } = await client.get('/api/invoices/?sort=name');
    expect(status).toBe(400);
    expect(body.detail).toEqual([
      { field: 'sort', message: expect.stringContaining('must be one of the following values') },
    ]);
  });
});

test('the summary names the characters of drafts that documents cannot show, and of no others', async () => {
  const client = await testApp.login();
  await completeProfile(client);
  const customer = await createCustomer(client, { name: 'Åse Ødegård 𝐀' });
  const unprintable = async () =>
    (await client.post('/api/invoices/queue/?dry_run=true')).body.unprintable;
  expect(await unprintable()).toEqual([]);
  const draft = await createDraft(client, customer, {
    message: 'Takk ქ',
    invoice_lines: [line('Kaffe ქ தமிழ்', 10, 25), line('株式会社', 10, 25)],
  });
  expect(await unprintable()).toEqual(expect.arrayContaining(['ქ', 'த']));
  expect(await unprintable()).not.toContain('株');
  const other = await testApp.login();
  await completeProfile(other);
  await createDraft(other, await createCustomer(other));
  expect((await other.post('/api/invoices/queue/?dry_run=true')).body.unprintable).toEqual([]);
  await register(client, draft);
  expect(await unprintable()).toEqual([]);
});
