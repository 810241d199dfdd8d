import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { startTestApp, type TestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { companyIdOf } from '../testing/company.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { network } from '../testing/fixture-carrier.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { askAgain } from './delivery-housekeeping.service.ts';

// A second carrier in the place of EHF: its line in the list of carriers names another folder.
vi.mock(import('./carriers/ehf/ehf.carrier.ts'), async () => {
  const { fixtureCarrier } = await import('../testing/fixture-carrier.ts');
  return { ehfCarrier: fixtureCarrier };
});

const OWNER = 'eier@example.no';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let companyId: number;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url, DISPATCH: 'auto' });
  client = await testApp.login(OWNER);
  await completeProfile(client);
  companyId = await companyIdOf(testApp.context.db, OWNER);
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

beforeEach(() => {
  Object.assign(network, { becomes: 'TAKEN', trouble: null, unreachable: null });
});

/** A registered invoice that goes by the second carrier. */
async function sendAsEhf(): Promise<string> {
  const customer = await createCustomer(client, { org_number: '974760673' });
  const uuid = await createDraft(client, customer, { delivery_type: 'EHF' });
  await register(client, uuid);
  return uuid;
}

async function deliveryOf(uuid: string) {
  const { db } = testApp.context;
  return db
    .selectFrom('delivery')
    .innerJoin('invoice', 'invoice.id', 'delivery.invoiceId')
    .selectAll('delivery')
    .where('invoice.uuid', '=', uuid)
    .orderBy('delivery.id', 'desc')
    .executeTakeFirst();
}

type Row = NonNullable<Awaited<ReturnType<typeof deliveryOf>>>;

async function untilDelivery(uuid: string, fits: (row: Row) => boolean): Promise<Row> {
  const found = await until(
    async () => deliveryOf(uuid),
    (row) => row !== undefined && fits(row),
  );
  if (!found) throw new Error('There is no delivery');
  return found;
}

function timesHandedOver(key: string): number {
  return network.handedOver.filter((other) => other === key).length;
}

async function kindsOf(uuid: string): Promise<string[]> {
  const { body } = await client.get(`/api/invoices/${uuid}/history/`);
  return (body as unknown as { kind: string }[]).map(({ kind }) => kind);
}

