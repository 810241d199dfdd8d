import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { TestClient } from '../testing/client.ts';
import { PdfNotPrintable } from '../document/pdf/renderer.ts';
import { startTestApp, STAFF_EMAIL, type TestApp } from '../testing/app.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  CUSTOMER,
  register,
} from '../testing/factories.ts';
import { readMail } from '../testing/mails.ts';
import { startMailServer, type MailServer } from '../testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { deliverJob } from '../platform/jobs/jobs.ts';
import * as repository from './delivery-try.repository.ts';
import { createDeliverer } from './deliver.service.ts';
import { dispatch } from './delivery-making.service.ts';
import { requeueForgotten } from './delivery-housekeeping.service.ts';
import { findWaiting, type Waiting } from './waiting-deliveries.repository.ts';

let smtp: MailServer;
let testApp: TestApp;
let client: TestClient;
let addresses = 0;

const NEVER = new AbortController().signal;

beforeAll(async () => {
  smtp = await startMailServer();
  testApp = await startTestApp({ SMTP_URL: smtp.url, SMTP_TIMEOUT_SECONDS: '5' });
  client = await testApp.login();
  await completeProfile(client);
});

afterAll(async () => {
  await testApp.close();
  await smtp.close();
});

afterEach(() => {
  Object.assign(smtp.faults, {
    acceptDelay: 0,
    refuseRecipient: null,
    refuseMail: null,
    dropAfterData: 0,
  });
});

/** Registers an invoice to a new customer with an address of its own. */
async function sendInvoice(email = `kunde${++addresses}@example.no`) {
  const customerNumber = await createCustomer(client, { email });
  const uuid = await createDraft(client, customerNumber, { delivery_type: 'EMAIL' });
  const invoiceNumber = await register(client, uuid);
  return { uuid, email, customerNumber, invoiceNumber };
}

async function invoiceOf(uuid: string) {
  return (await client.get(`/api/invoices/${uuid}/`)).body;
}

async function untilStatus(uuid: string, status: string) {
  return until(
    async () => invoiceOf(uuid),
    (invoice) => invoice.delivery_status === status,
  );
}

function mailsTo(email: string) {
  return smtp.mails.filter((mail) => mail.to.includes(email));
}

/** The row of an invoice's latest delivery. */
async function deliveryOf(uuid: string) {
  return testApp.context.db
    .selectFrom('delivery')
    .innerJoin('invoice', 'invoice.id', 'delivery.invoiceId')
    .selectAll('delivery')
    .where('invoice.uuid', '=', uuid)
    .orderBy('delivery.id', 'desc')
    .executeTakeFirstOrThrow();
}

/** Waits until a try has come to nothing, and its worker has let go. */
async function untilRefused(uuid: string) {
  const row = await until(
    async () => deliveryOf(uuid).catch(() => null),
    (found) => found !== null && found.attempts > 0 && found.leasedUntil === null,
  );
  if (!row) throw new Error('No delivery was made');
  return row;
}

/** Registers an invoice whose first try is refused for now, and takes its job away. */
async function sendInvoiceThatLosesItsJob() {
  smtp.faults.refuseRecipient = () => ({ code: 451, text: '4.7.1 Greylisted' });
  const invoice = await sendInvoice();
  const { id, companyId } = await untilRefused(invoice.uuid);
  await until(
    async () =>
      sql`DELETE FROM jobs.job WHERE singleton_key = ${String(id)} AND state = 'retry'`.execute(
        testApp.context.db,
      ),
    ({ numAffectedRows = 0n }) => numAffectedRows > 0n,
  );
  smtp.faults.refuseRecipient = null;
  return { ...invoice, id, job: { companyId, deliveryId: id } };
}

