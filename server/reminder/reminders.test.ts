import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { interestOn } from '../../domain/late-payment/interest.ts';
import { feeOn } from '../../domain/late-payment/rates.ts';
import { proposedDeadline } from '../../domain/late-payment/reminder-law.ts';
import { workingDayFrom } from '../../domain/late-payment/working-days.ts';
import { ore } from '../../domain/money.ts';
import { checkLedger } from '../document/ledger.service.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { addRates, findRates } from '../payment/late-payment.repository.ts';
import { paymentsAreRight } from '../payment/payment-check.repository.ts';
import { companyIdOf } from '../testing/company.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  LINES,
  PROFILE,
} from '../testing/factories.ts';
import { lateInvoice, registeredInTime } from '../testing/late-invoices.ts';
import { startEhfWorld, type EhfWorld } from '../testing/peppol/ehf-world.ts';
import type { FakePhossAp } from '../testing/peppol/fake-phoss-ap.ts';
import { readWithPoppler, removeFolder, temporaryFolder } from '../testing/poppler.ts';
import { readMail } from '../testing/mails.ts';
import { until, untilBlocked } from '../testing/until.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Wish } from './reminder-plan.service.ts';
import { remind as remindIn } from './reminder.service.ts';

const OWNER = 'eier@purring.example';
const FRIENDLY = { kind: 'REMINDER', fee: false, interest: false };
const NOTICE = { kind: 'NOTICE', fee: true, interest: true };
const GROSS = 173.46;

let world: EhfWorld<FakePhossAp>;
let companyId: number;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
  world = await startEhfWorld('phoss-ap', OWNER, {
    FEATURES: 'payments,reminders,credit',
    DEBT_COLLECTION_NOTICE: 'yes',
  });
  await addRatesToCome();
  companyId = await companyIdOf(world.testApp.context.db, OWNER);
});
afterAll(async () => {
  await world.close();
  removeFolder(folder);
});

/** Rates for years to come, so that the tests outlive the built-in ones. */
async function addRatesToCome(): Promise<void> {
  const years = Array.from({ length: 20 }, (_, index) => 2027 + index);
  const days = years.flatMap((year) => [`${year}-01-01`, `${year}-07-01`]);
  await addRates(
    world.testApp.context.db,
    days.flatMap((from) => [
      { kind: 'INTEREST' as const, from, value: 1200 },
      { kind: 'COMPENSATION' as const, from, value: 450_00 },
    ]),
  );
}

type LateInvoice = Awaited<ReturnType<typeof late>>;

let customers = 0;

/** A registered invoice of 173.46 due some days ago, to a customer with its own address. */
async function late(
  daysLate: number,
  {
    customer = {},
    draft = {},
  }: { readonly customer?: object; readonly draft?: { readonly delivery_type?: 'EHF' } } = {},
) {
  const email = `sen${++customers}@example.no`;
  const customerNumber = await createCustomer(world.client, { email, ...customer });
  const dueDate = addDays(todayInOslo(), -daysLate);
  const change = { invoice_lines: LINES, ...draft };
  const uuid = await lateInvoice(world.testApp.context.db, world.client, {
    customer: customerNumber,
    dueDate,
    change,
  });
  const { id, number } = await world.testApp.context.db
    .selectFrom('invoice')
    .select(['id', 'invoiceNumber as number'])
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  return { uuid, id, number, email, customerNumber, dueDate };
}

async function post(uuid: string, body: object = FRIENDLY, query = '') {
  return world.client.post(`/api/invoices/${uuid}/reminders/${query}`, body);
}

/** Makes three calls that have all read the next step before one of them has the company. */
async function atOnce<T>(call: () => Promise<T>): Promise<T> {
  const { db, directUrl } = world.testApp.context;
  // The embedded database does one call after the other.
  if (directUrl === null) return call();
  const calling = await db.transaction().execute(async (trx) => {
    await lockCompany(trx, companyId);
    const answers = call();
    await untilBlocked(db, 3);
    return { answers };
  });
  return calling.answers;
}

async function listed(uuid: string) {
  const { body } = await world.client.get(`/api/invoices/${uuid}/reminders/`);
  return body as unknown as { uuid: string; delivery_status: string; waived: boolean }[];
}

