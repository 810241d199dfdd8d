import { setTimeout as sleep } from 'node:timers/promises';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { DeliveryStatus, StoppedBy } from '../../domain/delivery/delivery.schema.ts';
import { startTestApp, STAFF_EMAIL, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  register,
} from '../testing/factories.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { judge, UNTRIED } from './delivery-order.service.ts';

const TROUBLES = ['none', 'greylisted', 'hung up on', 'answer lost', 'refused'] as const;
type Trouble = (typeof TROUBLES)[number];

type Step = 'pay' | 'unpay' | 'cancel';
const STEPS: readonly (readonly Step[])[] = [
  [],
  ['pay'],
  ['cancel'],
  ['pay', 'unpay'],
  ['pay', 'unpay', 'cancel'],
  ['unpay'],
  ['unpay', 'cancel'],
];

/** When staff sends: as soon as it is registered, before or after the mail server is well, at last. */
type Sending = 'at once' | 'in trouble' | 'when mended' | 'at last';

/** One order of events: registered, `before`, the mail server mended, `after`. */
interface Order {
  readonly trouble: Trouble;
  readonly before: readonly Step[];
  readonly after: readonly Step[];
}

const ORDERS: readonly Order[] = TROUBLES.flatMap((trouble) =>
  STEPS.flatMap((before) => STEPS.map((after) => ({ trouble, before, after }))),
).filter(({ before, after }) => isPossible([...before, ...after]));

/** The orders to play with these troubles, each kind once. */
function ordersFor(troublesTried: readonly Trouble[], sending: Sending | null): readonly Order[] {
  return ORDERS.filter(
    (order) => troublesTried.includes(order.trouble) && isOfItsOwn(order, sending),
  );
}

/** Whether another order does not play the same. */
function isOfItsOwn({ trouble, before, after }: Order, sending: Sending | null): boolean {
  // Only a credit note waits for the click besides.
  if (sending === 'at once') return [...before, ...after].includes('cancel');
  // Nothing is mended: it matters only what comes before the sending.
  if (trouble === 'none') return sending === 'when mended' || before.length === 0;
  // It has failed before the first step.
  if (trouble === 'refused') return before.length === 0 || after.length === 0;
  // It waits as what is greylisted does, and is sent as that is.
  if (trouble === 'hung up on') return after.length === 0;
  return true;
}

/** Whether the steps can follow each other. Paying twice is as paying once. */
function isPossible(steps: readonly Step[]): boolean {
  return steps.every((step, index) => {
    const last = steps[index - 1];
    if (step === 'pay' && steps.indexOf('pay') < index) return false;
    return step === 'unpay' ? last === 'pay' : last !== 'pay' && last !== 'cancel';
  });
}

type Fate = 'PENDING' | 'QUEUED' | 'MAYBE' | 'SENT' | 'FAILED' | StoppedBy;

/** The expected course of an invoice and its credit note, worked out without the product. */
class Model {
  readonly #isAuto: boolean;
  trouble: Trouble;
  status: 'REGISTERED' | 'PAID' | 'CANCELLED' = 'REGISTERED';
  invoice: Fate = 'PENDING';
  note: Fate | null = null;
  /** Whether the buyer may have the invoice. */
  arrived = false;
  /** The documents that arrive, each once. */
  readonly mails: ('Faktura' | 'Kreditnota')[] = [];

  constructor(trouble: Trouble, isAuto: boolean) {
    this.trouble = trouble;
    this.#isAuto = isAuto;
    if (isAuto) this.send();
  }

  take(step: Step): void {
    if (step === 'pay') this.status = 'PAID';
    if (step === 'unpay') this.status = 'REGISTERED';
    if (step === 'cancel') {
      this.status = 'CANCELLED';
      this.note = 'PENDING';
      if (this.invoice === 'PENDING' || this.invoice === 'QUEUED') this.invoice = 'CANCELLED';
      if (!this.arrived) this.note = 'CANCELLED';
      if (this.#isAuto) this.send();
    }
    this.run();
  }

  mend(): void {
    this.trouble = 'none';
    this.run();
  }

  send(): void {
    if (this.invoice === 'PENDING') this.invoice = 'QUEUED';
    if (this.note === 'PENDING') this.note = 'QUEUED';
    this.run();
  }

  run(): void {
    if (this.invoice === 'QUEUED' || this.invoice === 'MAYBE') {
      this.invoice = this.status === 'PAID' ? 'PAID' : this.#mail('Faktura', this.invoice);
    }
    const isSettled = this.invoice !== 'QUEUED' && this.invoice !== 'MAYBE';
    if (isSettled && (this.note === 'QUEUED' || this.note === 'MAYBE')) {
      this.note = this.#mail('Kreditnota', this.note);
    }
  }

  #mail(what: 'Faktura' | 'Kreditnota', fate: 'QUEUED' | 'MAYBE'): Fate {
    const { trouble } = this;
    if (trouble === 'refused') return 'FAILED';
    if (trouble === 'none' || trouble === 'answer lost') {
      if (!this.mails.includes(what)) this.mails.push(what);
      if (what === 'Faktura') this.arrived = true;
      return trouble === 'none' ? 'SENT' : 'MAYBE';
    }
    return fate;
  }
}

