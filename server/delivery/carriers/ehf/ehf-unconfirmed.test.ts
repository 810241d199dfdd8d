import { QUOTE_FAILURES } from '../../../quote/quote-failure.service.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runCommand } from '../../../operator/run-command.ts';
import { register } from '../../../testing/factories.ts';
import { RECEIVER, startEhfWorld, type EhfWorld } from '../../../testing/peppol/ehf-world.ts';
import type { FakePhossAp } from '../../../testing/peppol/fake-phoss-ap.ts';
import { readMail } from '../../../testing/mails.ts';
import { until } from '../../../testing/until.ts';
import { warnOfOverdue } from '../../delivery-housekeeping.service.ts';
import { reportFailures } from '../../failure-notice.service.ts';

let world: EhfWorld<FakePhossAp>;

beforeAll(async () => {
  world = await startEhfWorld('phoss-ap', 'ehf@example.no', { FEATURES: 'reminders' });
  // Taken, and never transmitted.
  world.point.outcomes.set(RECEIVER, 'retried');
});
afterAll(async () => world.close());

/** An invoice that the access point has had for so many hours. */
async function underWayFor(hours: number): Promise<string> {
  const uuid = await world.draft();
  await register(world.client, uuid);
  await until(
    async () => {
      const { db } = world.testApp.context;
      const { rows } = await sql<{ isTaken: boolean }>`
        SELECT may_have_arrived AND leased_until IS NULL AS is_taken FROM delivery
        JOIN invoice ON invoice.id = delivery.invoice_id WHERE invoice.uuid = ${uuid}`.execute(db);
      return rows[0]?.isTaken ?? false;
    },
    (isTaken) => isTaken,
  );
  await world.pass(hours);
  return uuid;
}

const mailed = async (uuid: string) =>
  world.client.post(`/api/invoices/${uuid}/deliveries/`, {
    delivery_type: 'EMAIL',
    recipient: 'kari@example.no',
  });
const reminded = async (uuid: string) =>
  world.client.post(`/api/invoices/${uuid}/reminders/?dry_run=true`, {
    kind: 'REMINDER',
    fee: false,
    interest: false,
  });

// EHF-14
test('an EHF that never ends is told to its owner, and goes by e-mail, as does its credit note', async () => {
  const uuid = await underWayFor(71);
  expect(await world.invoice(uuid)).toMatchObject({ deliveries: [{ unconfirmed: false }] });
  expect((await mailed(uuid)).status).toBe(409);
  const before = (await reminded(uuid)).text;
  await world.pass(2);
  expect(await world.invoice(uuid)).toMatchObject({ deliveries: [{ unconfirmed: true }] });
  expect((await reminded(uuid)).text).not.toBe(before);
  const { context } = world.testApp;
  await reportFailures(context, { companyId: null }, QUOTE_FAILURES);
  const notice = await world.smtp.waitForMail(({ subject }) => subject.startsWith('Vi vet ikke'));
  expect(notice.subject).toBe('Vi vet ikke om 1 faktura kom fram');
  expect((await readMail(notice)).text).toContain('kan du sende den på e-post');
  expect((await mailed(uuid)).status).toBe(201);
  await world.smtp.waitForMail(({ to }) => to.includes('kari@example.no'));
  await until(
    async () => world.invoice(uuid),
    ({ delivery_status: status }) => status === 'SENT',
  );
  await world.client.delete(`/api/invoices/${uuid}/`);
  await world.smtp.waitForMail(
    ({ to, subject }) => to.includes('kari@example.no') && subject.startsWith('Kreditnota'),
  );
});

// EHF-14
test('the operator is told once an hour, at any minute, and ends it', async () => {
  const uuid = await underWayFor(73);
  const { context } = world.testApp;
  const error = vi.spyOn(context.log, 'error');
  await sql`DELETE FROM rate_limit`.execute(context.db);
  await warnOfOverdue(context);
  await warnOfOverdue(context);
  const { deliveries } = await world.invoice(uuid);
  expect(error.mock.calls.filter(([details]) => 'overdue' in Object(details))).toEqual([
    [
      expect.objectContaining({ deliveries: expect.arrayContaining([deliveries[0].uuid]) }),
      expect.stringContaining('npm run ehf -- end'),
    ],
  ]);
  const lines: string[] = [];
  const output = { line: (text: string) => void lines.push(text), bytes: async () => undefined };
  const end = async () => runCommand(context, 'ehf', ['end', deliveries[0].uuid], output);
  // A worker may hold it just now, to ask about it, and the operator tries again.
  const isHeld = () => lines.at(-1)?.includes('A worker is at it') ?? false;
  expect(await until(end, () => !isHeld())).toBe(0);
  expect(await end()).toBe(1);
  expect(lines.join()).toContain('It is not under way.');
  expect(await world.invoice(uuid)).toMatchObject({
    delivery_status: 'FAILED',
    deliveries: [{ failure_reason: 'Vi har ikke fått vite om fakturaen kom fram' }],
  });
  expect((await mailed(uuid)).status).toBe(201);
});