describe('a second carrier', () => {
  test('takes a document now, and it is SENT when it is known to have arrived', async () => {
    const uuid = await sendAsEhf();
    const taken = await untilDelivery(uuid, ({ mayHaveArrived }) => mayHaveArrived);
    expect(taken).toMatchObject({
      status: 'QUEUED',
      deliveryType: 'EHF',
      recipient: '0192:974760673',
      carrierKey: taken.uuid,
      carrierReference: `network-${taken.uuid}`,
      failureReason: null,
    });
    network.states.set(taken.uuid, 'ARRIVED');
    const sent = await untilDelivery(uuid, ({ status }) => status === 'SENT');
    expect(sent.carrierReference).toBe(`network-${taken.uuid}`);
    expect(timesHandedOver(taken.uuid)).toBe(1);
    expect((await kindsOf(uuid)).slice(0, 2)).toEqual(['SENT', 'QUEUED']);
  });

  test('takes no draft for a customer whom it does not reach', async () => {
    const customer = await createCustomer(client, { org_number: null });
    const uuid = await createDraft(client, customer, { delivery_type: 'EHF' });
    const refused = await client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
    expect(refused.status).toBe(409);
    expect((await client.get(`/api/invoices/${uuid}/`)).body).toMatchObject({ status: 'DRAFT' });
  });

  test('is asked before a document is handed over again, and gets none twice', async () => {
    network.trouble = 'ANSWER_LOST';
    network.becomes = 'ARRIVED';
    const uuid = await sendAsEhf();
    const { uuid: key } = await untilDelivery(uuid, ({ status }) => status === 'SENT');
    expect(timesHandedOver(key)).toBe(1);
  });

  test.each(['AWAY', 'BLOCKED'] as const)(
    'is handed again what it never got: %s',
    async (trouble) => {
      network.trouble = trouble;
      network.becomes = 'ARRIVED';
      const uuid = await sendAsEhf();
      const { uuid: key } = await untilDelivery(uuid, ({ status }) => status === 'SENT');
      expect(timesHandedOver(key)).toBe(2);
    },
  );

  test('has waits and patience of its own: what nobody knows is no failure', async () => {
    const uuid = await sendAsEhf();
    const { id } = await untilDelivery(uuid, ({ mayHaveArrived }) => mayHaveArrived);
    const { db } = testApp.context;
    await db.updateTable('delivery').set({ attempts: 9999 }).where('id', '=', id).execute();
    const later = await untilDelivery(uuid, ({ attempts }) => attempts > 10_000);
    expect(later.status).toBe('QUEUED');
    const { rows } = await sql`
      SELECT data->'payload' AS payload, retry_delay, retry_delay_max FROM jobs.job
      WHERE singleton_key = ${String(id)}`.execute(db);
    expect(rows).toEqual([
      { payload: { companyId, deliveryId: id }, retryDelay: 1, retryDelayMax: 1 },
    ]);
    network.states.set(later.uuid, 'ARRIVED');
    await untilDelivery(uuid, ({ status }) => status === 'SENT');
  });

  test('is not overruled: what it has is not stopped because it was paid meanwhile', async () => {
    const uuid = await sendAsEhf();
    const { uuid: key } = await untilDelivery(uuid, ({ mayHaveArrived }) => mayHaveArrived);
    await client.post(`/api/invoices/${uuid}/update/`, { status: 'PAID' });
    // Nor while it does not say what became of it.
    network.states.set(key, 'BUSY');
    const asked = await untilDelivery(uuid, ({ failureReason, waitingReason }) =>
      [failureReason, waitingReason].some((reason) => reason !== null),
    );
    expect(asked).toMatchObject({ status: 'QUEUED', waitingReason: 'Opptatt' });
    await sql`UPDATE delivery SET ask_again_at = NULL WHERE uuid = ${key}`.execute(
      testApp.context.db,
    );
    network.states.set(key, 'ARRIVED');
    expect((await untilDelivery(uuid, ({ status }) => status !== 'QUEUED')).status).toBe('SENT');
  });

  test('refuses a document with a verdict, at once or after it was SENT', async () => {
    network.becomes = 'REFUSED';
    const atOnce = await sendAsEhf();
    const refused = await untilDelivery(atOnce, ({ status }) => status === 'FAILED');
    expect(refused.failureReason).toBe('Mottakeren avviste dokumentet');
    network.becomes = 'ARRIVED';
    const later = await sendAsEhf();
    const { id, uuid: key } = await untilDelivery(later, ({ status }) => status === 'SENT');
    network.states.set(key, 'REFUSED');
    const { context } = testApp;
    await askAgain(context);
    expect((await deliveryOf(later))?.status).toBe('SENT');
    await sql`UPDATE delivery SET ask_again_at = now() WHERE id = ${id}`.execute(context.db);
    // As housekeeping does each minute: while the job that sent it is ending, no other is added.
    await until(
      async () => {
        await askAgain(context);
        return deliveryOf(later);
      },
      (row) => row?.status === 'FAILED',
    );
    expect((await kindsOf(later)).slice(0, 2)).toEqual(['FAILED', 'SENT']);
  });

  test('is asked no sooner than it wants about what was SENT', async () => {
    network.becomes = 'ARRIVED';
    const { context } = testApp;
    const invoice = await sendAsEhf();
    const { id, uuid: key } = await untilDelivery(invoice, ({ status }) => status === 'SENT');
    network.states.set(key, 'BUSY');
    await sql`UPDATE delivery SET ask_again_at = now() WHERE id = ${id}`.execute(context.db);
    const askedIn = async () => {
      await askAgain(context);
      const { rows } = await sql<{ seconds: number }>`
        SELECT extract(epoch FROM ask_again_at - now())::float AS seconds
        FROM delivery WHERE id = ${id}`.execute(context.db);
      return rows[0]?.seconds ?? 0;
    };
    expect(await until(askedIn, (seconds) => seconds > 0)).toBeLessThanOrEqual(600);
    expect((await deliveryOf(invoice))?.status).toBe('SENT');
  });

  test('says what keeps a document from going, before a job is made', async () => {
    network.unreachable = '0192:974760673';
    const uuid = await sendAsEhf();
    const failed = await untilDelivery(uuid, ({ status }) => status === 'FAILED');
    expect(failed).toMatchObject({ failureReason: 'Kunden kan ikke motta EHF', attempts: 0 });
  });

  test('leaves e-mail as it is', async () => {
    const customer = await createCustomer(client, { email: 'kari@example.no' });
    const uuid = await createDraft(client, customer, { delivery_type: 'EMAIL' });
    await register(client, uuid);
    const sent = await untilDelivery(uuid, ({ status }) => status === 'SENT');
    const { messageId } = await smtp.waitForMail(({ to }) => to.includes('kari@example.no'));
    expect(messageId).toBe(sent.carrierKey);
  });
});