/** A delivery as repositories are given it. */
async function nameOf(id: number) {
  return testApp.context.db
    .selectFrom('delivery')
    .select(['companyId', 'id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

describe('a registered e-mail invoice', () => {
  // DEL-2, DEL-4, DEL-10
  it('reaches its buyer with the PDF and the EHF, and is sent', async () => {
    const { uuid, email, invoiceNumber } = await sendInvoice();
    const invoice = await untilStatus(uuid, 'SENT');
    expect(invoice.deliveries).toEqual([
      {
        uuid: expect.any(String),
        delivery_type: 'EMAIL',
        status: 'SENT',
        recipient: email,
        recipients: [{ address: email, status: 'SENT', reason: null }],
        sent_time: expect.any(String),
        failure_reason: null,
        waiting_reason: null,
        deferred_until: null,
        unconfirmed: false,
        unreached: [],
        stopped_by: null,
      },
    ]);
    const mail = await readMail(await smtp.waitForMail(({ to }) => to.includes(email)));
    expect(mail.from?.name).toBe('Snekker Andersen AS');
    expect(mail.replyTo?.[0]?.address).toBe('post@snekker.example');
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      `Faktura-${invoiceNumber}.pdf`,
      `Faktura-${invoiceNumber}.xml`,
    ]);
    const [pdf, xml] = mail.attachments.map(({ content }) =>
      Buffer.from(content as ArrayBuffer).toString(),
    );
    expect(pdf).toMatch(/^%PDF-/);
    expect(xml).toMatch(/^<\?xml/);
  });

  // DEL-3
  it('is mailed once, however often staff sends', async () => {
    const { uuid, email } = await sendInvoice();
    const staff = await testApp.login(STAFF_EMAIL);
    for (let click = 0; click < 3; click += 1) await staff.post('/api/invoices/send/');
    await untilStatus(uuid, 'SENT');
    await staff.post('/api/invoices/send/');
    const later = await sendInvoice();
    await untilStatus(later.uuid, 'SENT');
    expect(mailsTo(email)).toHaveLength(1);
  });

  // DEL-4, DEL-14
  it('is tried again when the mail server cannot take it now', async () => {
    smtp.faults.refuseRecipient = () => ({ code: 451, text: '4.7.1 Greylisted' });
    const { uuid, email } = await sendInvoice();
    await untilRefused(uuid);
    expect((await invoiceOf(uuid)).delivery_status).toBe('QUEUED');
    const { rows } = await sql`
      SELECT retry_backoff, retry_delay, retry_delay_max FROM jobs.job
      WHERE singleton_key = ${String((await deliveryOf(uuid)).id)}`.execute(testApp.context.db);
    expect(rows).toEqual([{ retryBackoff: true, retryDelay: 2, retryDelayMax: 3600 }]);
    smtp.faults.refuseRecipient = null;
    await untilStatus(uuid, 'SENT');
    expect(mailsTo(email)).toHaveLength(1);
  });

  // DEL-12
  it('has the same Message-ID when the answer to it was lost', async () => {
    smtp.faults.dropAfterData = 1;
    const { uuid, email } = await sendInvoice();
    await untilStatus(uuid, 'SENT');
    const ids = mailsTo(email).map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('an invoice that is cancelled while it is mailed', () => {
  it('stays cancelled and is sent, once, as is its credit note', async () => {
    smtp.faults.acceptDelay = 500;
    const { uuid, email, invoiceNumber } = await sendInvoice();
    await until(
      async () => deliveryOf(uuid).catch(() => null),
      (delivery) => delivery?.leasedUntil instanceof Date,
    );
    expect((await client.delete(`/api/invoices/${uuid}/`)).status).toBe(204);
    smtp.faults.acceptDelay = 0;
    const { status, credit_note: note } = await untilStatus(uuid, 'SENT');
    expect(status).toBe('CANCELLED');
    await untilStatus(note.uuid, 'SENT');
    const subjects = mailsTo(email).map(({ subject }) => subject);
    expect(subjects).toEqual([
      `Faktura ${invoiceNumber} fra Snekker Andersen AS`,
      expect.stringMatching(/^Kreditnota \d+ fra Snekker Andersen AS$/),
    ]);
  });
});

describe('a delivery that was refused', () => {
  // DEL-4, DEL-21
  it('fails with its reason, and goes to the corrected address when it is sent again', async () => {
    smtp.faults.refuseRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
    const { uuid, customerNumber } = await sendInvoice();
    const failed = await untilStatus(uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toMatch(/finnes ikke.*550 5\.1\.1/);
    const pdf = (await client.get(`/invoices/${uuid}/pdf/`)).text;

    smtp.faults.refuseRecipient = null;
    await client.put(`/api/customers/${customerNumber}/update/`, {
      ...CUSTOMER,
      email: 'rettet@example.no',
    });
    const answer = await client.post(`/api/invoices/${uuid}/resend/`);
    expect(answer.status).toBe(200);
    expect(answer.body.delivery_status).toBe('QUEUED');
    const sent = await untilStatus(uuid, 'SENT');
    expect(sent.deliveries.map((delivery: { status: string }) => delivery.status)).toEqual([
      'FAILED',
      'SENT',
    ]);
    expect(mailsTo('rettet@example.no')).toHaveLength(1);
    expect((await client.get(`/invoices/${uuid}/pdf/`)).text).toBe(pdf);
  });

  it('is the only one that can be sent again, and only by its company', async () => {
    const { uuid } = await sendInvoice();
    await untilStatus(uuid, 'SENT');
    const answer = await client.post(`/api/invoices/${uuid}/resend/`);
    expect(answer.status).toBe(409);
    expect(answer.body.detail[0].message).toBe('Only a failed delivery can be sent again');
    const stranger = await testApp.login();
    expect((await stranger.post(`/api/invoices/${uuid}/resend/`)).status).toBe(404);
    expect((await testApp.visitor().post(`/api/invoices/${uuid}/resend/`)).status).toBe(401);
  });

  it('is sent again once, however often it is asked for', async () => {
    smtp.faults.refuseRecipient = () => ({ code: 550, text: '5.1.1 No such user' });
    const { uuid, email } = await sendInvoice();
    await untilStatus(uuid, 'FAILED');
    smtp.faults.refuseRecipient = null;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => client.post(`/api/invoices/${uuid}/resend/`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await untilStatus(uuid, 'SENT');
    expect(mailsTo(email)).toHaveLength(1);
  });

  // DEL-8
  it('stops nobody else', async () => {
    smtp.faults.refuseRecipient = (address) =>
      address.startsWith('borte') ? { code: 550, text: '5.1.1 No such user' } : null;
    const lost = await sendInvoice('borte@example.no');
    const other = await sendInvoice();
    await untilStatus(other.uuid, 'SENT');
    await untilStatus(lost.uuid, 'FAILED');
    expect(mailsTo(other.email)).toHaveLength(1);
    expect(mailsTo(lost.email)).toHaveLength(0);
  });

  it('fails after two days of trying, too', async () => {
    smtp.faults.refuseMail = { code: 452, text: '4.3.1 Out of space' };
    const { uuid, email } = await sendInvoice();
    const { id } = await untilRefused(uuid);
    await testApp.context.db
      .updateTable('delivery')
      .set({ attempts: 57 })
      .where('id', '=', id)
      .execute();
    const failed = await untilStatus(uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toContain('452 4.3.1');
    expect(mailsTo(email)).toHaveLength(0);
  });
});

describe('two workers', () => {
  it('never mail one invoice both', async () => {
    const { uuid, email, job } = await sendInvoiceThatLosesItsJob();
    smtp.faults.acceptDelay = 500;
    const workers = [1, 2, 3].map(() => createDeliverer(testApp.context));
    const outcomes = await Promise.allSettled(
      workers.flatMap((deliver) => [deliver(job, NEVER), deliver(job, NEVER)]),
    );
    expect((await invoiceOf(uuid)).delivery_status).toBe('SENT');
    expect(mailsTo(email)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('wait for the lease of one that died', async () => {
    const { uuid, email, id, job } = await sendInvoiceThatLosesItsJob();
    expect(
      await repository.leaseDelivery(testApp.context.db, await nameOf(id), 1500),
    ).not.toBeNull();
    const deliver = createDeliverer(testApp.context);
    await expect(deliver(job, NEVER)).rejects.toThrow('Another worker');
    expect(mailsTo(email)).toHaveLength(0);
    await until(
      async () =>
        deliver(job, NEVER).then(
          () => true,
          () => false,
        ),
      Boolean,
    );
    expect(mailsTo(email)).toHaveLength(1);
    expect((await invoiceOf(uuid)).delivery_status).toBe('SENT');
  });

  it('do not let go of what another has taken since', async () => {
    const { uuid, id } = await sendInvoiceThatLosesItsJob();
    const { db } = testApp.context;
    const name = await nameOf(id);
    const first = await repository.leaseDelivery(db, name, 1);
    if (!first) throw new Error('Nothing was leased');
    await until(
      async () => repository.leaseDelivery(db, name, 60_000),
      (taken) => taken !== null,
    );
    await repository.releaseDelivery(db, first, {
      reason: null,
      isExcused: false,
      mayHaveArrived: false,
    });
    await repository.giveUp(db, first, { failureReason: 'for sent' });
    expect(await repository.leaseDelivery(db, name, 1)).toBeNull();
    expect((await deliveryOf(uuid)).status).toBe('QUEUED');
    expect(await repository.countAttempt(db, name)).toBeNull();
  });

  it('begin nothing when their process stops', async () => {
    const { email, job } = await sendInvoiceThatLosesItsJob();
    const deliver = createDeliverer(testApp.context);
    await expect(deliver(job, AbortSignal.abort(new Error('stopping')))).rejects.toThrow(
      'stopping',
    );
    expect(mailsTo(email)).toHaveLength(0);
    await deliver(job, NEVER);
    expect(mailsTo(email)).toHaveLength(1);
  });
});

describe('housekeeping', () => {
  it('finds a delivery that lost its job', async () => {
    const { uuid, email, id } = await sendInvoiceThatLosesItsJob();
    const { context } = testApp;
    await requeueForgotten(context);
    expect((await deliveryOf(uuid)).status).toBe('QUEUED');
    await sql`UPDATE delivery SET created_at = now() - interval '1 hour' WHERE id = ${id}`.execute(
      context.db,
    );
    await requeueForgotten(context);
    await untilStatus(uuid, 'SENT');
    await requeueForgotten(context);
    expect(mailsTo(email)).toHaveLength(1);
  });

  it('looks at all that wait, some at a time, for those that have no job', async () => {
    const lost = [await sendInvoiceThatLosesItsJob(), await sendInvoiceThatLosesItsJob()];
    smtp.faults.refuseRecipient = () => ({ code: 451, text: '4.7.1 Greylisted' });
    const { uuid } = await sendInvoice();
    const ids = [...lost.map(({ id }) => id), (await untilRefused(uuid)).id];
    const { db, jobs } = testApp.context;
    // Before they are old enough for the clock, which would find them too.
    const without = await jobs.findKeysWithoutJob(db, deliverJob, ids.map(String));
    expect([...without]).toEqual(lost.map(({ id }) => String(id)));
    await sql`UPDATE delivery SET created_at = now() - interval '1 hour'
      WHERE id = ANY(${ids}::bigint[])`.execute(db);
    const found = [];
    for (let after: Waiting | undefined; ;) {
      const [next] = await findWaiting(db, { olderThan: 60, after, most: 1 });
      if (!next) break;
      found.push(next.id);
      after = next;
    }
    expect(found).toEqual(ids);
    smtp.faults.refuseRecipient = null;
    await requeueForgotten(testApp.context);
    for (const { uuid: forgotten } of lost) await untilStatus(forgotten, 'SENT');
  });
});

describe('an invoice that cannot be rendered', () => {
  it('is tried again, and fails in the end', async () => {
    const render = vi
      .spyOn(testApp.context.pdf, 'render')
      .mockRejectedValue(new PdfNotPrintable('No such glyph'));
    const { uuid, email } = await sendInvoice();
    const { id } = await untilRefused(uuid);
    await testApp.context.db
      .updateTable('delivery')
      .set({ attempts: 9 })
      .where('id', '=', id)
      .execute();
    const failed = await untilStatus(uuid, 'FAILED');
    expect(failed.deliveries[0].failure_reason).toBe(
      'PDF-en kunne ikke lages. Vi har fått beskjed om feilen.',
    );
    expect(JSON.stringify(failed)).not.toContain('glyph');
    render.mockRestore();
    await client.post(`/api/invoices/${uuid}/resend/`);
    await untilStatus(uuid, 'SENT');
    expect(mailsTo(email)).toHaveLength(1);
  });
});

// DEL-8
it('fails alone without an address, when those of all companies are sent', async () => {
  const staffed = await startTestApp({ SMTP_URL: smtp.url, DISPATCH: 'staff' });
  const { context } = staffed;
  const ready = async (email: string) => {
    const owner = await staffed.login(`eier-${email}`);
    await completeProfile(owner);
    const uuid = await createDraft(owner, await createCustomer(owner, { email }), {
      delivery_type: 'EMAIL',
    });
    await register(owner, uuid);
    return async () => (await owner.get(`/api/invoices/${uuid}/`)).body;
  };
  const without = await ready('uten@example.no');
  const other = await ready('med@example.no');
  const { uuid } = await without();
  // As no version of the product leaves it.
  await context.db.transaction().execute(async (trx) => {
    await sql`ALTER TABLE invoice DISABLE TRIGGER USER`.execute(trx);
    await sql`UPDATE invoice SET buyer = buyer || '{"email": null}' WHERE uuid = ${uuid}`.execute(
      trx,
    );
    await sql`ALTER TABLE invoice ENABLE TRIGGER USER`.execute(trx);
  });
  await dispatch(context, { companyId: null }, NEVER);
  await until(other, (invoice) => invoice.delivery_status === 'SENT');
  expect(await without()).toMatchObject({
    delivery_status: 'FAILED',
    deliveries: [{ failure_reason: expect.stringContaining('mangler adressen') }],
  });
  await staffed.close();
});
