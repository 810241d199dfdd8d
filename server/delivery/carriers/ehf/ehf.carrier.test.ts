import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { revokeAgreement } from './ehf-agreement.service.ts';
import { fetchEvents } from './transmission.service.ts';
import {
  METRICS_TOKEN,
  RECEIVER,
  startEhfWorld,
  type EhfWorld,
} from '../../../testing/peppol/ehf-world.ts';
import type { FakePhossAp } from '../../../testing/peppol/fake-phoss-ap.ts';
import type { FakeStorecove } from '../../../testing/peppol/fake-storecove.ts';
import { companyIdOf } from '../../../testing/company.ts';
import {
  addAssignment,
  createCustomer,
  createDraft,
  register,
} from '../../../testing/factories.ts';
import { until } from '../../../testing/until.ts';
import { requeueFailed } from '../../delivery-by-hand.service.ts';
import { askAgain, releaseLeases } from '../../delivery-housekeeping.service.ts';

const STRANGER = '923609016';

async function untilStatus(world: EhfWorld<unknown>, uuid: string, status: string) {
  return until(
    async () => world.invoice(uuid),
    (invoice) => invoice.delivery_status === status,
  );
}

/** Lets hours pass until it has been asked about often enough. */
async function untilAsked(world: EhfWorld<unknown>, uuid: string, status: string) {
  return until(
    async () => {
      await world.pass(1);
      return world.invoice(uuid);
    },
    (invoice) => invoice.delivery_status === status,
  );
}

async function untilReason(world: EhfWorld<unknown>, uuid: string, reason: string) {
  return until(
    async () => world.invoice(uuid),
    (invoice) => invoice.deliveries[0]?.waiting_reason === reason,
  );
}