let smtp: MailServer;
const troubles = new Map<string, Trouble>();
let addresses = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  const has = (trouble: Trouble) => (address: string) => troubles.get(address) === trouble;
  smtp.faults.refuseRecipient = (address) => {
    if (has('greylisted')(address)) return { code: 451, text: '4.7.1 Greylisted' };
    return has('refused')(address) ? { code: 550, text: '5.1.1 No such user' } : null;
  };
  smtp.faults.hangUpOn = has('hung up on');
  smtp.faults.loseAnswerTo = has('answer lost');
});
afterAll(async () => smtp.close());

async function openCompany(settings: NodeJS.ProcessEnv) {
  const testApp = await startTestApp({
    SMTP_URL: smtp.url,
    SMTP_TIMEOUT_SECONDS: '5',
    ...settings,
  });
  const client = await testApp.login();
  await completeProfile(client);
  const staff = await testApp.login(STAFF_EMAIL);
  return { testApp, client, staff };
}

type Company = Awaited<ReturnType<typeof openCompany>>;

/** Registers an invoice to a new customer. */
async function sendInvoice(client: TestClient, trouble: Trouble = 'none') {
  const email = `kunde${++addresses}@example.no`;
  troubles.set(email, trouble);
  const customerNumber = await createCustomer(client, { email });
  const uuid = await createDraft(client, customerNumber, { delivery_type: 'EMAIL' });
  const number = await register(client, uuid);
  return { email, customerNumber, uuid, number };
}

async function invoiceOf(client: TestClient, uuid: string) {
  return (await client.get(`/api/invoices/${uuid}/`)).body as ShownInvoice;
}

interface ShownInvoice {
  uuid: string;
  delivery_status: DeliveryStatus;
  deliveries: {
    status: DeliveryStatus;
    recipient: string;
    stopped_by: StoppedBy | null;
    failure_reason: string | null;
  }[];
  credit_note: { uuid: string; invoice_number: number } | null;
}

/** The mails that arrived at an address, each once, in order. */
function arrivalsAt(email: string): string[] {
  const ids = new Map<string, string>();
  for (const { to, messageId, subject } of smtp.mails) {
    if (to.includes(email) && !ids.has(messageId)) {
      ids.set(messageId, subject.split(' ')[0] ?? '');
    }
  }
  return [...ids.values()];
}

/** An order that is played through, and what should come of it. */
interface Play {
  readonly order: Order;
  readonly model: Model;
  readonly email: string;
  readonly uuid: string;
}

/** The state of every invoice, read from the database because a hundred wait at once. */
async function fatesOf({ context }: TestApp): Promise<Map<string, Fate | 'UNDER WAY'>> {
  const { rows } = await sql<FateRow>`
    SELECT DISTINCT ON (invoice.id) invoice.uuid, invoice.delivery_status, delivery.stopped_by,
      delivery.may_have_arrived,
      delivery.status = 'QUEUED' AND delivery.leased_until IS NOT NULL AS is_leased
    FROM invoice LEFT JOIN delivery ON delivery.invoice_id = invoice.id
    ORDER BY invoice.id, delivery.id DESC`.execute(context.db);
  return new Map(rows.map((row) => [row.uuid, fateIn(row)]));
}

interface FateRow {
  uuid: string;
  deliveryStatus: DeliveryStatus;
  stoppedBy: StoppedBy | null;
  mayHaveArrived: boolean | null;
  isLeased: boolean | null;
}

function fateIn(row: FateRow): Fate | 'UNDER WAY' {
  if (row.isLeased) return 'UNDER WAY';
  if (row.deliveryStatus === 'QUEUED') return row.mayHaveArrived ? 'MAYBE' : 'QUEUED';
  return row.stoppedBy ?? row.deliveryStatus;
}