async function untilDelivered(uuid: string, status: string) {
  return until(
    async () => {
      await hurry();
      return listed(uuid);
    },
    (reminders) => reminders.at(-1)?.delivery_status === status,
  );
}

async function pdfAt(url: string) {
  const { cookieHeader: cookie } = world.client;
  return world.testApp.app.http.inject({ url, headers: { cookie } });
}

async function mailTo(email: string) {
  const mail = world.smtp.mails.find(({ to }) => to.includes(email));
  if (!mail) throw new Error(`${email} got no mail`);
  return readMail(mail);
}

/** Retries as soon as the queue polls. */
async function hurry(): Promise<void> {
  const { db } = world.testApp.context;
  await sql`UPDATE jobs.job SET start_after = now() WHERE state = 'retry'`.execute(db);
}

async function historyOf(uuid: string) {
  const { body } = await world.client.get(`/api/invoices/${uuid}/history/`);
  return body as unknown as { kind: string; details: Record<string, unknown> }[];
}

/** A reminder as it would have been made on an earlier day. */
/** @param isMailed whether its mail left on that day. Today it is stopped, and its fee waived, once its deadline has passed (REM-27). */
async function remindedOn(
  invoice: LateInvoice,
  today: string,
  wish: Partial<Wish> = {},
  isMailed = false,
) {
  const { context } = world.testApp;
  const whole = { kind: 'NOTICE', dueDate: null, fee: true, interest: false } as const;
  return context.db.transaction().execute(async (trx) => {
    const made = await remindIn(context, trx, SYSTEM, {
      companyId,
      invoiceId: invoice.id,
      step: null,
      wish: { ...whole, compensation: false, ...wish },
      today,
    });
    if (isMailed) {
      await sql`UPDATE delivery SET status = 'SENT', sent_time = ${today}::date
        WHERE company_id = ${companyId} AND invoice_id = ${invoice.id} AND status = 'QUEUED'`.execute(
        trx,
      );
    }
    return made;
  });
}

/**
 * Posts a notice whose mail is refused temporarily, and returns when it waits. The next try may be under way by then: it
 * would still get through if the mail server took it.
 */
async function noticeThatWaits({ uuid, email }: LateInvoice, wish = NOTICE): Promise<void> {
  world.smtp.faults.refuseRecipient = (address) =>
    address === email ? { code: 450, text: '4.2.0 Greylisted' } : null;
  expect((await post(uuid, wish)).status).toBe(201);
  await until(
    async () => (await world.client.get(`/api/invoices/${uuid}/reminders/`)).body.at(-1),
    ({ delivery }) => delivery.waiting_reason !== null,
  );
}

async function noticeThatIsStopped(invoice: LateInvoice): Promise<void> {
  await noticeThatWaits(invoice, { ...NOTICE, fee: false });
  await world.client.post(`/api/invoices/${invoice.uuid}/dispute/`, { disputed: true, note: '' });
  await untilDelivered(invoice.uuid, 'FAILED');
  world.smtp.faults.refuseRecipient = null;
}

