import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { differenceKroner, sumKroner } from '../../domain/money.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { Answer, TestClient } from '../testing/client.ts';
import { addQuote, completeProfile, createCustomer, line, register } from '../testing/factories.ts';
import { findMiscounted } from '../testing/quote-counts.ts';

const RUNS = Number(process.env['PART_RUNS'] ?? 5);
const TODAY = todayInOslo();
const HOURS = { ...line('Snekkerarbeid', 500, 25, 10), unit: 'HUR' };
const FREIGHT = { ...line('Frakt', 1000.01, 25), unit: 'EA' };

let testApp: TestApp;
let client: TestClient;
let customer: number;

beforeAll(async () => {
  testApp = await startTestApp({ FEATURES: 'quotes,units,credit,payments', DISPATCH: 'staff' });
});
afterAll(async () => {
  expect(await findMiscounted(testApp.context.db)).toEqual([]);
  await testApp.close();
});
beforeEach(async () => {
  client = await testApp.login();
  await completeProfile(client);
  customer = await createCustomer(client);
});

/** An accepted quote: its uuid and the ids of its lines. */
async function accepted(lines: readonly object[] = [HOURS, FREIGHT], given: object = {}) {
  const quote = await addQuote(client, customer, { lines, ...given });
  await accept(quote.uuid);
  return { uuid: quote.uuid, ids: quote.lines.map(({ id }) => id) };
}

async function accept(uuid: string): Promise<void> {
  const { db } = testApp.context;
  await sql`
    WITH sent AS (
      UPDATE quote_revision SET sent_at = now(), answer = 'ACCEPTED', answered_how = 'HAND', answered_at = now(),
        buyer = '{}', is_private = (SELECT is_private FROM customer
          WHERE company_id = quote_revision.company_id AND id = customer_id)
      WHERE quote_id = (SELECT id FROM quote WHERE uuid = ${uuid}) RETURNING company_id, quote_id)
    UPDATE quote SET state = 'SENT', sent_revision = 1, sent_valid_until = '2099-12-31',
      quote_number = COALESCE((SELECT max(quote_number) FROM quote before
        WHERE before.company_id = quote.company_id), 0) + 1
    FROM sent WHERE quote.company_id = sent.company_id AND id = quote_id`.execute(db);
  await sql`UPDATE quote SET state = 'ACCEPTED' WHERE uuid = ${uuid}`.execute(db);
}

async function invoice(uuid: string, body: object = {}): Promise<Answer> {
  return client.post(`/api/quotes/${uuid}/invoice/`, body);
}