/** Milliseconds between two looks at a hundred invoices, whose retries come a second apart. */
const LOOK = 250;

/** Waits until every invoice was seen where it should be; tries of some go on meanwhile. */
async function untilAsModelled(testApp: TestApp, plays: readonly Play[]): Promise<void> {
  let waiting = plays;
  await until(
    async () => {
      // Only those: what is refused for now is given up after some tries, however long others take.
      await hurryRetries(
        testApp,
        waiting.map(({ uuid }) => uuid),
      );
      const fates = await fatesOf(testApp);
      waiting = waiting.filter(({ uuid, model }) => fates.get(uuid) !== model.invoice);
      return waiting.map(({ order, uuid, model }) => ({
        order,
        is: fates.get(uuid),
        not: model.invoice,
      }));
    },
    (differing) => differing.length === 0,
    // Each lost answer is waited for, and there are dozens beside all that other tests send.
    600_000,
    LOOK,
  );
}

/** Tries again in a second, instead of ever later: sooner, and what is refused for now would be given up at once. */
async function hurryRetries({ context }: TestApp, uuids: readonly string[]): Promise<void> {
  await sql`
    UPDATE jobs.job SET start_after = now() + interval '1 second'
    WHERE state = 'retry' AND start_after > now() + interval '1 second'
      AND (data ->> 'deliveryId')::bigint IN (
        SELECT delivery.id FROM delivery JOIN invoice ON invoice.id = delivery.invoice_id
        WHERE invoice.uuid = ANY (${uuids}))`.execute(context.db);
}

async function take({ client }: Company, { uuid, model }: Play, step: Step): Promise<void> {
  const answer =
    step === 'cancel'
      ? await client.delete(`/api/invoices/${uuid}/`)
      : await client.post(`/api/invoices/${uuid}/update/`, {
          status: step === 'pay' ? 'PAID' : 'REGISTERED',
        });
  expect(answer.status).toBe(step === 'cancel' ? 204 : 200);
  model.take(step);
}

