import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { reportFailures } from './failure-notice.service.ts';
import { QUOTE_FAILURES } from '../quote/quote-failure.service.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer, type SmtpReply } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';

type Stage = 'MAIL FROM' | 'RCPT TO' | 'DATA';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let visitors = 0;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url });
  client = await testApp.login('eier@example.no');
  await completeProfile(client, { email: 'firma@example.no' });
  // The job of each minute tells an owner once an hour. A notice between two refusals would be an accepted mail.
  await sql`INSERT INTO failure_notice (company_id, sent_at)
    VALUES (${await companyIdOf(testApp.context.db, 'eier@example.no')}, now())`.execute(
    testApp.context.db,
  );
});
afterAll(async () => {
  await testApp.close();
  await smtp.close();
});
beforeEach(async () => {
  await mend();
  await acceptAnother();
  await sql`UPDATE delivery SET status = 'FAILED', failure_reason = 'over' WHERE status = 'QUEUED'`.execute(
    testApp.context.db,
  );
  await sql`DELETE FROM mail_refusal`.execute(testApp.context.db);
});

async function mend(): Promise<void> {
  Object.assign(smtp.faults, { refuseSender: null, refuseRecipient: null, refuseMail: null });
}

/** Refuses mails to addresses that begin with 'nei', or, at MAIL FROM, all mails. */
function refuse(stage: Stage, reply: SmtpReply): void {
  const toNei = (address: string) => (address.startsWith('nei') ? reply : null);
  if (stage === 'MAIL FROM') smtp.faults.refuseSender = reply;
  else if (stage === 'RCPT TO') smtp.faults.refuseRecipient = toNei;
  else smtp.faults.refuseMail = ({ to }) => toNei(to[0] ?? '');
}

async function send(email: string, sender = client): Promise<string> {
  const customer = await createCustomer(sender, { email });
  const uuid = await createDraft(sender, customer, { delivery_type: 'EMAIL' });
  await register(sender, uuid);
  return uuid;
}

interface Delivery {
  readonly status: string;
  readonly waiting_reason: string | null;
  readonly failure_reason: string | null;
}

async function untilDelivery(uuid: string, fits: (delivery: Delivery) => boolean, sender = client) {
  const { deliveries } = await until(
    async () => (await sender.get(`/api/invoices/${uuid}/`)).body,
    (invoice) => invoice.deliveries[0] !== undefined && fits(invoice.deliveries[0]),
  );
  return deliveries[0] as Delivery;
}

const untilWaiting = async (uuid: string) =>
  untilDelivery(uuid, (delivery) => delivery.waiting_reason !== null);
const untilFailed = async (uuid: string) =>
  untilDelivery(uuid, ({ status }) => status === 'FAILED');
const untilSent = async (uuid: string) => untilDelivery(uuid, ({ status }) => status === 'SENT');

/** Moves tries that wait: by themselves they come seconds later, which is before or after what a test does. */
async function moveTries(later: boolean): Promise<void> {
  await sql`UPDATE jobs.job SET start_after = now() + ${later ? '1 hour' : '0 hours'}::interval
    WHERE name = 'deliver' AND state = 'retry'`.execute(testApp.context.db);
}

/** Waits until a delivery is between two tries, and puts its next one off. */
async function hold(uuid: string): Promise<Delivery> {
  const waiting = await untilWaiting(uuid);
  await until(
    async () => {
      await moveTries(true);
      return jobOf(uuid);
    },
    ({ state, isLater }) => state === 'retry' && isLater,
  );
  return waiting;
}

async function jobOf(uuid: string) {
  const { rows } = await sql<{ state: string; isLater: boolean }>`
    SELECT job.state, job.start_after > now() + interval '30 minutes' AS is_later
    FROM jobs.job JOIN delivery ON job.singleton_key = delivery.id::text
    JOIN invoice ON invoice.id = delivery.invoice_id
    WHERE job.name = 'deliver' AND invoice.uuid = ${uuid}`.execute(testApp.context.db);
  return rows[0] ?? { state: '', isLater: false };
}

/** Three invoices that are refused, and not tried again by themselves. */
async function sendThree(): Promise<string[]> {
  const uuids: string[] = [];
  for (const name of ['nei1', 'nei2', 'nei3']) {
    const uuid = await send(`${name}@example.no`);
    await hold(uuid);
    uuids.push(uuid);
  }
  return uuids;
}

/** A login code that the server takes. */
async function acceptAnother(): Promise<void> {
  visitors += 1;
  const email = `ja${visitors}@example.no`;
  await testApp.visitor().post('/api/users/login/email/', { email });
  await smtp.waitForMail(({ to }) => to.includes(email));
}

async function meanings(): Promise<string[]> {
  const { rows } = await sql<{ meaning: string }>`SELECT meaning FROM mail_refusal`.execute(
    testApp.context.db,
  );
  return rows.map(({ meaning }) => meaning);
}

/** One of each stage; `mail-error.test.ts` judges the whole table of DEL-16. */
const OWN: [Stage, number, string][] = [
  ['MAIL FROM', 552, '5.3.4 Message size exceeds limit'],
  ['RCPT TO', 550, 'No such user here'],
  ['DATA', 550, '5.7.133 Sender not authenticated for group'],
];
const DOUBTFUL: [Stage, number, string][] = [
  ['MAIL FROM', 530, '5.7.0 Authentication required'],
  ['RCPT TO', 554, 'Relay access denied'],
  ['DATA', 554, '5.7.1 spam rejected'],
];
const OF_THE_MOMENT: [Stage, number, string][] = [
  ['MAIL FROM', 451, '4.3.0 Try later'],
  ['RCPT TO', 450, '4.7.1 Greylisted'],
  ['DATA', 452, '4.3.1 Disk full'],
];