describe('a reminder', () => {
  // REM-5, REM-6
  test('is tried first, then mailed with the invoice, and is in the history', async () => {
    const { uuid, email, number, dueDate } = await late(10);
    const today = todayInOslo();
    const tried = await post(uuid, FRIENDLY, '?dry_run=true');
    const expected = {
      kind: 'REMINDER',
      step: 1,
      date: today,
      due_date: proposedDeadline(today),
      principal: GROSS,
      fee: 0,
      interest: 0,
      compensation: 0,
      earlier: 0,
      amount: GROSS,
      waived: false,
      recipient: email,
    };
    expect(tried.status).toBe(200);
    expect(tried.body).toEqual({
      ...expected,
      uuid: null,
      delivery: null,
      delivery_status: null,
      mail: {
        subject: `Påminnelse om faktura ${number} fra Snekker Andersen AS`,
        text: expect.stringContaining('Slikt er lett å overse'),
      },
      proposed: {
        ...FRIENDLY,
        kinds: ['REMINDER', 'NOTICE', 'DEBT_COLLECTION_NOTICE'],
        fee_from: addDays(workingDayFrom(dueDate), 14),
        may_have_fee: false,
        reminded_today: false,
      },
    });
    expect(await listed(uuid)).toEqual([]);

    const made = await post(uuid);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      ...expected,
      uuid: expect.any(String),
      delivery: expect.objectContaining({ delivery_type: 'EMAIL', recipient: email }),
      delivery_status: 'QUEUED',
      mail: null,
      proposed: null,
    });
    expect((await post(uuid, FRIENDLY, '?dry_run=true')).body.proposed).toMatchObject({
      ...NOTICE,
      fee: false,
      reminded_today: true,
    });
    await untilDelivered(uuid, 'SENT');
    const mails = world.smtp.mails.filter(({ to }) => to.includes(email));
    expect(mails.map(({ subject }) => subject)).toEqual([tried.body.mail.subject]);
    const { replyTo, attachments, text } = await mailTo(email);
    expect(replyTo).toMatchObject([{ address: PROFILE.email }]);
    expect(text?.replaceAll('\r\n', '\n').trimEnd()).toBe(tried.body.mail.text.trimEnd());
    expect(attachments.map(({ filename }) => filename)).toEqual([
      `Betalingspåminnelse-${number}.pdf`,
      `Faktura-${number}.pdf`,
    ]);
    const shown = await pdfAt(`/invoices/${uuid}/reminders/${made.body.uuid}/pdf/`);
    expect(shown.headers['content-type']).toBe('application/pdf');
    expect(shown.headers['content-disposition']).toBe(
      `inline; filename="Betalingspaminnelse-${number}.pdf"; filename*=UTF-8''Betalingsp%C3%A5minnelse-${number}.pdf`,
    );
    expect(shown.rawPayload.equals(Buffer.from(attachments[0]?.content as Uint8Array))).toBe(true);
    const original = await pdfAt(`/invoices/${uuid}/pdf/`);
    expect(original.rawPayload.equals(Buffer.from(attachments[1]?.content as Uint8Array))).toBe(
      true,
    );
  });

  // DEL-6, REM-5
  test('is not listed as a delivery of its invoice, and leaves chain and ledger alone', async () => {
    const { uuid } = await late(10);
    await post(uuid);
    await untilDelivered(uuid, 'SENT');
    const { body } = await world.client.get(`/api/invoices/${uuid}/`);
    expect(body).toMatchObject({ delivery_status: null, deliveries: [], reminder_amount: 0 });
    const history = await historyOf(uuid);
    expect(history.slice(0, 3)).toMatchObject([
      { kind: 'SENT', details: { reminder: true } },
      { kind: 'QUEUED', details: { reminder: true } },
      {
        kind: 'REMINDED',
        details: {
          reminder_kind: 'REMINDER',
          step: 1,
          amount: GROSS,
          due_date: proposedDeadline(todayInOslo()),
        },
      },
    ]);
    for await (const { fault } of checkLedger(world.testApp.context.db)) expect(fault).toBeNull();
  });

  // REM-17
  test('asks for fee and interest by the rates of the day, which are owed beside the invoice', async () => {
    const { uuid, dueDate } = await late(60);
    const today = todayInOslo();
    const rates = await findRates(world.testApp.context.db);
    const claim = { principal: ore(GROSS * 100), settlements: [], dueDate, through: today };
    const [fee, interest] = [feeOn(rates, today) / 100, interestOn(rates, claim).amount / 100];
    const made = await post(uuid, NOTICE);
    expect(made.body).toMatchObject({ kind: 'NOTICE', step: 1, fee, interest });
    expect(made.body.amount).toBeCloseTo(GROSS + fee + interest, 5);
    const { body } = await world.client.get(`/api/invoices/${uuid}/`);
    expect(body).toMatchObject({ amount_due: GROSS, status: 'REGISTERED' });
    expect(body.reminder_amount).toBeCloseTo(fee + interest, 5);
    await untilDelivered(uuid, 'SENT');
  });

  // REM-17
  test('asks for earlier fees as well, but for interest once', async () => {
    const invoice = await late(70);
    const first = await remindedOn(invoice, addDays(todayInOslo(), -40), { interest: true }, true);
    const { fee: feeBefore } = first.document;
    const made = await post(invoice.uuid, NOTICE);
    expect(made.body.step).toBe(2);
    expect(made.body.earlier).toBe(feeBefore / 100);
    const { fee, interest, earlier, principal, amount } = made.body;
    expect(amount).toBeCloseTo(principal + fee + interest + earlier, 5);
    const { body } = await world.client.get(`/api/invoices/${invoice.uuid}/`);
    expect(body.reminder_amount).toBeCloseTo(fee + interest + earlier, 5);
  });

  test.each([
    ['one that asks for none', async ({ uuid }: LateInvoice) => post(uuid)],
    ['one that was stopped before it was sent', noticeThatIsStopped],
  ])('goes on asking for its interest after %s', async (_, remindAgain) => {
    const invoice = await late(70);
    const earlierDay = addDays(todayInOslo(), -40);
    const dueDate = addDays(todayInOslo(), 1);
    const { document } = await remindedOn(invoice, earlierDay, { interest: true, dueDate });
    const asked = (document.fee + (document.interest?.amount ?? 0)) / 100;
    await untilDelivered(invoice.uuid, 'SENT');
    await remindAgain(invoice);
    expect((await world.invoice(invoice.uuid)).reminder_amount).toBeCloseTo(asked, 5);
    expect(await paymentsAreRight(world.testApp.context.db, companyId)).toBe(true);
  });

  // REM-27
  test.each([
    ['DEBT_COLLECTION_NOTICE', 14, 1],
    ['REMINDER', 3, 3],
  ] as const)(
    '(%s) whose deadline comes too close is not sent any more',
    async (kind, days, later) => {
      const invoice = await late(60);
      const { uuid, email } = invoice;
      const madeOn = addDays(todayInOslo(), -later);
      await remindedOn(invoice, madeOn, { kind, fee: false, dueDate: addDays(madeOn, days) });
      const [reminder] = await untilDelivered(uuid, 'FAILED');
      expect(reminder).toMatchObject({
        waived: true,
        delivery: {
          stopped_by: 'TOO_LATE',
          failure_reason: 'Ikke sendt: fristen ble for kort før utsending',
        },
      });
      expect(world.smtp.mails.some(({ to }) => to.includes(email))).toBe(false);
    },
  );

  // REM-13
  test('bears interest on what was open each day, without what was credited since', async () => {
    const invoice = await late(60);
    const reductions = [{ description: 'Avslag', net_amount: 10, vat_treatment: 'EXEMPT' }];
    await world.client.post(`/api/invoices/${invoice.uuid}/credit/`, { reductions });
    await world.client.post('/api/payments/', {
      invoice_uuid: invoice.uuid,
      amount: 100,
      date: addDays(todayInOslo(), -20),
    });
    const rates = await findRates(world.testApp.context.db);
    const settlements = [{ date: addDays(todayInOslo(), -20), amount: ore(10_000) }];
    const claim = { principal: ore(16_346), dueDate: invoice.dueDate, through: todayInOslo() };
    const { amount } = interestOn(rates, { ...claim, settlements });
    const made = await post(invoice.uuid, NOTICE);
    expect(made.body).toMatchObject({ principal: 63.46, interest: amount / 100 });
  });

  // REM-12
  test('may ask a business for compensation instead, and warn of debt collection', async () => {
    const { uuid } = await late(60);
    const wish = { kind: 'DEBT_COLLECTION_NOTICE', fee: false, interest: true, compensation: true };
    const made = await post(uuid, wish);
    expect(made.status).toBe(201);
    expect(made.body.compensation).toBeGreaterThan(0);
    const [reminder] = await untilDelivered(uuid, 'SENT');
    const { rawPayload } = await pdfAt(`/invoices/${uuid}/reminders/${reminder?.uuid}/pdf/`);
    const text = readWithPoppler(folder, rawPayload).text('reading');
    expect(text).toContain('INKASSOVARSEL');
    expect(text).toContain('Standardkompensasjon');
  });

  test('goes by mail when the invoice went as EHF', async () => {
    const invoice = await late(10, { draft: { delivery_type: 'EHF' }, customer: {} });
    await until(
      async () => world.invoice(invoice.uuid),
      ({ delivery_status: status }) => status === 'SENT',
    );
    // The payment days begin at the sending, which is now.
    expect((await post(invoice.uuid)).body).toMatchObject({
      detail: [{ message: 'The invoice is not past due' }],
    });
    await registeredInTime(world.testApp.context.db, [invoice.uuid]);
    expect((await post(invoice.uuid)).body.recipient).toBe(invoice.email);
    await untilDelivered(invoice.uuid, 'SENT');
    expect(world.smtp.mails.filter(({ to }) => to.includes(invoice.email))).toHaveLength(1);
    expect((await world.invoice(invoice.uuid)).deliveries).toMatchObject([
      { delivery_type: 'EHF' },
    ]);
  });

  // REM-26
  test('is printed for a customer without an address', async () => {
    const { uuid, number } = await late(10, { customer: { email: null } });
    const tried = await post(uuid, FRIENDLY, '?dry_run=true');
    expect(tried.body).toMatchObject({ recipient: null, mail: null });
    const made = await post(uuid);
    expect(made.body).toMatchObject({ recipient: null, delivery: null, delivery_status: null });
    const shown = await pdfAt(`/invoices/${uuid}/reminders/${made.body.uuid}/pdf/`);
    expect(readWithPoppler(folder, shown.rawPayload).info()).toContain(`faktura ${number}`);
    expect((await historyOf(uuid))[0]).toMatchObject({ kind: 'REMINDED' });
  });

  test('can be previewed, marked as a draft', async () => {
    const { uuid } = await late(20);
    const query = `?kind=NOTICE&fee=true&interest=true&due_date=${addDays(todayInOslo(), 20)}`;
    const shown = await pdfAt(`/api/invoices/${uuid}/reminders/preview/${query}`);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers['content-type']).toBe('application/pdf');
    const text = readWithPoppler(folder, shown.rawPayload).text('reading');
    expect(text).toContain('UTKAST');
    expect(text).toContain('Purregebyr');
    expect(await listed(uuid)).toEqual([]);
  });
});

