import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import {
  addAssignment,
  type AssignmentAnswer,
  assignmentBody,
  completeProfile,
  createCustomer,
  createGroup,
  createTemplate,
  line,
} from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import { makeSome } from './run.service.ts';
import { companyIdOf } from '../testing/company.ts';
import type { Job } from '../platform/jobs/job.ts';
import { recurringNoticeJob, recurringRunJob } from '../platform/jobs/jobs.ts';
import { mailNotice } from './notice.service.ts';
import { makeDue, startDue } from './due-runs.service.ts';

const { clock } = vi.hoisted(() => ({ clock: { today: '', hour: 12 } }));
vi.mock(import('../../domain/date.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  todayInOslo: () => clock.today,
  hourInOslo: () => clock.hour,
}));

const URL = '/api/invoices/recurring/';
const JOBS = new Set(['recurring-run', 'recurring-notice']);

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let customer: number;
/** The company's address, a different one in each test. */
let companyEmail: string;
let accountEmail: string;
let companies = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ FEATURES: 'recurring', DISPATCH: 'staff', SMTP_URL: smtp.url });
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

/** Sets the day and the hour that the product sees. */
function itIs(today: string, hour = 12): void {
  Object.assign(clock, { today, hour });
}

/** Runs the scheduled job and all jobs that it queues, without the pace of the queue. */
async function tick(): Promise<void> {
  const { context } = testApp;
  const runs = vi.spyOn(context.jobs, 'enqueueAll').mockResolvedValue(0);
  const notices = vi.spyOn(context.jobs, 'enqueue').mockResolvedValue();
  await startDue(context);
  for (const [, job, items] of runs.mock.calls) {
    for (const { payload } of items) {
      await makeDue(
        context,
        payloadOf(job, recurringRunJob, payload),
        new AbortController().signal,
      );
    }
  }
  for (const [, job, payload] of notices.mock.calls) {
    await mailNotice(context, payloadOf(job, recurringNoticeJob, payload));
  }
  runs.mockRestore();
  notices.mockRestore();
}

function payloadOf<Payload extends object>(
  job: { readonly name: string },
  expected: Job<Payload>,
  payload: object,
): Payload {
  expect(job.name).toBe(expected.name);
  return expected.payload.parse(payload);
}

/** Waits for what is in the queue. */
async function untilIdle(): Promise<void> {
  await until(
    async () => testApp.context.jobs.depths(),
    (depths) => !depths.some(({ name }) => JOBS.has(name)),
  );
}

beforeEach(async () => {
  companies += 1;
  accountEmail = `eier${companies}@example.no`;
  itIs('2027-03-01');
  client = await testApp.login(accountEmail);
  companyEmail = `firma${companies}@example.no`;
  await completeProfile(client, { email: companyEmail });
  customer = await createCustomer(client);
});

interface Invoice {
  readonly uuid: string;
  readonly status: string;
  readonly issue_date: string;
  readonly customer_number: number;
  readonly lines: readonly { description: string }[];
}

interface Run {
  readonly period_from: string;
  readonly date: string;
  readonly invoices: readonly string[];
  readonly made: readonly object[];
  readonly invoice_count: number;
  readonly failures: readonly { customer_number: number; message: string }[];
  readonly mode: string;
}

const add = async (changes: object = {}) =>
  addAssignment(client, { customer_numbers: [customer], ...changes });
const get = async ({ uuid }: { uuid: string }) =>
  (await client.get(`${URL}${uuid}/`)).body as AssignmentAnswer;
const post = async ({ uuid }: { uuid: string }, what: string) =>
  client.post(`${URL}${uuid}/${what}/`);
const runsOf = async ({ uuid }: { uuid: string }) =>
  (await client.get(`${URL}${uuid}/runs/`)).body as Run[];
const invoices = async () => (await client.get('/api/invoices/')).body.results as Invoice[];
const mails = () => smtp.mails.filter(({ to }) => to.includes(companyEmail));
const newestMail = async () => {
  const mail = mails().at(-1);
  if (!mail) throw new Error('Nothing was mailed');
  return readMail(mail);
};
const refusal = async (call: Promise<{ status: number }>) => (await call).status;