function chunksOf<T>(size: number, items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Plays every order, all of them side by side, and says where what came of one is not as modelled. */
async function expectAsModelled(
  company: Company,
  sending: Sending | null,
  troublesTried: readonly Trouble[],
): Promise<void> {
  const { testApp, client, staff } = company;
  const plays: Play[] = [];
  // A few at a time, as one company may have.
  for (const some of chunksOf(4, ordersFor(troublesTried, sending))) {
    const played = some.map(async (order): Promise<Play> => {
      const { email, uuid } = await sendInvoice(client, order.trouble);
      return { order, email, uuid, model: new Model(order.trouble, sending === null) };
    });
    plays.push(...(await Promise.all(played)));
  }
  const sendIf = async (isNow: boolean) => {
    if (isNow) {
      await staff.post('/api/invoices/send/');
      for (const { model } of plays) model.send();
    }
    await untilAsModelled(testApp, plays);
  };
  const takeSteps = async (which: 'before' | 'after') => {
    for (const index of [0, 1, 2]) {
      for (const play of plays) {
        const step = play.order[which][index];
        if (step) await take(company, play, step);
      }
      await untilAsModelled(testApp, plays);
    }
  };
  await sendIf(sending === 'at once');
  await takeSteps('before');
  await sendIf(sending === 'in trouble');
  for (const { email, model } of plays) {
    troubles.delete(email);
    model.mend();
  }
  await sendIf(sending === 'when mended');
  await takeSteps('after');
  await sendIf(sending === 'at last');
  // The last click takes what was cancelled since the one before it, and nothing twice.
  await sendIf(sending !== null);
  for (const play of plays) await expectEnd(company, play);
}

async function expectEnd(
  { testApp, client }: Company,
  { order, uuid, email, model }: Play,
): Promise<void> {
  const settled = async (id: string) =>
    until(
      async () => {
        await hurryRetries(testApp, [id]);
        return invoiceOf(client, id);
      },
      ({ delivery_status: status }) => status === 'SENT' || status === 'FAILED',
    );
  const invoice = await settled(uuid);
  const note = invoice.credit_note && (await settled(invoice.credit_note.uuid));
  expect({
    order,
    mails: arrivalsAt(email),
    invoice: lastOf(invoice),
    note: note && lastOf(note),
  }).toEqual({
    order,
    mails: model.mails,
    invoice: endOf(model.invoice, model.arrived),
    note: model.note && endOf(model.note, false),
  });
}

function lastOf({ deliveries }: ShownInvoice) {
  const last = deliveries.at(-1);
  return { status: last?.status, reason: last?.failure_reason };
}

/** @param arrived whether it may have been mailed before it was stopped */
function endOf(fate: Fate, arrived: boolean) {
  if (fate === 'CANCELLED' || fate === 'PAID') {
    const why = fate === 'PAID' ? 'betalt' : 'kreditert';
    return {
      status: 'FAILED',
      reason: arrived
        ? `Ikke sendt på nytt: ${why} før vi fikk vite om den kom fram`
        : `Ikke sendt: ${why} før utsending`,
    };
  }
  return { status: fate, reason: fate === 'FAILED' ? expect.stringContaining('550') : null };
}

// DEL-5
describe('in every order of registering, sending, paying, cancelling and trouble', () => {
  it('only what is to be demanded is mailed, and a credit note after its invoice, by itself', async () => {
    const company = await openCompany({});
    try {
      await expectAsModelled(company, null, TROUBLES);
    } finally {
      await company.testApp.close();
    }
    // It waits for dozens of lost answers, one after the other.
  }, 900_000);

  // The test above plays all troubles of a sending at once; here credit notes wait for a click besides.
  it.each([
    ['at once', ['greylisted']],
    ['in trouble', ['answer lost']],
    // Nothing was sent before, so what the mail server did then does not matter.
    ['when mended', ['none']],
    ['at last', ['none']],
  ] as const)('and so when staff sends %s', async (sending, troublesTried) => {
    const company = await openCompany({ DISPATCH: 'staff' });
    try {
      await expectAsModelled(company, sending, troublesTried);
    } finally {
      await company.testApp.close();
    }
  });
});

it('a credit note of an invoice that still applies goes without it, or after it (CRE-14)', () => {
  const note = { status: 'REGISTERED', creditsInvoiceId: 1 } as const;
  const underWay = {
    invoiceId: 1,
    isUnderWay: true,
    deliveryType: 'EMAIL',
    recipient: 'kari@example.no',
    copies: [],
    isUnconfirmed: false,
  } as const;
  for (const creditedStatus of ['REGISTERED', 'PAID'] as const) {
    expect(judge({ ...note, creditedStatus }, undefined, UNTRIED)).toBe('SEND');
    expect(judge({ ...note, creditedStatus }, underWay, UNTRIED)).toBe('WAIT');
  }
  expect(judge({ ...note, creditedStatus: 'CANCELLED' }, undefined, UNTRIED)).toBe('CANCELLED');
});

describe('staff sending', () => {
  // DEL-2, DEL-3
  it('sends in the order of numbers, whatever the order of drafts', async () => {
    const { testApp, client, staff } = await openCompany({ DISPATCH: 'staff' });
    try {
      const customer = await createCustomer(client);
      const drafts: string[] = [];
      for (let index = 0; index < 4; index += 1) {
        drafts.push(await createDraft(client, customer, { delivery_type: 'EMAIL' }));
      }
      for (const uuid of drafts.toReversed()) await register(client, uuid);
      expect(await invoiceOf(client, drafts[0] ?? '')).toMatchObject({
        delivery_status: 'PENDING',
        deliveries: [],
      });
      await staff.post('/api/invoices/send/');
      await until(
        async () => Promise.all(drafts.map(async (uuid) => invoiceOf(client, uuid))),
        (invoices) => invoices.every((invoice) => invoice.delivery_status === 'SENT'),
      );
      const rows = await testApp.context.db
        .selectFrom('delivery')
        .innerJoin('invoice', 'invoice.id', 'delivery.invoiceId')
        .select('invoice.invoiceNumber')
        .orderBy('delivery.id')
        .execute();
      expect(rows.map(({ invoiceNumber }) => invoiceNumber)).toEqual([1, 2, 3, 4]);
    } finally {
      await testApp.close();
    }
  });
});

describe('cancelling while it is mailed', () => {
  it('leaves nobody with an invoice and no credit note, nor with the note first', async () => {
    const company = await openCompany({});
    const { testApp, client } = company;
    try {
      const invoices = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const invoice = await sendInvoice(client);
          await sleep(index * 20);
          // 503 when the calls before it hold the company for too long: try again.
          const { status } = await until(
            async () => client.delete(`/api/invoices/${invoice.uuid}/`),
            (answer) => answer.status !== 503,
          );
          expect(status).toBe(204);
          return invoice;
        }),
      );
      for (const { uuid, email } of invoices) {
        const { credit_note: note } = await invoiceOf(client, uuid);
        for (const id of [uuid, note?.uuid ?? '']) {
          await until(
            async () => invoiceOf(client, id),
            ({ delivery_status: status }) => status === 'SENT' || status === 'FAILED',
          );
        }
        expect([[], ['Faktura', 'Kreditnota']]).toContainEqual(arrivalsAt(email));
      }
    } finally {
      await testApp.close();
    }
  });
});