describe('a reminder is refused', () => {
  async function refusal(uuid: string, body: object = FRIENDLY) {
    const [tried, made] = [await post(uuid, body, '?dry_run=true'), await post(uuid, body)];
    expect(tried.body).toEqual(made.body);
    const before = await listed(uuid);
    expect(before.length).toBeLessThanOrEqual(2);
    return [made.status, made.body.detail[0].message];
  }
  const nothingDue = (standing: string) => [
    409,
    `Only a registered invoice of which something is due is reminded of; this is ${standing}`,
  ];

  test('for a draft, a paid or credited invoice, and a credit note', async () => {
    const { uuid, customerNumber } = await late(20);
    const draft = await createDraft(world.client, customerNumber);
    expect(await refusal(draft)).toEqual(nothingDue('DRAFT'));
    await world.client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
    expect(await refusal(uuid)).toEqual(nothingDue('PAID'));
    const other = await late(20);
    await world.client.delete(`/api/invoices/${other.uuid}/`);
    expect(await refusal(other.uuid)).toEqual(nothingDue('CANCELLED'));
    const { credit_note: note } = await world.invoice(other.uuid);
    expect(await refusal(note.uuid)).toEqual(nothingDue('CREDIT_NOTE'));
  });

  // REM-16
  test('before the invoice is late, or while it is disputed', async () => {
    const due = await late(0);
    expect(await refusal(due.uuid)).toEqual([409, 'The invoice is not past due']);
    const { uuid } = await late(10);
    expect((await post(uuid)).status).toBe(201);
    // A person may remind twice a day, if the law allows it.
    expect((await post(uuid)).status).toBe(201);
    const disputed = await late(10);
    await world.client.post(`/api/invoices/${disputed.uuid}/dispute/`, { disputed: true });
    expect(await refusal(disputed.uuid)).toEqual([409, 'The customer disputes the invoice']);
  });

  // REM-10
  test('when the law forbids it: fees come late and twice at most, and never with compensation', async () => {
    const early = await late(10);
    expect(await refusal(early.uuid, NOTICE)).toEqual([
      409,
      'A fee is asked for 14 days after the due date at the earliest (inkassoforskriften § 1-2)',
    ]);
    expect((await refusal(early.uuid, { ...FRIENDLY, fee: true }))[1]).toContain('no fee');
    const soon = { ...NOTICE, due_date: addDays(todayInOslo(), 13) };
    const invoice = await late(90);
    expect((await refusal(invoice.uuid, soon))[1]).toContain('is too soon');
    expect((await refusal(invoice.uuid, { ...NOTICE, compensation: true }))[1]).toContain('never');
    // One that still waits is stopped meanwhile, since its deadline has come too close, and its fee is waived.
    await remindedOn(invoice, addDays(todayInOslo(), -10), {}, true);
    expect((await refusal(invoice.uuid, NOTICE))[1]).toContain('A second fee');
    const third = await late(120);
    await remindedOn(third, addDays(todayInOslo(), -80), {}, true);
    await remindedOn(third, addDays(todayInOslo(), -40), {}, true);
    expect(await refusal(third.uuid, NOTICE)).toEqual([
      409,
      'Fees are asked for twice at most (inkassoforskriften § 1-3)',
    ]);
    expect((await post(third.uuid)).status).toBe(201);
  });

  // REM-12
  test('when compensation is asked of a buyer with a wrong organisation number', async () => {
    const { uuid } = await late(60, { customer: { org_number: '974760674' } });
    const wish = { ...NOTICE, fee: false, compensation: true };
    expect(await refusal(uuid, wish)).toEqual([409, expect.stringContaining('business')]);
  });

  test('when a rate is missing, which is named', async () => {
    const { uuid } = await late(3000);
    const [status, message] = await refusal(uuid, { ...NOTICE, fee: false });
    expect(status).toBe(409);
    expect(message).toMatch(/half.* 201\d/);
  });

  test('when its address is suppressed', async () => {
    const { uuid, email } = await late(10);
    await world.testApp.context.db
      .insertInto('suppressedAddress')
      .values({ email, reason: 'BOUNCE' })
      .execute();
    expect((await refusal(uuid))[0]).toBe(409);
  });

  test('when two come at once: one is made', async () => {
    const { uuid, email } = await late(20);
    const answers = await atOnce(async () => Promise.all([post(uuid), post(uuid), post(uuid)]));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    await untilDelivered(uuid, 'SENT');
    expect(world.smtp.mails.filter(({ to }) => to.includes(email))).toHaveLength(1);
  });

  test('for an invoice of another company', async () => {
    const { uuid } = await late(10);
    const made = (await post(uuid)).body;
    const stranger = await world.testApp.login('fremmed@purring.example');
    await completeProfile(stranger);
    const path = `/api/invoices/${uuid}/reminders`;
    expect((await stranger.get(`${path}/`)).status).toBe(404);
    expect((await stranger.post(`${path}/`, FRIENDLY)).status).toBe(404);
    expect((await stranger.get(`${path}/preview/?kind=REMINDER`)).status).toBe(404);
    expect((await stranger.post(`${path}/${made.uuid}/deliveries/`, {})).status).toBe(404);
    expect((await stranger.get(`/invoices/${uuid}/reminders/${made.uuid}/pdf/`)).status).toBe(404);
    const dispute = `/api/invoices/${uuid}/dispute/`;
    expect((await stranger.post(dispute, { disputed: true })).status).toBe(404);
    const other = await late(10);
    const foreign = `/invoices/${other.uuid}/reminders/${made.uuid}/pdf/`;
    expect((await world.client.get(foreign)).status).toBe(404);
  });
});