test('a run tells of its invoices what the invoices tell', async () => {
  const assignment = await add({
    delivery_type: 'EMAIL',
    mode: 'SEND',
    customer_numbers: [customer, await createCustomer(client, { email: null })],
  });
  await tick();
  const [run] = await runsOf(assignment);
  expect(run?.invoices).toHaveLength(2);
  const shown = await Promise.all(
    (run?.invoices ?? []).map(async (uuid) => (await client.get(`/api/invoices/${uuid}/`)).body),
  );
  expect(shown).toMatchObject(run?.made ?? []);
  expect(run?.made).toMatchObject([
    { invoice_number: 1, status: 'REGISTERED', gross_amount: shown[0].gross_amount },
    { invoice_number: null, status: 'DRAFT', deliveries: [] },
  ]);
  await client.post(`/api/invoices/${run?.invoices[0]}/update/`, { status: 'PAID' });
  const [after] = await runsOf(assignment);
  expect(after?.made[0]).toMatchObject({ status: 'PAID', paid_amount: shown[0].gross_amount });
});

describe('the job', () => {
  // REC-7, REC-18
  test('makes each due period on its date and once', async () => {
    const assignment = await add({ first_date: '2027-03-02', day: 2 });
    await tick();
    expect(await invoices()).toEqual([]);
    itIs('2027-03-02', 5);
    await tick();
    expect(await invoices()).toEqual([]);
    itIs('2027-03-02', 6);
    await tick();
    await tick();
    expect(await invoices()).toMatchObject([{ status: 'DRAFT', issue_date: '2027-03-02' }]);
    expect(await get(assignment)).toMatchObject({ next_date: '2027-04-02' });
    const [invoice] = await invoices();
    const { body } = await client.get(`/api/invoices/${invoice?.uuid}/history/`);
    expect(body).toMatchObject([{ kind: 'CREATED', by: { type: 'SYSTEM', name: 'Faktur' } }]);
    expect(mails()).toEqual([]);
  });

  // REC-8
  test('makes periods missed during a fortnight as drafts, the oldest first', async () => {
    const assignment = await add({
      interval: { unit: 'WEEK', count: 1 },
      day: null,
      mode: 'SEND',
      invoice_lines: [line('Renhold {fra}–{til}', 500, 25)],
    });
    await tick();
    expect(await invoices()).toMatchObject([{ status: 'REGISTERED' }]);
    itIs('2027-03-16');
    await tick();
    const runs = await runsOf(assignment);
    expect(runs).toMatchObject([
      { period_from: '2027-03-15', date: '2027-03-16', mode: 'DRAFT' },
      { period_from: '2027-03-08', date: '2027-03-16', mode: 'DRAFT' },
      { period_from: '2027-03-01', date: '2027-03-01', mode: 'SEND' },
    ]);
    const made = await Promise.all(
      runs.map(async ({ invoices: [uuid] }) => {
        const { body } = await client.get(`/api/invoices/${uuid}/`);
        return body as Invoice;
      }),
    );
    expect(
      made.map(({ status, issue_date, lines }) => [status, issue_date, lines[0]?.description]),
    ).toEqual([
      ['DRAFT', '2027-03-16', 'Renhold 15.03.2027–21.03.2027'],
      ['DRAFT', '2027-03-16', 'Renhold 08.03.2027–14.03.2027'],
      ['REGISTERED', '2027-03-01', 'Renhold 01.03.2027–07.03.2027'],
    ]);
    expect(await get(assignment)).toMatchObject({ next_date: '2027-03-22' });
    // Each of the two was to be sent, and its owner learns that it was not.
    expect(mails().map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => '«Husleie»: 1 utkast venter på deg'),
    );
  });

  // REC-1
  test('reads the members at each run, and invoices each once', async () => {
    const other = await createCustomer(client, { name: 'Nordavind' });
    const group = await createGroup(client, [customer, other]);
    const assignment = await add({ group_uuid: group });
    await tick();
    const third = await createCustomer(client, { name: 'Sønnavind' });
    await client.post(`/api/customers/groups/${group}/update/`, {
      group_name: 'Medlemmer',
      customers: [third],
    });
    itIs('2027-04-01');
    await tick();
    const recipients = async (run: Run | undefined) =>
      Promise.all(
        (run?.invoices ?? []).map(
          async (uuid) =>
            (await client.get(`/api/invoices/${uuid}/`)).body.customer_number as number,
        ),
      );
    const [april, march] = await runsOf(assignment);
    expect(await recipients(march)).toEqual([customer, other]);
    expect(await recipients(april)).toEqual([customer, third]);
  });
});

