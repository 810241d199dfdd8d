import { sql } from 'kysely';

import { addDays, type IsoDate } from '../../domain/date.ts';
import type { Context } from '../context.ts';
import type { Db } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { bankFileJob } from '../platform/jobs/jobs.ts';
import type { TestClient } from './client.ts';
import { createCustomer, createDraft, invoiceBody, line, register } from './factories.ts';

interface Late {
  readonly customer?: number;
  readonly dueDate?: IsoDate;
  readonly kroner?: number;
  readonly change?: object & { readonly delivery_type?: 'EMAIL' | 'EHF' | 'NONE' };
}

/**
 * Registers an invoice that was due on Monday 31 August 2026, as if on its issue date. It is delivered by hand by
 * default.
 */
export async function lateInvoice(
  db: Db,
  client: TestClient,
  { customer, dueDate = '2026-08-31', kroner = 1000, change }: Late = {},
): Promise<string> {
  const uuid = await createDraft(client, customer ?? (await createCustomer(client)), {
    issue_date: addDays(dueDate, -14),
    due_days: 14,
    invoice_lines: [line('Arbeid', kroner, 0)],
    ...change,
  });
  await register(client, uuid);
  // The delivery job skips locked rows, so tests that send the invoice move its dates themselves afterwards.
  if (change?.delivery_type === undefined) await registeredInTime(db, [uuid]);
  return uuid;
}

/** Registers such an invoice for each of so many new customers, all at once. Returns the invoices in the order of their numbers. */
export async function lateInvoices(
  db: Db,
  client: TestClient,
  many: number,
  email: string | null,
): Promise<string[]> {
  const customers: number[] = [];
  for (let count = 0; count < many; count += 1)
    customers.push(await createCustomer(client, { email }));
  await client.post(
    '/api/invoices/create/',
    invoiceBody(customers, {
      issue_date: '2026-08-17',
      due_days: 14,
      invoice_lines: [line('Arbeid', 1000, 0)],
    }),
  );
  const answer = await client.post('/api/invoices/queue/');
  const { registered } = answer.body as { registered: { uuid: string }[] };
  const uuids = registered.map(({ uuid }) => uuid);
  if (uuids.length !== many) throw new Error(`${uuids.length} invoices of ${many} are registered`);
  await registeredInTime(db, uuids);
  return uuids;
}

/** Moves the registration and the sent deliveries of invoices to their issue dates. */
export async function registeredInTime(db: Db, uuids: readonly string[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`ALTER TABLE invoice DISABLE TRIGGER invoice_frozen`.execute(trx);
    await sql`
      UPDATE invoice SET registered_at = issue_date + time '12:00' WHERE uuid = ANY(${uuids}::uuid[])`.execute(
      trx,
    );
    await sql`ALTER TABLE invoice ENABLE TRIGGER invoice_frozen`.execute(trx);
    await sql`
      UPDATE delivery SET sent_time = invoice.issue_date + time '12:00' FROM invoice
      WHERE invoice.uuid = ANY(${uuids}::uuid[]) AND delivery.company_id = invoice.company_id
        AND invoice_id = invoice.id AND sent_time IS NOT NULL AND reminder_principal IS NULL`.execute(
      trx,
    );
  });
}

/** Changes the reminder settings of the caller's company. */
export async function saveReminderSettings(client: TestClient, change: object): Promise<void> {
  const url = '/api/users/reminder-settings/';
  const settings = (await client.get(url)).body as object;
  const payload = { ...settings, ...change };
  const answer = await client.send({ method: 'PUT', url, payload });
  if (answer.status !== 200) throw new Error(`Settings got ${answer.status}: ${answer.text}`);
}

/** Adds a bank file as if read at noon of a day, with payments up to that day. */
export async function addBankFile(
  db: Db,
  companyId: number,
  readOn: IsoDate,
  state: Row<'bankFile'>['state'] = 'BOOKED',
): Promise<string> {
  const { rows } = await sql<{ uuid: string }>`
    INSERT INTO bank_file (company_id, sha256, name, format, state, accounts, count, ignored,
      to_date, created_at)
    VALUES (${companyId}, sha256(convert_to(${readOn}, 'UTF8')), 'fil', 'OCR', ${state},
      '{12341112344}', 0, 0, ${readOn}::date, ${readOn}::date + time '12:00')
    RETURNING uuid`.execute(db);
  return rows[0]?.uuid ?? '';
}

/**
 * Adds a half-booked file that stays so until the returned function is called. Its job names a file that does not
 * exist and fails until then.
 */
export async function addHalfBooked(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  companyId: number,
  readOn: IsoDate,
): Promise<() => Promise<void>> {
  const uuid = await addBankFile(db, companyId, readOn, 'UNDOING');
  const payload = { companyId, fileUuid: crypto.randomUUID() };
  await jobs.enqueueAll(db, bankFileJob, [{ payload, key: uuid }]);
  return async () => {
    await sql`UPDATE bank_file SET state = 'BOOKED'
      WHERE company_id = ${companyId} AND uuid = ${uuid}::uuid`.execute(db);
  };
}