// REM-27
describe('between its making and its sending', () => {
  test.each<[string, (invoice: LateInvoice) => Promise<unknown>, string]>([
    [
      'part of it is paid',
      async ({ uuid }) =>
        world.client.post('/api/payments/', {
          invoice_uuid: uuid,
          amount: 1,
          date: todayInOslo(),
        }),
      'PART_PAID',
    ],
    [
      'it is paid',
      async ({ uuid }) => world.client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' }),
      'PAID',
    ],
    [
      'it is credited',
      async ({ uuid }) => world.client.delete(`/api/invoices/${uuid}/`),
      'CANCELLED',
    ],
    [
      'it is disputed',
      async ({ uuid }) =>
        world.client.post(`/api/invoices/${uuid}/dispute/`, { disputed: true, note: 'Feil vare' }),
      'DISPUTED',
    ],
  ])('%s: it is not sent, and nothing is owed for it', async (_, happens, stoppedBy) => {
    const invoice = await late(60);
    const { uuid, email } = invoice;
    await noticeThatWaits(invoice);
    await happens(invoice);
    const [reminder] = await untilDelivered(uuid, 'FAILED');
    world.smtp.faults.refuseRecipient = null;
    expect(reminder).toMatchObject({
      waived: true,
      delivery: { stopped_by: stoppedBy },
      counted: { fee: 0, compensation: 0, stopped: true },
    });
    expect((await world.invoice(uuid)).reminder_amount).toBe(0);
    expect(world.smtp.mails.filter(({ to }) => to.includes(email))).toEqual([]);
    const again = `/api/invoices/${uuid}/reminders/${reminder?.uuid}/deliveries/`;
    expect((await world.client.post(again, {})).status).toBe(409);
  });
});