describe('an end', () => {
  // REC-9
  test('comes after so many times', async () => {
    const assignment = await add({ occurrences: 2 });
    await tick();
    itIs('2027-09-15');
    await tick();
    expect(await get(assignment)).toMatchObject({ state: 'ENDED', next_date: null });
    expect(await runsOf(assignment)).toHaveLength(2);
    expect(await refusal(post(assignment, 'run'))).toBe(409);
    expect(await refusal(post(assignment, 'pause'))).toBe(409);
    expect(await refusal(post(assignment, 'resume'))).toBe(409);
  });

  test('comes with the last date, and is taken back by a later one, from today on', async () => {
    const assignment = await add({ last_date: '2027-04-01' });
    itIs('2027-04-01');
    await tick();
    expect(await runsOf(assignment)).toHaveLength(2);
    expect(await get(assignment)).toMatchObject({ state: 'ENDED' });
    itIs('2027-08-10');
    const body = assignmentBody({ customer_numbers: [customer], first_date: '2027-03-01' });
    const changed = await client.put(`${URL}${assignment.uuid}/`, body);
    expect(changed.body).toMatchObject({ state: 'ACTIVE', next_date: '2027-09-01' });
  });
});

// REC-9
test('a period that begins during a pause is not made', async () => {
  const assignment = await add();
  await tick();
  expect((await post(assignment, 'pause')).body).toMatchObject({
    state: 'PAUSED',
    next_date: null,
  });
  itIs('2027-06-15');
  await tick();
  expect(await refusal(post(assignment, 'run'))).toBe(409);
  expect((await post(assignment, 'pause')).body).toMatchObject({ state: 'PAUSED' });
  const resumed = await post(assignment, 'resume');
  expect(resumed.body).toMatchObject({ state: 'ACTIVE', next_date: '2027-07-01' });
  await tick();
  expect(await runsOf(assignment)).toHaveLength(1);
});

// REC-3, REC-12
test('what has run keeps its first date, and its dates go on after what was made', async () => {
  const assignment = await add();
  await tick();
  const put = async (changes: object) =>
    client.put(
      `${URL}${assignment.uuid}/`,
      assignmentBody({ customer_numbers: [customer], first_date: '2027-03-01', ...changes }),
    );
  expect((await put({ first_date: '2027-03-02' })).status).toBe(409);
  const changes = { interval: { unit: 'MONTH', count: 3 }, day: 15 };
  const { body } = await client.post(`${URL}preview/`, {
    ...assignmentBody({ first_date: '2027-03-01', ...changes }),
    uuid: assignment.uuid,
  });
  expect(body.periods).toHaveLength(5);
  // 15 March is in a period that was made.
  expect(body.periods[0]).toEqual({
    period_from: '2027-06-15',
    period_to: '2027-09-14',
    date: '2027-06-15',
    invoices: [],
    failures: [],
  });
  expect(body.sample).toEqual({
    description: 'Husleie 15.06.2027–14.09.2027',
    message: null,
  });
  expect((await put(changes)).body).toMatchObject({ next_date: '2027-06-15' });
});