describe('by hand', () => {
  let company: Company;
  beforeAll(async () => {
    company = await openCompany({});
  });
  afterAll(async () => company.testApp.close());

  async function untilStatus(uuid: string, status: string) {
    return until(
      async () => {
        await hurryRetries(company.testApp, [uuid]);
        return invoiceOf(company.client, uuid);
      },
      (invoice) => invoice.delivery_status === status,
    );
  }

  async function moveCustomer(customerNumber: number, email: string): Promise<void> {
    const url = `/api/customers/${customerNumber}/update/`;
    expect((await company.client.put(url, { ...CUSTOMER, email })).status).toBe(200);
  }

  // DEL-5
  it('a credit note goes that was not sent, and its cancelled invoice does not', async () => {
    const { client } = company;
    const { uuid, email, customerNumber } = await sendInvoice(client, 'greylisted');
    await untilStatus(uuid, 'QUEUED');
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = await untilStatus(uuid, 'FAILED');
    await untilStatus(note?.uuid ?? '', 'FAILED');

    const refusal = await client.post(`/api/invoices/${uuid}/resend/`);
    expect(refusal.status).toBe(409);
    expect(refusal.body.detail[0].message).toBe('A cancelled invoice is not sent again');
    await moveCustomer(customerNumber, `ny.${email}`);
    expect((await client.post(`/api/invoices/${note?.uuid}/resend/`)).status).toBe(200);
    await untilStatus(note?.uuid ?? '', 'SENT');
    expect(arrivalsAt(`ny.${email}`)).toEqual(['Kreditnota']);
    expect(arrivalsAt(email)).toEqual([]);
  });

  // DEL-5
  it('a paid invoice goes, but not one that was paid after it was asked for', async () => {
    const { client } = company;
    const { uuid, email } = await sendInvoice(client, 'greylisted');
    // A dispatch passes by what is being paid at that moment; housekeeping finds it minutes later.
    await untilStatus(uuid, 'QUEUED');
    await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
    await untilStatus(uuid, 'FAILED');
    troubles.delete(email);
    expect((await client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
    await untilStatus(uuid, 'SENT');
    expect(arrivalsAt(email)).toEqual(['Faktura']);

    const other = await sendInvoice(client, 'refused');
    await untilStatus(other.uuid, 'FAILED');
    troubles.set(other.email, 'greylisted');
    await client.post(`/api/invoices/${other.uuid}/resend/`);
    await client.post(`/api/invoices/${other.uuid}/update/`, { status: 'PAID' });
    await untilStatus(other.uuid, 'FAILED');
    expect(arrivalsAt(other.email)).toEqual([]);
  });

  // INV-28
  it('and by itself, a credit note goes where its invoice arrived', async () => {
    const { client } = company;
    const { uuid, email, customerNumber } = await sendInvoice(client, 'refused');
    await untilStatus(uuid, 'FAILED');
    await moveCustomer(customerNumber, `rettet.${email}`);
    await client.post(`/api/invoices/${uuid}/resend/`);
    await untilStatus(uuid, 'SENT');
    await moveCustomer(customerNumber, `flyttet.${email}`);
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = await invoiceOf(client, uuid);
    await untilStatus(note?.uuid ?? '', 'SENT');
    expect(arrivalsAt(`rettet.${email}`)).toEqual(['Faktura', 'Kreditnota']);
  });

  it('a credit note that was refused there goes to the address of today', async () => {
    const { client } = company;
    const { uuid, email, customerNumber } = await sendInvoice(client);
    await untilStatus(uuid, 'SENT');
    troubles.set(email, 'refused');
    await client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = await invoiceOf(client, uuid);
    await untilStatus(note?.uuid ?? '', 'FAILED');
    await moveCustomer(customerNumber, `ny.${email}`);
    await client.post(`/api/invoices/${note?.uuid}/resend/`);
    await untilStatus(note?.uuid ?? '', 'SENT');
    expect(arrivalsAt(`ny.${email}`)).toEqual(['Kreditnota']);
  });
});