test('a stopped reminder does not prevent another one on the same day', async () => {
  const invoice = await late(60);
  await noticeThatIsStopped(invoice);
  await world.client.post(`/api/invoices/${invoice.uuid}/dispute/`, { disputed: false });
  expect((await post(invoice.uuid)).status).toBe(201);
  await untilDelivered(invoice.uuid, 'SENT');
});

describe('a mail that fails', () => {
  test('is sent again while its deadline gives the customer time', async () => {
    const invoice = await late(60);
    const { uuid, email } = invoice;
    world.smtp.faults.refuseRecipient = (address) =>
      address === email ? { code: 550, text: '5.1.1 No such user' } : null;
    await remindedOn(invoice, addDays(todayInOslo(), -20));
    const [failed] = await untilDelivered(uuid, 'FAILED');
    world.smtp.faults.refuseRecipient = null;
    const again = `/api/invoices/${uuid}/reminders/${failed?.uuid}/deliveries/`;
    const { status, body } = await world.client.post(again, {});
    expect([status, body.detail[0].message]).toEqual([
      409,
      'Its deadline leaves the customer no time; make a new reminder',
    ]);
    expect((await post(uuid, { ...NOTICE, fee: false })).status).toBe(201);
  });

  // DEL-6
  test('keeps its reminder, which is mailed again with the same bytes', async () => {
    const { uuid, email } = await late(60);
    world.smtp.faults.refuseRecipient = (address) =>
      address === email ? { code: 550, text: '5.1.1 No such user' } : null;
    await post(uuid, NOTICE);
    const [failed] = await untilDelivered(uuid, 'FAILED');
    expect(failed?.waived).toBe(false);
    expect((await world.invoice(uuid)).delivery_status).toBeNull();
    const other = `ny.${email}`;
    const path = `/api/invoices/${uuid}/reminders/${failed?.uuid}/deliveries/`;
    const again = await world.client.post(path, { recipient: other });
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({ delivery_type: 'EMAIL', recipient: other });
    await untilDelivered(uuid, 'SENT');
    world.smtp.faults.refuseRecipient = null;
    expect(await listed(uuid)).toHaveLength(1);
    const { attachments } = await mailTo(other);
    const shown = await pdfAt(`/invoices/${uuid}/reminders/${failed?.uuid}/pdf/`);
    expect(shown.rawPayload.equals(Buffer.from(attachments[0]?.content as Uint8Array))).toBe(true);
  });
});

