import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { runCommand } from '../../../operator/run-command.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import type { TestClient } from '../../../testing/client.ts';
import { askForExport } from '../../../testing/exports.ts';
import { completeProfile, createCustomer, createDraft } from '../../../testing/factories.ts';
import { startMailServer, type MailServer } from '../../../testing/smtp-server.ts';
import { until } from '../../../testing/until.ts';
import { releaseDeferred } from '../../delivery-housekeeping.service.ts';

const MOST = 4;
const MOST_TO_ONE_ADDRESS = 100;

let smtp: MailServer;
let testApp: TestApp;
let accounts = 0;

beforeAll(async () => {
  smtp = await startMailServer({ headersOnly: true });
  testApp = await startTestApp({
    FEATURES: 'members,export,overview',
    SMTP_URL: smtp.url,
    NEW_COMPANY_MAILS_PER_DAY: String(MOST),
  });
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

afterEach(() => {
  smtp.faults.refuseRecipient = null;
});

interface Company {
  readonly email: string;
  readonly client: TestClient;
}

async function newCompany(app = testApp): Promise<Company> {
  const email = `ny${++accounts}@example.no`;
  const client = await app.login(email);
  await completeProfile(client);
  return { email, client };
}

/** Registers so many invoices at once, to as many addresses or to one. */
async function send({ client }: Company, many: number, address?: string): Promise<string[]> {
  const uuids: string[] = [];
  const one = address === undefined ? null : await createCustomer(client, { email: address });
  for (let i = 0; i < many; i += 1) {
    const customer = one ?? (await createCustomer(client, { email: `kunde${i}@example.no` }));
    uuids.push(await createDraft(client, customer, { delivery_type: 'EMAIL' }));
  }
  expect((await client.post('/api/invoices/queue/')).status).toBe(200);
  return uuids;
}

interface Waiting {
  readonly status: string;
  readonly waiting_reason: string | null;
  readonly deferred_until: string | null;
}

async function deliveriesOf({ email }: Company, app = testApp) {
  const { rows } = await sql<Waiting>`
    SELECT delivery.status, delivery.waiting_reason, delivery.deferred_until::text
    FROM delivery JOIN company ON company.id = delivery.company_id
    JOIN account ON account.id = company.account_id
    WHERE account.email = ${email} ORDER BY delivery.id`.execute(app.context.db.withoutPlugins());
  return rows;
}

/** Waits until so many are sent and so many are put off. */
async function untilSettled(
  company: Company,
  expected: { sent: number; deferred: number },
  app = testApp,
): Promise<void> {
  const settled = await until(
    async () => {
      const rows = await deliveriesOf(company, app);
      return {
        sent: rows.filter(({ status }) => status === 'SENT').length,
        deferred: rows.filter((row) => row.deferred_until !== null && row.status === 'QUEUED')
          .length,
      };
    },
    ({ sent, deferred }) => sent === expected.sent && deferred === expected.deferred,
  );
  expect(settled).toEqual(expected);
}

/** As if all that happened had happened so many days earlier. */
async function letDaysPass({ email }: Company, days: number, app = testApp): Promise<void> {
  const { db } = app.context;
  await sql`
    UPDATE delivery SET counted_at = counted_at - make_interval(days => ${days}),
      deferred_until = deferred_until - make_interval(days => ${days})
    WHERE company_id = (SELECT company.id FROM company
      JOIN account ON account.id = company.account_id WHERE account.email = ${email})`.execute(db);
  await sql`
    UPDATE company SET created_at = created_at - make_interval(days => ${days})
    WHERE account_id = (SELECT id FROM account WHERE email = ${email})`.execute(db);
}

describe('a new company', () => {
  test('mails so many in a day; what is over waits, says so, and goes the day after', async () => {
    const company = await newCompany();
    const uuids = await send(company, MOST + 7);
    await untilSettled(company, { sent: MOST, deferred: 7 });

    const { body } = await company.client.get(`/api/invoices/${uuids.at(-1)}/`);
    const midnight = new Date(body.deliveries[0].deferred_until as string);
    expect(body).toMatchObject({
      delivery_status: 'QUEUED',
      deliveries: [
        {
          status: 'QUEUED',
          waiting_reason: `En ny konto sender høyst ${MOST} fakturaer på e-post i døgnet.`,
        },
      ],
    });
    expect(midnight.getTime() - Date.now()).toBeLessThanOrEqual(86_400_000);
    expect(
      midnight.toLocaleTimeString('nb-NO', { timeZone: 'Europe/Oslo', hourCycle: 'h23' }),
    ).toBe('00:00:00');

    // Nothing goes before its time, whatever is done.
    await releaseDeferred(testApp.context);
    await send(company, 1);
    await untilSettled(company, { sent: MOST, deferred: 8 });
    await letDaysPass(company, 1);
    await releaseDeferred(testApp.context);
    await untilSettled(company, { sent: 2 * MOST, deferred: 8 - MOST });
    await letDaysPass(company, 1);
    await releaseDeferred(testApp.context);
    await untilSettled(company, { sent: MOST + 8, deferred: 0 });
  });

  test('has no limit once it is a week old, or an operator says so', async () => {
    const old = await newCompany();
    await letDaysPass(old, 7);
    const allowed = await newCompany();
    await send(allowed, MOST + 3);
    await untilSettled(allowed, { sent: MOST, deferred: 3 });
    const lines: string[] = [];
    const output = { line: (text: string) => lines.push(text), bytes: async () => undefined };
    expect(await runCommand(testApp.context, 'delivery', ['allow', allowed.email], output)).toBe(0);
    expect(lines).toEqual([`${allowed.email} has no daily limit now. 3 invoices waited for it.`]);
    await releaseDeferred(testApp.context);
    await send(old, MOST + 1);
    await untilSettled(allowed, { sent: MOST + 3, deferred: 0 });
    await untilSettled(old, { sent: MOST + 1, deferred: 0 });
  });

  test('whose rows somebody holds does not keep the others from mailing', async () => {
    const companies = [await newCompany(), await newCompany()] as const;
    for (const company of companies) {
      await send(company, MOST + 1);
      await untilSettled(company, { sent: MOST, deferred: 1 });
    }
    const [held, free] = companies;
    await letDaysPass(free, 1);
    // Right before its rows are held: housekeeping releases what is due each minute, here too.
    await letDaysPass(held, 1);
    await testApp.context.db.transaction().execute(async (trx) => {
      await sql`
          SELECT FROM delivery JOIN company ON company.id = delivery.company_id
          JOIN account ON account.id = company.account_id
          WHERE account.email = ${held.email} FOR UPDATE OF delivery`.execute(trx);
      await expect(releaseDeferred(testApp.context)).rejects.toThrow('lock timeout');
      await untilSettled(free, { sent: MOST + 1, deferred: 0 });
    });
    await releaseDeferred(testApp.context);
    await untilSettled(held, { sent: MOST + 1, deferred: 0 });
  });
});

test('however many ask at once, no more go than may', async () => {
  const company = await newCompany();
  smtp.faults.refuseRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
  const uuids: string[] = [];
  for (let day = 0; day < 3; day += 1) {
    uuids.push(...(await send(company, MOST)));
    await until(
      async () => deliveriesOf(company),
      (rows) => rows.filter(({ status }) => status === 'FAILED').length === uuids.length,
    );
    await letDaysPass(company, 1);
  }
  smtp.faults.refuseRecipient = null;
  const answers = await Promise.all(
    uuids.map(async (uuid) => company.client.post(`/api/invoices/${uuid}/resend/`)),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  await untilSettled(company, { sent: MOST, deferred: uuids.length - MOST });
});

test('a new company mails a hundred invoices a day to one address', async () => {
  const usual = await startTestApp({ SMTP_URL: smtp.url });
  try {
    const company = await newCompany(usual);
    await send(company, 1, 'En@example.no');
    await untilSettled(company, { sent: 1, deferred: 0 }, usual);
    await sendAgain(company, MOST_TO_ONE_ADDRESS - 2, usual);
    await send(company, 3, 'En@example.no');
    await untilSettled(company, { sent: MOST_TO_ONE_ADDRESS, deferred: 2 }, usual);
    expect((await deliveriesOf(company, usual)).at(-1)?.waiting_reason).toBe(
      'En ny konto sender høyst 100 fakturaer i døgnet til samme adresse.',
    );
    await send(company, 1);
    await untilSettled(company, { sent: MOST_TO_ONE_ADDRESS + 1, deferred: 2 }, usual);
  } finally {
    await usual.close();
  }
});

/** As if its one delivery had been made so many times more: each mail takes a tenth of a second of a processor. */
async function sendAgain({ email }: Company, times: number, { context }: TestApp): Promise<void> {
  const { db } = context;
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute WHERE attrelid = 'delivery'::regclass
      AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''
      AND attname NOT IN ('uuid', 'carrier_key', 'forced')`.execute(db);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`
    INSERT INTO delivery (carrier_key, forced, ${columns})
    SELECT gen_random_uuid()::text, true, ${columns} FROM delivery, generate_series(1, ${times}::integer)
    WHERE company_id = (SELECT company.id FROM company
      JOIN account ON account.id = company.account_id WHERE account.email = ${email})`.execute(db);
}

test('a mail to more addresses than a day has leaves as the first of a day', async () => {
  const company = await newCompany();
  const invoice_emails = Array.from({ length: MOST + 1 }, (_, i) => `nr${i}@example.no`);
  const customer = await createCustomer(company.client, { invoice_emails });
  for (let count = 0; count < 2; count += 1) {
    await createDraft(company.client, customer, { delivery_type: 'EMAIL' });
  }
  expect((await company.client.post('/api/invoices/queue/')).status).toBe(200);
  await untilSettled(company, { sent: 1, deferred: 1 });
  await letDaysPass(company, 1);
  await releaseDeferred(testApp.context);
  await untilSettled(company, { sent: 2, deferred: 0 });
});

// DEL-15, MEM-10
test('invitations, links of exports and codes of the overview are among the mails of a new company', async () => {
  const company = await newCompany();
  const { client } = company;
  const made = await client.post('/api/overview/links/', {
    name: 'Banken',
    shows: ['TURNOVER'],
    period: 'THIS_YEAR',
    days: 30,
    email: 'bank@example.no',
  });
  const path = new URL((made.body as { url: string }).url).pathname.replace('/delt/', '');
  const tries: Readonly<Record<string, () => Promise<{ status: number }>>> = {
    invitation: async () =>
      client.post('/api/members/', { email: `m${++accounts}@example.no`, role: 'EMPLOYEE' }),
    link: async () => askForExport(client, { send_to: 'regnskap@example.no' }),
    code: async () => testApp.visitor().post(`/api/shared/${path}code/`, {}),
  };
  const statuses = async () => {
    const answers: [string, number][] = [];
    for (const [what, ask] of Object.entries(tries)) answers.push([what, (await ask()).status]);
    return Object.fromEntries(answers);
  };
  expect(await statuses()).toEqual({ invitation: 201, link: 201, code: 204 });
  // One is left, for one of two invoices.
  await send(company, 2);
  await untilSettled(company, { sent: 1, deferred: 1 });
  expect(await statuses()).toEqual({ invitation: 429, link: 429, code: 429 });
});