async function invoiced(uuid: string, body: object = {}) {
  const answer = await invoice(uuid, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The quotes of a state in the list, which counts them. */
async function listed(state: string): Promise<string[]> {
  const { count, results } = (await client.get(`/api/quotes/?state=${state}`)).body;
  expect(count).toBe(results.length);
  return results.map((quote: { uuid: string }) => quote.uuid);
}

async function read(uuid: string) {
  return (await client.get(`/api/quotes/${uuid}/`)).body;
}

describe('an invoice of a quote', () => {
  // QUO-50, QUO-51, QUO-54, QUO-55, QUO-56
  test('of all of it has its lines, and the customer’s terms', async () => {
    const { uuid } = await accepted([HOURS, FREIGHT], { reference: 'Bad 2. etasje' });
    const draft = await invoiced(uuid);
    expect(draft).toMatchObject({
      status: 'DRAFT',
      invoice_number: null,
      customer_number: customer,
      issue_date: TODAY,
      due_days: 14,
      delivery_type: 'EMAIL',
      reference: 'Bad 2. etasje',
      quote: { uuid, quote_number: 1 },
      net_amount: 6000.01,
      lines: [
        { description: 'Snekkerarbeid', invoiced_quantity: 10, unit: 'HUR', net_unit_amount: 500 },
        { description: 'Frakt', invoiced_quantity: 1, unit: 'EA', net_unit_amount: 1000.01 },
      ],
    });
    expect(await read(uuid)).toMatchObject({
      state: 'INVOICED',
      invoiced_net: 6000.01,
      left_net: 0,
      invoices: [{ uuid: draft.uuid, invoice_number: null, status: 'DRAFT', net_amount: 6000.01 }],
      lines: [{ net_left: 0 }, { net_left: 0 }],
    });
    const [event] = (await client.get(`/api/quotes/${uuid}/history/`)).body;
    expect(event).toMatchObject({
      kind: 'INVOICED',
      by: { type: 'ACCOUNT' },
      details: { invoice_uuid: draft.uuid, net_amount: 6000.01 },
    });
    const again = await invoice(uuid);
    expect([again.status, again.body.detail]).toEqual([
      409,
      [{ message: 'The quote is INVOICED' }],
    ]);
  });

  // QUO-51, QUO-52
  test('of parts says what each is of, and the last one takes the øre that are left', async () => {
    const { uuid, ids } = await accepted();
    const [hours, freight] = ids;
    const deposit = await invoiced(uuid, { percent: 33.33, due_days: 5, delivery_type: 'NONE' });
    expect(deposit).toMatchObject({
      due_days: 5,
      delivery_type: 'NONE',
      lines: [
        {
          description: 'Snekkerarbeid (33,33 % av tilbud 1)',
          invoiced_quantity: 1,
          net_unit_amount: 1666.5,
        },
        {
          description: 'Frakt (33,33 % av tilbud 1)',
          invoiced_quantity: 1,
          net_unit_amount: 333.3,
        },
      ],
    });
    const lines = [{ id: hours, quantity: 3 }, { id: freight }];
    expect(await invoiced(uuid, { lines })).toMatchObject({
      lines: [
        { description: 'Snekkerarbeid (3 av 10 timer, tilbud 1)', net_unit_amount: 1500 },
        { description: 'Frakt (rest av tilbud 1)', net_unit_amount: 666.71 },
      ],
    });
    expect(await read(uuid)).toMatchObject({
      state: 'PARTLY_INVOICED',
      left_net: 1833.5,
      lines: [{ net_left: 1833.5 }, { net_left: 0 }],
    });
    expect(await invoiced(uuid)).toMatchObject({
      lines: [{ description: 'Snekkerarbeid (rest av tilbud 1)', net_unit_amount: 1833.5 }],
    });
  });

  // QUO-50
  test('refuses what cannot be', async () => {
    const { uuid, ids } = await accepted();
    const [id] = ids;
    for (const body of [
      { percent: 0 },
      { percent: 100.01 },
      { percent: 33.333 },
      { percent: '10' },
      { percent: 10, lines: [{ id }] },
      { lines: [] },
      { lines: [{ id }, { id }] },
      { lines: [{ id: 1 }] },
      { lines: [{ id, quantity: 1, percent: 10 }] },
      { lines: [{ id, quantity: 0 }] },
      { lines: [{ id, quantity: 0.0001 }] },
      { due_days: 0 },
      { issue_date: '2026-02-30' },
    ]) {
      expect({ body, status: (await invoice(uuid, body)).status }).toEqual({ body, status: 400 });
    }
    const above = await invoice(uuid, { lines: [{ id, quantity: 10.001 }] });
    expect([above.status, above.body.detail]).toEqual([
      409,
      [{ message: 'Less is left of «Snekkerarbeid»' }],
    ]);
    await invoiced(uuid, { lines: [{ id, percent: 60 }] });
    expect((await invoice(uuid, { percent: 40.01 })).status).toBe(409);
    expect(await read(uuid)).toMatchObject({ invoiced_net: 3000 });
    expect((await invoice('00000000-0000-4000-8000-000000000000')).status).toBe(404);
    const draft = await addQuote(client, customer);
    const tooEarly = await invoice(draft.uuid);
    expect([tooEarly.status, tooEarly.body.detail]).toEqual([
      409,
      [{ message: 'The quote is DRAFT' }],
    ]);
  });

  // QUO-50
  test('takes whole quantities of a line without a unit', async () => {
    const { uuid, ids } = await accepted();
    await sql`ALTER TABLE quote_line DISABLE TRIGGER USER`.execute(testApp.context.db);
    await sql`UPDATE quote_line SET unit = NULL WHERE id = ${ids[0]}`.execute(testApp.context.db);
    await sql`ALTER TABLE quote_line ENABLE TRIGGER USER`.execute(testApp.context.db);
    expect((await invoice(uuid, { lines: [{ id: ids[0], quantity: 0.5 }] })).status).toBe(400);
    const { lines } = await invoiced(uuid, { lines: [{ id: ids[0], quantity: 2 }] });
    expect(lines[0].description).toBe('Snekkerarbeid (2 av 10, tilbud 1)');
  });
});

describe('what was taken', () => {
  // QUO-53
  test('comes back with a deleted draft and a cancelled invoice, not with a credit of a part', async () => {
    const { uuid } = await accepted();
    const draft = await invoiced(uuid, { percent: 50 });
    const change = { ...formOf(draft), invoice_lines: [line('Noe annet', 1, 25)] };
    expect((await client.put(`/api/invoices/${draft.uuid}/`, change)).status).toBe(200);
    expect(await read(uuid)).toMatchObject({ state: 'PARTLY_INVOICED', invoiced_net: 3000.01 });
    expect(await listed('TO_INVOICE')).toEqual([uuid]);
    expect(await listed('PARTLY_INVOICED')).toEqual([uuid]);
    expect((await client.delete(`/api/invoices/${draft.uuid}/`)).status).toBe(204);
    expect(await read(uuid)).toMatchObject({ state: 'ACCEPTED', invoiced_net: 0, invoices: [] });
    expect(await listed('TO_INVOICE')).toEqual([uuid]);
    expect(await listed('PARTLY_INVOICED')).toEqual([]);

    const whole = await invoiced(uuid);
    await register(client, whole.uuid);
    const { lines } = (await client.get(`/api/invoices/${whole.uuid}/`)).body;
    const part = { lines: [{ id: lines[0].id, quantity: 4 }] };
    expect((await client.post(`/api/invoices/${whole.uuid}/credit/`, part)).status).toBe(201);
    expect(await read(uuid)).toMatchObject({ state: 'INVOICED', left_net: 0 });
    expect(await listed('TO_INVOICE')).toEqual([]);
    expect(await listed('INVOICED')).toEqual([uuid]);
    expect((await client.post(`/api/invoices/${whole.uuid}/credit/`, {})).status).toBe(201);
    expect(await read(uuid)).toMatchObject({
      state: 'ACCEPTED',
      left_net: 6000.01,
      invoices: [{ uuid: whole.uuid, status: 'CANCELLED' }],
    });
    expect(await invoiced(uuid)).toMatchObject({ net_amount: 6000.01 });
  });

  // QUO-52, QUO-53, QUO-54
  test('adds up to the øre, in any order, in the quote, its lines and the list', async () => {
    const wish = fc.oneof(
      fc.record({
        percent: fc.integer({ min: 1, max: 6000 }).map((hundredths) => hundredths / 100),
      }),
      fc.record({
        lines: fc.uniqueArray(
          fc.record({ place: fc.nat(2), quantity: fc.integer({ min: 1, max: 3000 }) }),
          {
            selector: ({ place }) => place,
            minLength: 1,
          },
        ),
      }),
      fc.constant({}),
    );
    const steps = fc.array(
      fc.oneof(
        { weight: 3, arbitrary: wish.map((take) => ({ take })) },
        fc.record({ back: fc.nat(5), isRegistered: fc.boolean() }),
      ),
      { minLength: 3, maxLength: 9 },
    );
    const prices = fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: 1, max: 99_999 })));
    await fc.assert(
      fc.asyncProperty(prices, steps, async (ore, actions) => {
        const company = await testApp.login();
        client = company;
        await completeProfile(client);
        customer = await createCustomer(client);
        const lines = ore.map((price, place) => ({
          ...line(`Linje ${place}`, price / 100, 25, 3),
          unit: 'HUR',
        }));
        const { uuid, ids } = await accepted(lines);
        const kept: string[] = [];
        for (const action of actions) {
          if ('take' in action) {
            const body =
              'lines' in action.take
                ? {
                    lines: action.take.lines.map(({ place, quantity }) => ({
                      id: ids[place],
                      quantity: quantity / 1000,
                    })),
                  }
                : action.take;
            kept.push(...(await invoicedIfLeft(uuid, body)));
          } else {
            const [given] = kept.splice(action.back % Math.max(1, kept.length), 1);
            if (given && action.isRegistered) await register(client, given);
            if (given) await client.delete(`/api/invoices/${given}/`);
          }
          await expectAgreement(uuid, kept);
        }
        kept.push(...(await invoicedIfLeft(uuid)));
        await expectAgreement(uuid, kept);
        expect(await read(uuid)).toMatchObject({ state: 'INVOICED', left_net: 0 });
      }),
      { numRuns: RUNS },
    );
  });

  /** The invoice that was made; none when more was asked for than is left. */
  async function invoicedIfLeft(uuid: string, body: object = {}): Promise<string[]> {
    const answer = await invoice(uuid, body);
    if (answer.status === 409) return [];
    if (answer.status !== 201) throw new Error(answer.text);
    return [answer.body.uuid];
  }

  async function expectAgreement(uuid: string, kept: readonly string[]): Promise<void> {
    const quote = await read(uuid);
    const nets: number[] = [];
    for (const one of kept) nets.push((await client.get(`/api/invoices/${one}/`)).body.net_amount);
    expect(quote.invoiced_net).toBe(sumKroner(nets));
    expect(quote.left_net).toBe(differenceKroner(quote.net_amount, quote.invoiced_net));
    const left = quote.lines.map((one: { net_left: number }) => one.net_left);
    expect(sumKroner(left)).toBe(quote.left_net);
    const { summary, results } = (await client.get('/api/quotes/')).body;
    expect(summary.to_invoice).toBe(quote.left_net);
    expect(results).toEqual([quote]);
  }

  // QUO-54
  test('is never more than there is, also by two at once', async () => {
    const { uuid, ids } = await accepted();
    const answers = await Promise.all([
      invoice(uuid, { percent: 60 }),
      invoice(uuid, { lines: [{ id: ids[0], quantity: 5 }] }),
      invoice(uuid, { percent: 60 }),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
    const draft = answers.find(({ status }) => status === 201)?.body;
    expect(await read(uuid)).toMatchObject({ invoiced_net: draft.net_amount });
  });

  // QUO-54
  test('is refused by the database beyond a line, and never changes', async () => {
    const { uuid } = await accepted();
    await invoiced(uuid, { percent: 60 });
    const { db } = testApp.context;
    const add = (share: number, net: number) =>
      sql`INSERT INTO quote_part (company_id, quote_id, line_id, invoice_id, share, net)
        SELECT part.company_id, quote_id, line_id, (SELECT min(id) FROM invoice other
          WHERE other.company_id = part.company_id AND other.id <> part.invoice_id), ${share}, ${net}
        FROM quote_part part JOIN quote ON quote.company_id = part.company_id AND quote.id = part.quote_id
        WHERE quote.uuid = ${uuid} ORDER BY part.id LIMIT 1`.execute(db);
    await invoiceOfNothing();
    await expect(add(40_000_001, 2000_00)).rejects.toThrow('no more is taken of a quote');
    await expect(add(40_000_000, 1999_99)).rejects.toThrow('no more is taken of a quote');
    await expect(add(1, 2000_01)).rejects.toThrow('no more is taken of a quote');
    await expect(add(40_000_000, 2000_00)).resolves.toBeDefined();
    for (const change of [sql`UPDATE quote_part SET net = 0`, sql`DELETE FROM quote_part`]) {
      await expect(change.execute(db)).rejects.toThrow('a part of a quote never changes');
    }
  });

  async function invoiceOfNothing(): Promise<void> {
    const other = await accepted([HOURS]);
    await invoiced(other.uuid);
  }
});