describe('an obstacle', () => {
  // REC-10
  test('of one customer leaves the others alone, and is reported once', async () => {
    const silent = await createCustomer(client, { name: 'Uten adresse', email: null });
    const assignment = await add({
      customer_numbers: [silent, customer],
      delivery_type: 'EMAIL',
      mode: 'SEND',
    });
    await tick();
    await tick();
    expect((await invoices()).map((invoice) => [invoice.customer_number, invoice.status])).toEqual([
      [silent, 'DRAFT'],
      [customer, 'REGISTERED'],
    ]);
    const [run] = await runsOf(assignment);
    expect(run).toMatchObject({
      invoice_count: 2,
      recipient_count: 2,
      failures: [
        {
          customer_number: silent,
          customer_deleted: false,
          customer_name: 'Uten adresse',
          message: expect.stringContaining('e-mail'),
        },
      ],
    });
    expect(mails()).toHaveLength(1);
    const { text, subject } = await newestMail();
    expect(subject).toBe('«Husleie»: 1 faktura ble ikke sendt');
    expect(text).toContain('\nGjelder Snekker Andersen AS\n');
    expect(text).toContain('Uten adresse');
    expect(text).toContain('De andre gikk som de skulle.');
  });

  test('is shown of a run also when its draft and its customer are deleted', async () => {
    const silent = await createCustomer(client, { name: 'Uten adresse', email: null });
    const assignment = await add({
      customer_numbers: [silent],
      delivery_type: 'EMAIL',
      mode: 'SEND',
    });
    await tick();
    const [draft] = await invoices();
    expect((await client.delete(`/api/invoices/${draft?.uuid}/`)).status).toBe(204);
    await post(assignment, 'pause');
    expect((await client.delete(`/api/customers/${silent}/`)).status).toBe(204);
    expect(await runsOf(assignment)).toMatchObject([
      {
        invoice_count: 0,
        recipient_count: 1,
        failures: [{ customer_number: silent, customer_deleted: true, customer_name: null }],
      },
    ]);
  });

  // REC-14
  test.each([
    ['group', 'Kundegruppen i oppdraget er slettet'],
    ['template', 'Fakturamalen i oppdraget er slettet'],
    ['braces', 'har klammer som Faktur ikke fyller ut'],
    ['profile', 'Profilen må fullføres først'],
  ])(
    'of all (%s) makes the run wait, tells why once, and is over when it is mended',
    async (what, words) => {
      const group = await createGroup(client, [customer]);
      const templateId = await createTemplate(client);
      const assignment = await add({ group_uuid: group, template_id: templateId, mode: 'SEND' });
      const spoil = {
        group: async () => client.delete(`/api/customers/groups/${group}/`),
        template: async () => client.delete(`/api/invoices/template/${templateId}/`),
        braces: async () =>
          client.put(`/api/invoices/template/${templateId}/update/`, {
            name: 'Leie',
            delivery_type: 'NONE',
            due_days: 30,
            lines: [line('Leie for {maaned}', 500, 25)],
          }),
        profile: async () =>
          testApp.context.db
            .updateTable('company')
            .set({ billingCity: null })
            .where('email', '=', companyEmail)
            .execute(),
      }[what];
      await spoil?.();
      // A deleted group or template is shown before the date; the profile and a text may be put right until then.
      const { waiting_reason: ahead } = await get(assignment);
      expect(ahead === null).toBe(what === 'profile' || what === 'braces');
      await tick();
      await tick();
      expect(await invoices()).toEqual([]);
      const { waiting_reason: reason, version } = await get(assignment);
      expect(reason).toMatch(/deleted|completed|not filled in/);
      expect(mails().map(({ subject }) => subject)).toEqual(['«Husleie» venter']);
      const { text } = await newestMail();
      expect(text).toContain('\nGjelder Snekker Andersen AS\n');
      expect(text).toContain(words);
      expect(await refusal(post(assignment, 'run'))).toBe(409);

      itIs('2027-03-05');
      await completeProfile(client, { email: companyEmail });
      const body = assignmentBody({
        customer_numbers: [customer],
        first_date: '2027-03-01',
        version,
      });
      expect((await client.put(`${URL}${assignment.uuid}/`, body)).status).toBe(200);
      await tick();
      expect(await invoices()).toMatchObject([{ status: 'DRAFT', issue_date: '2027-03-05' }]);
      expect(await get(assignment)).toMatchObject({
        waiting_reason: null,
        next_date: '2027-04-01',
      });
      expect(mails()).toHaveLength(1);
    },
  );

  test('is of the template with which somebody was just saving it, not of the one before', async () => {
    const [before, after] = [
      await createTemplate(client, { lines: [line('Før', 100, 25)] }),
      await createTemplate(client, { lines: [line('Etter', 100, 25)] }),
    ];
    const { uuid } = await add({ template_id: before });
    const { db } = testApp.context;
    const companyId = await companyIdOf(db, accountEmail);
    const { running } = await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('assignment')
        .set({ templateId: after })
        .where('companyId', '=', companyId)
        .where('uuid', '=', uuid)
        .execute();
      const call = post({ uuid }, 'run');
      // Long enough for it to have seen the assignment as it was.
      await sleep(300);
      return { running: call };
    });
    expect((await running).status).toBeLessThan(300);
    expect((await invoices()).map(({ lines }) => lines[0]?.description)).toEqual(['Etter']);
  });

  test('is not a customer who was deleted; without recipients nothing is made, which is reported', async () => {
    const leaving = await createCustomer(client, { name: 'På vei ut' });
    const assignment = await add({ customer_numbers: [leaving] });
    // An active one loses nobody else than its last.
    await post(assignment, 'pause');
    expect((await client.delete(`/api/customers/${leaving}/`)).status).toBe(204);
    await post(assignment, 'resume');
    await tick();
    expect(await runsOf(assignment)).toMatchObject([
      { invoices: [], failures: [], recipient_count: 0, lost_customers: [leaving] },
    ]);
    expect(await get(assignment)).toMatchObject({ next_date: '2027-04-01' });
    expect(mails().map(({ subject }) => subject)).toEqual(['«Husleie»: ingen å fakturere']);
    expect((await newestMail()).text).toContain(`Kunde ${leaving} er slettet`);
  });

  // REC-14
  test.each(['named', 'in its group'])(
    'a deleted customer is reported once, and the last one stays: %s',
    async (how) => {
      const others = [
        await createCustomer(client, { name: 'Nummer to' }),
        await createCustomer(client, { name: 'Nummer tre' }),
      ];
      const numbers = [customer, ...others];
      const whom =
        how === 'named'
          ? { customer_numbers: numbers }
          : { customer_numbers: [], group_uuid: await createGroup(client, numbers) };
      const assignment = await add(whom);
      const [second, third] = others;
      const named = async (number: number) =>
        (await client.get(`${URL}?customer_number=${number}`)).body.map(
          ({ name }: { name: string }) => name,
        );
      expect(await named(customer)).toEqual(['Husleie']);
      expect(await named(9_999_999)).toEqual([]);
      for (const number of others) {
        expect((await client.delete(`/api/customers/${number}/`)).status).toBe(204);
      }
      expect(await client.delete(`/api/customers/${customer}/`)).toMatchObject({
        status: 409,
        body: {
          detail: [
            {
              message:
                "The customer is the only recipient of the active assignment 'Husleie'; pause, change or delete that first",
            },
          ],
        },
      });
      await tick();
      expect(await runsOf(assignment)).toMatchObject([
        { invoice_count: 1, recipient_count: 1, failures: [], lost_customers: [second, third] },
      ]);
      expect(mails().map(({ subject }) => subject)).toEqual(['«Husleie»: mottakere er slettet']);
      expect((await newestMail()).text).toContain(`Kunde ${second} og ${third} er slettet`);
      itIs('2027-04-01');
      await tick();
      expect(mails()).toHaveLength(1);
    },
  );

  test('two who are deleted at once are not both its last', async () => {
    const other = await createCustomer(client, { name: 'Den andre' });
    await add({ customer_numbers: [customer, other] });
    const answers = await Promise.all(
      [customer, other].map(async (number) => client.delete(`/api/customers/${number}/`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]));
  });
});