describe('with phoss-ap', () => {
  let world: EhfWorld<FakePhossAp>;

  beforeAll(async () => {
    world = await startEhfWorld('phoss-ap');
  });
  afterAll(async () => world.close());
  beforeEach(() => {
    world.point.outcomes.clear();
    world.point.interrupt = null;
    world.point.transmissions.length = 0;
    world.point.requests.length = 0;
  });

  // EHF-12, EHF-18
  test('an invoice and its credit note go as EHF, each once, with the bytes that are kept', async () => {
    const uuid = await world.draft();
    const number = await register(world.client, uuid);
    const { deliveries } = await untilStatus(world, uuid, 'SENT');
    expect(deliveries).toMatchObject([{ delivery_type: 'EHF', recipient: RECEIVER }]);
    const { text } = await world.client.get(`/api/invoices/${uuid}/efaktura/`);
    expect(world.point.transmissions).toMatchObject([{ receiver: RECEIVER, xml: text }]);
    expect(world.point.transmissions[0]?.key).toBe(deliveries[0].uuid);
    expect(text).toContain(`<cbc:ID>${number}</cbc:ID>`);
    await world.client.delete(`/api/invoices/${uuid}/`);
    const { credit_note: note } = await world.invoice(uuid);
    await untilStatus(world, note.uuid, 'SENT');
    expect(world.point.transmissions[1]?.documentType).toContain('CreditNote-2');
    expect(world.smtp.mails).toEqual([]);
    const history = await world.client.get(`/api/invoices/${uuid}/history/`);
    expect(history.body).toContainEqual(
      expect.objectContaining({
        kind: 'SENT',
        details: { delivery_type: 'EHF', recipient: RECEIVER },
      }),
    );
  });

  test('an attempt that failed is not sent again: it is asked for until it is delivered', async () => {
    world.point.outcomes.set(RECEIVER, 'retried');
    const uuid = await world.draft();
    await register(world.client, uuid);
    await until(
      () => world.point.requests.filter((request) => request.includes('/status/')).length,
      (many) => many > 0,
    );
    expect(await world.invoice(uuid)).toMatchObject({ delivery_status: 'QUEUED' });
    world.point.retry();
    await untilAsked(world, uuid, 'SENT');
    expect(world.point.transmissions).toHaveLength(1);
  });

  // EHF-12
  test('an answer that is lost after it was taken leads to no second transmission', async () => {
    let lost = 0;
    const uuid = await world.draft();
    const { point } = world;
    // It takes the document, and hangs up instead of answering.
    point.interrupt = (request, response) => {
      if (request.method !== 'POST') return false;
      const end = response.end.bind(response);
      response.end = (() => {
        lost += 1;
        request.socket.destroy();
        return end();
      }) as never;
      return false;
    };
    await register(world.client, uuid);
    await until(
      () => lost,
      (many) => many > 0,
    );
    point.interrupt = null;
    await untilAsked(world, uuid, 'SENT');
    expect(point.transmissions).toHaveLength(1);
  });

  // EHF-11, EHF-13
  test('an access point that is away, or refuses us, fails nothing in a month', async () => {
    const uuid = await world.draft();
    world.point.interrupt = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    await register(world.client, uuid);
    await untilReason(world, uuid, 'Aksesspunktet for EHF svarer ikke');
    const waiting = await world.testApp.context.db
      .selectFrom('delivery')
      .select('askAgainAt')
      .where('status', '=', 'QUEUED')
      .executeTakeFirstOrThrow();
    const seconds = ((waiting.askAgainAt?.getTime() ?? 0) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThan(3600);
    world.point.interrupt = (_request, response) => {
      response.writeHead(401).end();
      return true;
    };
    for (let day = 1; day <= 30; day += 1) await world.pass(24);
    await until(
      async () => {
        await world.pass(24);
        return world.invoice(uuid);
      },
      (invoice) => invoice.deliveries[0].waiting_reason?.includes('tar ikke imot fra oss'),
    );
    expect((await world.invoice(uuid)).delivery_status).toBe('QUEUED');
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    await until(
      async () => world.client.send({ method: 'GET', url: '/metrics', headers }),
      ({ text }) => text.includes('\nfaktur_ehf_overdue 1\n'),
    );
    world.point.interrupt = null;
    await untilAsked(world, uuid, 'SENT');
    expect(world.point.transmissions).toHaveLength(1);
  });

  // EHF-7
  test('who cannot receive is told so, and the network is not asked to try', async () => {
    world.say(STRANGER, 'SERVFAIL');
    const uuid = await world.draft(STRANGER);
    world.point.outcomes.set(STRANGER, 'not-registered');
    await register(world.client, uuid);
    // Unknown is not no: the access point looks for itself, and its verdict is one.
    const { deliveries } = await untilStatus(world, uuid, 'FAILED');
    expect(deliveries[0].failure_reason).toBe(
      'Aksesspunktet avviste dokumentet: Receiver is not registered in the SML',
    );
    world.say(STRANGER, 'NXDOMAIN');
    const again = await world.client.post(`/api/invoices/${uuid}/resend/`);
    expect(again.status).toBe(200);
    const failed = await until(
      async () => world.invoice(uuid),
      (invoice) => invoice.deliveries.at(-1).failure_reason === 'Kunden kan ikke motta EHF',
    );
    expect(failed.deliveries).toHaveLength(2);
    expect(world.point.transmissions).toEqual([]);
  });

  test('what failed goes to nobody else, though the customer has another number by now', async () => {
    world.point.outcomes.set(RECEIVER, 'not-registered');
    const customer = await createCustomer(world.client, { org_number: RECEIVER });
    const uuid = await createDraft(world.client, customer, { delivery_type: 'EHF' });
    await register(world.client, uuid);
    await untilStatus(world, uuid, 'FAILED');
    const { body } = await world.client.get(`/api/customers/${customer}/`);
    const changed = { ...body, org_number: STRANGER };
    expect((await world.client.put(`/api/customers/${customer}/update/`, changed)).status).toBe(
      200,
    );
    world.point.outcomes.clear();
    expect((await world.client.post(`/api/invoices/${uuid}/resend/`)).status).toBe(200);
    const { deliveries } = await untilStatus(world, uuid, 'SENT');
    expect(deliveries.at(-1).recipient).toBe(RECEIVER);
    expect(world.point.transmissions).toMatchObject([{ receiver: RECEIVER }]);
  });

  test('what was to go to another number than the document names is not sent', async () => {
    world.point.interrupt = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    const uuid = await world.draft();
    await register(world.client, uuid);
    await untilReason(world, uuid, 'Aksesspunktet for EHF svarer ikke');
    // As a version before made it.
    await world.testApp.context.db
      .updateTable('delivery')
      .set({ recipient: STRANGER })
      .where('status', '=', 'QUEUED')
      .execute();
    world.point.interrupt = null;
    const failed = await untilAsked(world, uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toContain('et annet organisasjonsnummer');
    expect(world.point.transmissions).toEqual([]);
  });

  // EHF-7
  test('registering all sends each its own way, and leaves whom EHF cannot reach', async () => {
    world.say(STRANGER, 'NXDOMAIN');
    const byEhf = await world.draft();
    const byMail = await world.draft(RECEIVER, { delivery_type: 'EMAIL' });
    const unreachable = await world.draft(STRANGER);
    const nameless = await world.draft('');
    await world.pass(2);
    const { body: list } = await world.client.get('/api/invoices/');
    // Reachability is looked up at registration.
    expect(list.summary.queueable).toMatchObject({ drafts: 3, emails: 1 });
    const { body } = await world.client.post('/api/invoices/queue/');
    expect(body.registered.map(({ uuid }: { uuid: string }) => uuid)).toEqual([byEhf, byMail]);
    expect(body.skipped).toMatchObject([
      { uuid: unreachable, message: 'The customer cannot receive EHF', mended_at: 'INVOICE' },
      {
        uuid: nameless,
        message: 'No EHF can be made: the buyer has no organisation number',
        mended_at: 'CUSTOMER',
      },
    ]);
    for (const { uuid, message, mended_at } of body.skipped) {
      const { obstacles } = (await world.client.get(`/api/invoices/${uuid}/`)).body;
      expect(obstacles).toEqual([{ message, mended_at }]);
    }
    await untilStatus(world, byEhf, 'SENT');
    await untilStatus(world, byMail, 'SENT');
    expect(world.point.transmissions).toHaveLength(1);
    // The owner may be told meanwhile, at every fifth minute, of what failed in the tests before.
    const invoices = world.smtp.mails.filter(({ subject }) => /^Faktura \d+ fra /.test(subject));
    expect(invoices).toHaveLength(1);
    const again = await world.client.post(`/api/invoices/queue/?invoice_uuid=${unreachable}`);
    expect(again.status).toBe(409);
    const { body: after } = await world.client.get('/api/invoices/');
    expect(after.summary.queueable).toMatchObject({ drafts: 0, emails: 0 });
    for (const uuid of [unreachable, nameless]) await world.client.delete(`/api/invoices/${uuid}/`);
  });

  test('what was cancelled on its way and then rejected has no credit note after it', async () => {
    world.point.outcomes.set(RECEIVER, 'retried');
    const uuid = await world.draft();
    await register(world.client, uuid);
    const { deliveries } = await until(
      async () => world.invoice(uuid),
      ({ deliveries: [one] }) => world.point.stored.has(one?.uuid),
    );
    await world.client.delete(`/api/invoices/${uuid}/`);
    Object.assign(world.point.stored.get(deliveries[0].uuid) ?? {}, {
      status: 'permanently_failed',
      errorDetails: 'rejected',
    });
    world.point.outcomes.clear();
    const invoice = await untilAsked(world, uuid, 'FAILED');
    expect(invoice.deliveries[0].failure_reason).toContain('avviste dokumentet: rejected');
    const note = await untilAsked(world, invoice.credit_note.uuid, 'FAILED');
    expect(note.deliveries).toMatchObject([{ stopped_by: 'CANCELLED' }]);
    expect(world.point.transmissions).toEqual([]);
  });

  // EHF-15
  test('a refusal that comes after it was sent makes it failed, within a week', async () => {
    const uuid = await world.draft();
    await register(world.client, uuid);
    const { deliveries } = await untilStatus(world, uuid, 'SENT');
    const stored = world.point.stored.get(deliveries[0].uuid);
    if (!stored) throw new Error('Nothing was stored');
    await world.pass(24 * 3);
    stored.mlsStatus = 'received_re';
    stored.errorDetails = 'BV: a rule is broken';
    await askAgain(world.testApp.context);
    const failed = await untilStatus(world, uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toBe(
      'Aksesspunktet avviste dokumentet: BV: a rule is broken',
    );
  });

  test('what a process was posting when it was killed is left alone while it may still arrive', async () => {
    const held: (() => void)[] = [];
    const { context } = world.testApp;
    world.point.interrupt = ({ method }, response) => {
      // It is also asked what became of earlier ones, which nobody posts.
      if (method !== 'POST') return false;
      held.push(() => response.writeHead(503).end());
      return true;
    };
    await world.pass(24);
    await askAgain(context);
    const uuid = await world.draft();
    await register(world.client, uuid);
    await until(
      () => held.length,
      (many) => many > 0,
    );
    await releaseLeases(context);
    const leased = await context.db
      .selectFrom('delivery')
      .select('deliveryType')
      .where('leasedUntil', 'is not', null)
      .execute();
    expect(leased).toEqual([{ deliveryType: 'EHF' }]);
    world.point.interrupt = null;
    for (const answer of held) answer();
    await untilAsked(world, uuid, 'SENT');
  });

  test('what failed is left as it is by an operator whose EHF is off, and can go by mail', async () => {
    const uuid = await world.draft(STRANGER);
    world.say(STRANGER, 'SERVFAIL');
    world.point.outcomes.set(STRANGER, 'not-registered');
    await register(world.client, uuid);
    await untilStatus(world, uuid, 'FAILED');
    const { config, db } = world.testApp.context;
    const off = { config: { ...config, ehf: null }, db };
    const { requeued, left } = await requeueFailed(off, { since: null, reason: '' });
    expect(requeued).toBe(0);
    expect(left.get('delivery_type_unavailable')).toBeGreaterThan(0);
    expect(await world.invoice(uuid)).toMatchObject({ delivery_status: 'FAILED' });
    const mailed = await world.client.post(`/api/invoices/${uuid}/deliveries/`, {
      delivery_type: 'EMAIL',
      recipient: 'kari@example.no',
    });
    expect(mailed.status).toBe(201);
  });

  test('what was SENT is asked about after 1, 5 and 30 minutes, then hourly, and daily for a week (EHF-15)', async () => {
    const uuid = await world.draft();
    await register(world.client, uuid);
    const [{ uuid: delivery }] = (await untilStatus(world, uuid, 'SENT')).deliveries;
    const { context } = world.testApp;
    /** Minutes until it is asked about; null for never. */
    const wait = async () => {
      const { askAgainAt } = await context.db
        .selectFrom('delivery')
        .select('askAgainAt')
        .where('uuid', '=', delivery)
        .executeTakeFirstOrThrow();
      return askAgainAt && Math.round((askAgainAt.getTime() - Date.now()) / 60_000);
    };
    const waits = [await wait()];
    for (const minutes of [1, 4, 25, 24 * 60, 7 * 24 * 60]) {
      await world.pass(minutes / 60);
      const asked = async () => {
        await askAgain(context);
        return wait();
      };
      waits.push(await until(asked, (next) => next === null || next > 0));
    }
    expect(waits).toEqual([1, 4, 25, 60, 24 * 60, null]);
  });

  // EHF-3
  test('what waits when the agreement is revoked fails with that reason', async () => {
    world.point.interrupt = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    const uuid = await world.draft();
    await register(world.client, uuid);
    await untilReason(world, uuid, 'Aksesspunktet for EHF svarer ikke');
    const { db } = world.testApp.context;
    await revokeAgreement(db, await companyIdOf(db, 'ehf@example.no'));
    world.point.interrupt = null;
    const failed = await untilAsked(world, uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toContain('ingen gyldig utstederavtale');
    expect(world.point.transmissions).toEqual([]);
  });
});

test('what an assignment is to send goes to nobody who cannot receive it', async () => {
  const world = await startEhfWorld('phoss-ap', 'fast@example.no', { FEATURES: 'recurring' });
  world.say(STRANGER, 'NXDOMAIN');
  const [stranger, receiver] = [
    await createCustomer(world.client, { org_number: STRANGER }),
    await createCustomer(world.client, { org_number: RECEIVER }),
  ];
  // Nobody has asked about them since the last period.
  const { uuid } = await addAssignment(world.client, {
    customer_numbers: [stranger, receiver],
    delivery_type: 'EHF',
    mode: 'SEND',
    day: null,
    interval: { unit: 'WEEK', count: 1 },
  });
  const { body: run } = await world.client.post(`/api/invoices/recurring/${uuid}/run/`);
  const invoices = (run as unknown as { invoices: string[] }).invoices;
  expect(run).toMatchObject({ failures: [{ customer_number: stranger }] });
  const statuses = await Promise.all(invoices.map(async (id) => (await world.invoice(id)).status));
  expect(new Set(statuses)).toEqual(new Set(['DRAFT', 'REGISTERED']));
  await world.close();
});

test('an access point that hangs holds up no mail', async () => {
  const world = await startEhfWorld('phoss-ap', 'henger@example.no');
  const held: (() => void)[] = [];
  world.point.interrupt = (_request, response) => {
    held.push(() => response.writeHead(503).end());
    return true;
  };
  // More than one process fetches at once, of all kinds together.
  for (let many = 1; many <= 60; many += 1) await register(world.client, await world.draft());
  await until(
    () => held.length,
    (many) => many > 0,
  );
  const byMail = await world.draft(RECEIVER, { delivery_type: 'EMAIL' });
  await register(world.client, byMail);
  await untilStatus(world, byMail, 'SENT');
  expect(held.length).toBeLessThanOrEqual(4);
  world.point.interrupt = null;
  for (const answer of held) answer();
  await world.close();
});

describe('with Storecove', () => {
  let world: EhfWorld<FakeStorecove>;

  beforeAll(async () => {
    world = await startEhfWorld('storecove');
  });
  afterAll(async () => world.close());

  const noSignal = new AbortController().signal;

  async function keptEvents(details: string) {
    const { db } = world.testApp.context;
    return db.selectFrom('peppolEvent').select('name').where('details', '=', details).execute();
  }

  // EHF-11, EHF-16, EHF-17
  test('an invoice is on its way until there is evidence, which is kept and compared', async () => {
    const uuid = await world.draft();
    await register(world.client, uuid);
    await until(
      () => world.point.submitted.size,
      (many) => many === 1,
    );
    expect((await world.invoice(uuid)).delivery_status).toBe('QUEUED');
    world.point.regenerate = (xml) =>
      xml.replace(/<cbc:PaymentID>\d+</, '<cbc:PaymentID>1234<').replace('Foretaksregisteret', 'X');
    world.point.transmit();
    const error = vi.spyOn(world.testApp.context.log, 'error');
    await untilAsked(world, uuid, 'SENT');
    expect(error).toHaveBeenCalledWith(
      expect.objectContaining({ differences: expect.any(Array) }),
      'the access point sent another document',
    );
    error.mockRestore();
    const { body } = await world.client.get(`/api/invoices/${uuid}/history/`);
    const failed = body.find(({ details }: { details: { reason?: string } }) => details.reason);
    expect(failed.details.reason).toMatch(
      /sendte noe annet.*KID: \d+ became 1234.*Foretaksregisteret/,
    );
    const rows = await world.testApp.context.db.selectFrom('peppolEvidence').selectAll().execute();
    expect(rows).toMatchObject([{ receivedBy: 'PNO000001', differences: { length: 2 } }]);
    // It is asked about for a week, and what is kept is not fetched again.
    const asked = () => world.point.requests.filter((request) => request.includes('/evidence/'));
    const before = asked().length;
    await until(
      async () => {
        await world.pass(1);
        await askAgain(world.testApp.context);
        return asked().length;
      },
      (many) => many > before,
    );
    expect(world.point.downloads).toBe(1);
    // One failed fetch of the evidence does not end the delivery.
    const mayAskAgain = async () =>
      (await world.testApp.context.db.selectFrom('delivery').select('askAgainAt').execute())[0];
    world.point.interrupt = ({ url }, response) => {
      if (!url?.includes('/evidence/')) return false;
      response.writeHead(404).end();
      return true;
    };
    await world.pass(2);
    await askAgain(world.testApp.context);
    await until(mayAskAgain, (row) => (row?.askAgainAt?.getTime() ?? Infinity) > Date.now());
    expect(await mayAskAgain()).toEqual({ askAgainAt: expect.any(Date) });
    world.point.interrupt = null;
    world.point.regenerate = (xml) => xml;
    // The buyer's answer is kept, and changes nothing.
    const { deliveries } = await world.invoice(uuid);
    const answer = { event_type: 'response', event: 'rejected', details: 'Feil pris' };
    const responded = JSON.stringify({ ...answer, idempotencyGuid: deliveries[0].uuid });
    world.point.events.push({ guid: randomUUID(), body: responded });
    await fetchEvents(world.testApp.context, noSignal);
    expect(await keptEvents('Feil pris')).toEqual([{ name: 'rejected' }]);
    await world.pass(2);
    await askAgain(world.testApp.context);
    await until(mayAskAgain, (row) => (row?.askAgainAt?.getTime() ?? 0) > Date.now());
    expect(await world.invoice(uuid)).toMatchObject({
      status: 'REGISTERED',
      delivery_status: 'SENT',
      paid_amount: 0,
    });
  });

  // EHF-16
  test('what it reports to have failed fails, however often it is told', async () => {
    const uuid = await world.draft();
    await register(world.client, uuid);
    await until(
      () => world.point.submitted.size,
      (many) => many === 2,
    );
    world.point.fail('no_action_taken', 'not found');
    const [event] = world.point.events;
    await fetchEvents(world.testApp.context, noSignal);
    if (event) world.point.events.push(event);
    await fetchEvents(world.testApp.context, noSignal);
    expect(world.point.events).toEqual([]);
    const failed = await untilAsked(world, uuid, 'FAILED');
    const reason = 'Kunden kan ikke motta EHF: not found';
    expect(failed.deliveries[0].failure_reason).toBe(reason);
    expect(await keptEvents('not found')).toEqual([{ name: 'no_action_taken' }]);
    const history = await world.client.get(`/api/invoices/${uuid}/history/`);
    expect(history.body[0]).toMatchObject({ kind: 'FAILED', details: { reason } });
  });

  // EHF-12
  test.each(['PAID', 'CANCELLED'])(
    'what it may have taken is found out about, though it is %s by now',
    async (status) => {
      const before = world.point.submitted.size;
      const sent = world.point.transmissions.length;
      const uuid = await world.draft();
      world.point.interrupt = ({ method, socket }, response) => {
        if (method === 'POST') response.end = () => (socket.destroy(), response);
        return false;
      };
      await register(world.client, uuid);
      await untilReason(world, uuid, 'Aksesspunktet for EHF svarer ikke');
      world.point.interrupt = null;
      expect(world.point.submitted.size).toBe(before + 1);
      if (status === 'PAID') {
        await world.client.post(`/api/invoices/${uuid}/update/`, { status });
      } else {
        await world.client.delete(`/api/invoices/${uuid}/`);
      }
      // It is handed over again, with the key that is known, and told to have been taken.
      const posts = () => world.point.requests.filter((request) => request.startsWith('POST'));
      const posted = posts().length;
      await until(
        async () => {
          await world.pass(1);
          return posts().length;
        },
        (many) => many > posted,
      );
      expect(world.point.submitted.size).toBe(before + 1);
      world.point.transmit();
      const invoice = await untilAsked(world, uuid, 'SENT');
      expect(world.point.transmissions).toHaveLength(sent + 1);
      if (status === 'PAID') return;
      const { uuid: note } = invoice.credit_note;
      await until(
        async () => {
          await world.pass(1);
          return world.point.submitted.size;
        },
        (many) => many === before + 2,
      );
      world.point.transmit();
      await untilAsked(world, note, 'SENT');
    },
  );

  test('a document that it refuses is failed with its words', async () => {
    world.point.invalid.set(RECEIVER, 'BR-CO-15');
    const uuid = await world.draft();
    await register(world.client, uuid);
    const failed = await untilStatus(world, uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toBe('Aksesspunktet avviste dokumentet: BR-CO-15');
  });
});