describe('a refusal', () => {
  test.each(OWN)(
    'of the mail alone fails it, whatever is accepted: %s %i %s',
    async (stage, code, text) => {
      refuse(stage, { code, text });
      const { failure_reason: reason } = await untilFailed(await send('nei@example.no'));
      expect(reason).toContain(`(${code}`);
    },
  );

  test.each(DOUBTFUL)(
    'that may be the sender’s waits, and fails when another mail is accepted: %s %i %s',
    async (stage, code, text) => {
      refuse(stage, { code, text });
      const uuid = await send('nei@example.no');
      expect(await hold(uuid)).toMatchObject({ status: 'QUEUED', failure_reason: null });
      await mend();
      await acceptAnother();
      const { failure_reason: reason } = await untilFailed(uuid);
      expect(reason).toMatch(/^E-posttjeneren avviste .*\(5\d\d/);
    },
  );

  test.each(DOUBTFUL)(
    'that may be the sender’s waits for an operator when it is one of three: %s %i %s',
    async (stage, code, text) => {
      refuse(stage, { code, text });
      const uuids = await sendThree();
      const last = await untilWaiting(uuids.at(-1) ?? '');
      expect(last.waiting_reason).toMatch(/fra oss|avsenderens adresse/);
      await mend();
      await acceptAnother();
      await until(meanings, (found) => found.every((meaning) => meaning === 'MAIL'));
      for (const uuid of uuids)
        expect(await untilWaiting(uuid)).toMatchObject({ status: 'QUEUED' });
    },
  );

  test.each(OF_THE_MOMENT)(
    'of the moment waits, whatever is accepted: %s %i %s',
    async (stage, code, text) => {
      refuse(stage, { code, text });
      const uuid = await send('nei@example.no');
      await hold(uuid);
      await mend();
      await acceptAnother();
      expect(await untilWaiting(uuid)).toMatchObject({ status: 'QUEUED' });
      await moveTries(false);
      await untilSent(uuid);
    },
  );
});

const SPAM = { code: 554, text: '5.7.1 spam rejected' };

test('an invoice fails by the first other invoice that is accepted, and its owner is told', async () => {
  // A company of its own: the job that runs each minute may have told the other one within the hour.
  const owner = await testApp.login('annen@example.no');
  await completeProfile(owner, { email: 'annet-firma@example.no' });
  refuse('DATA', SPAM);
  const refused = await send('nei@example.no', owner);
  await untilDelivery(refused, (delivery) => delivery.waiting_reason !== null, owner);
  await send('ja@example.no', owner);
  await untilDelivery(refused, ({ status }) => status === 'FAILED', owner);
  const companyId = await companyIdOf(testApp.context.db, 'annen@example.no');
  await reportFailures(testApp.context, { companyId }, QUOTE_FAILURES);
  const mail = await smtp.waitForMail(({ to }) => to.includes('annet-firma@example.no'));
  expect((await readMail(mail)).text).toContain('avviste e-posten (554 5.7.1)');
});

test('what waited for an operator is sent when it is mended', async () => {
  refuse('DATA', SPAM);
  const uuids = await sendThree();
  await mend();
  await acceptAnother();
  await moveTries(false);
  for (const uuid of uuids) expect(await untilSent(uuid)).toMatchObject({ waiting_reason: null });
});

test.each([
  [SPAM, 'FAILED'],
  [{ code: 550, text: '5.4.5 Daily sending quota exceeded' }, 'QUEUED'],
])(
  'refused once more after others were accepted, it is FAILED unless by a quota: %j',
  async (reply, status) => {
    refuse('DATA', reply);
    const uuids = await sendThree();
    await acceptAnother();
    await until(meanings, (found) => found.every((meaning) => meaning === 'MAIL'));
    await moveTries(false);
    if (status === 'QUEUED') await until(meanings, (found) => !found.includes('MAIL'));
    for (const uuid of uuids) {
      const delivery = await untilDelivery(uuid, (one) => one.status === status);
      expect(delivery.failure_reason === null).toBe(status === 'QUEUED');
    }
  },
);

test('a login code that is refused for good is not tried again, and counts in a row', async () => {
  const ask = async (email: string) => testApp.visitor().post('/api/users/login/email/', { email });
  const untilDone = async () =>
    until(
      async () => testApp.context.jobs.depths(),
      (depths) => !depths.some(({ name }) => name === 'login-mail'),
    );
  let tries = 0;
  smtp.faults.refuseRecipient = (address) => {
    if (!address.startsWith('nei')) return null;
    tries += 1;
    return { code: 550, text: '5.1.1 No such user' };
  };
  await ask('nei@example.no');
  await untilDone();
  expect(tries).toBe(1);
  await mend();
  refuse('DATA', SPAM);
  const uuid = await send('nei@example.no');
  await hold(uuid);
  await ask('nei1@example.no');
  await ask('nei2@example.no');
  await until(meanings, (found) => found.includes('SENDER'));
});