describe('a run of many', () => {
  const MANY = 230;
  let assignment: AssignmentAnswer;
  let companyId: number;

  beforeEach(async () => {
    const numbers = Array.from({ length: MANY }, (_, index) => index + 1000);
    companyId = await companyIdOf(testApp.context.db, accountEmail);
    await testApp.context.db
      .insertInto('customer')
      .values(
        numbers.map((customerNumber) => ({
          companyId,
          customerNumber,
          name: `Medlem ${customerNumber}`,
          searchText: `medlem ${customerNumber}`,
        })),
      )
      .execute();
    assignment = await add({
      group_uuid: await createGroup(client, numbers),
      customer_numbers: [],
    });
  });

  const count = async () => (await client.get('/api/invoices/')).body.summary.drafts as number;

  test('begins at once by hand, and goes on by itself', async () => {
    const { body } = await post(assignment, 'run');
    expect(body).toMatchObject({ state: 'RUNNING', invoice_count: 100 });
    await untilIdle();
    const [run] = await runsOf(assignment);
    expect(run).toMatchObject({ state: 'DONE', invoice_count: MANY });
    expect(await count()).toBe(MANY);
  });

  // REC-7
  test('is neither changed nor deleted meanwhile, and two at work make each invoice once', async () => {
    const { id: assignmentId } = await testApp.context.db
      .selectFrom('assignment')
      .select('id')
      .where('uuid', '=', assignment.uuid)
      .executeTakeFirstOrThrow();
    const order = { companyId, assignmentId };
    await makeSome(testApp.context, { ...order, author: SYSTEM });
    const body = assignmentBody({ customer_numbers: [customer] });
    expect(await refusal(client.put(`${URL}${assignment.uuid}/`, body))).toBe(409);
    expect(await refusal(client.delete(`${URL}${assignment.uuid}/`))).toBe(409);
    const { signal } = new AbortController();
    await Promise.all([
      makeDue(testApp.context, order, signal),
      makeDue(testApp.context, order, signal),
      post(assignment, 'run'),
      startDue(testApp.context),
    ]);
    await untilIdle();
    expect(await count()).toBe(MANY);
    expect(await runsOf(assignment)).toMatchObject([{ invoice_count: MANY }]);
  });
});