describe('a dispute', () => {
  // REM-16
  test('is noted, changed and resolved, and each is in the history once', async () => {
    const { uuid } = await late(10);
    const dispute = async (body: object) =>
      world.client.post(`/api/invoices/${uuid}/dispute/`, body);
    const noted = await dispute({ disputed: true, note: 'Varen kom aldri' });
    expect(noted.status).toBe(200);
    expect(noted.body).toMatchObject({ uuid, disputed: true, disputed_note: 'Varen kom aldri' });
    await dispute({ disputed: true, note: 'Varen kom aldri' });
    const resolved = await dispute({ disputed: false, note: 'glemmes' });
    expect(resolved.body).toMatchObject({ disputed: false, disputed_note: null });
    const events = (await historyOf(uuid)).filter(({ kind }) => /DISPUTED|RESOLVED/.test(kind));
    expect(events).toMatchObject([
      { kind: 'RESOLVED', details: {} },
      { kind: 'DISPUTED', details: { note: 'Varen kom aldri' } },
    ]);
    expect((await post(uuid)).status).toBe(201);
  });

  test('needs a registered invoice', async () => {
    const { customerNumber } = await late(10);
    const draft = await createDraft(world.client, customerNumber);
    const answer = await world.client.post(`/api/invoices/${draft}/dispute/`, { disputed: true });
    expect([answer.status, answer.body.detail[0].message]).toEqual([
      409,
      'Only a registered invoice is disputed',
    ]);
  });
});