function formOf(draft: Awaited<ReturnType<typeof invoiced>>) {
  const { customer_number, delivery_type, issue_date, due_days, version } = draft;
  return { customer_number, delivery_type, issue_date, due_days, version };
}

async function hintsOf(uuid: string): Promise<string[]> {
  const { hints } = (await client.get(`/api/invoices/${uuid}/`)).body;
  return (hints as { code: string }[]).map(({ code }) => code);
}

describe('hints on the draft (QUO-58)', () => {
  async function changed(draft: Awaited<ReturnType<typeof invoiced>>, changes: object) {
    const answer = await client.put(`/api/invoices/${draft.uuid}/`, {
      ...formOf(draft),
      ...changes,
    });
    expect(answer.status).toBe(200);
    return answer.body.hints.map(({ code }: { code: string }) => code);
  }

  /** The hints of a draft as our screens show them. */
  async function wordsOf(uuid: string): Promise<string[]> {
    const headers = { 'accept-language': 'nb' };
    const answer = await client.send({ method: 'GET', url: `/api/invoices/${uuid}/`, headers });
    return answer.body.hints.map(({ message }: { message: string }) => message);
  }

  test('an estimate to a private customer is exceeded by more than 15 %', async () => {
    customer = await createCustomer(client, { is_private: true, org_number: null });
    const { uuid } = await accepted([{ ...line('Maling', 1000, 25), unit: 'EA' }], {
      price_kind: 'ESTIMATE',
    });
    const first = await invoiced(uuid, { percent: 40 });
    const second = await invoiced(uuid);
    const priced = (price: number) => ({
      invoice_lines: [{ ...line('Maling', price, 25), unit: 'EA' }],
    });
    expect(await changed(second, priced(750))).toEqual([]);
    expect(await changed({ ...second, version: 2 }, priced(750.01))).toEqual(['ESTIMATE_EXCEEDED']);
    expect(await hintsOf(first.uuid)).toEqual(['ESTIMATE_EXCEEDED']);
    expect(await wordsOf(first.uuid)).toEqual([
      'Fakturaene av tilbudet er mer enn 15 prosent over prisoverslaget (håndverkertjenesteloven § 32)',
    ]);
    const { body } = await client.post('/api/invoices/queue/?dry_run=true');
    expect(body.hinted).toBe(2);
    await client.delete(`/api/invoices/${first.uuid}/`);
    expect(await hintsOf(second.uuid)).toEqual([]);
  });

  test.each([
    ['FIXED', true],
    ['ESTIMATE', false],
  ])('%s to a private customer: %s', async (priceKind, isPrivate) => {
    customer = await createCustomer(client, { is_private: isPrivate, org_number: null });
    const { uuid } = await accepted([FREIGHT], { price_kind: priceKind });
    const draft = await invoiced(uuid);
    const lines = { invoice_lines: [{ ...line('Frakt', 5000, 25), unit: 'EA' }] };
    expect(await changed(draft, lines)).toEqual([]);
  });

  test('VAT is charged before the delivery', async () => {
    const { uuid } = await accepted([FREIGHT]);
    const draft = await invoiced(uuid);
    const later = { delivery_date: addDays(TODAY, 1) };
    const lines = (rate: 0 | 25) => ({
      invoice_lines: [{ ...line('Frakt', 1000, rate), unit: 'EA' }],
    });
    expect(await changed(draft, { ...later, ...lines(25) })).toEqual(['VAT_BEFORE_DELIVERY']);
    expect(await wordsOf(draft.uuid)).toEqual([
      'Faktura med mva kan først sendes når varen eller tjenesten er levert (merverdiavgiftsloven § 15-10)',
    ]);
    expect(await changed({ ...draft, version: 2 }, { ...later, ...lines(0) })).toEqual([]);
  });
});
