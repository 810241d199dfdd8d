import { sql } from 'kysely';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceKind, InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { compiledOnce } from '../platform/db/compiled-once.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import { AppError } from '../errors.ts';
import type { InvoiceRow, UndeliveredRow } from './invoice.rows.ts';
import { hasVat, selectInvoices } from './invoice.selection.ts';

/** An invoice or credit note. @throws AppError not_found */
export async function requireInvoice(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<InvoiceRow> {
  const [row] =
    typeof name === 'number'
      ? await findByNumber(db, companyId, name)
      : await findByUuid(db, companyId, name);
  if (!row) throw new AppError('not_found');
  return row;
}

const findByNumber = compiledOnce((db, companyId: number, invoiceNumber: number) =>
  selectInvoices(db)
    .where('invoice.companyId', '=', companyId)
    .where('invoice.invoiceNumber', '=', invoiceNumber),
);

const findByUuid = compiledOnce((db, companyId: number, uuid: string) =>
  selectInvoices(db).where('invoice.companyId', '=', companyId).where('invoice.uuid', '=', uuid),
);

const findById = compiledOnce((db, companyId: number, id: number) =>
  selectInvoices(db).where('invoice.companyId', '=', companyId).where('invoice.id', '=', id),
);

/** An invoice that the caller knows to exist. */
export async function getInvoiceById(db: Db, companyId: number, id: number): Promise<InvoiceRow> {
  const [row] = await findById(db, companyId, id);
  if (!row) throw new Error(`Invoice ${id} is not there`);
  return row;
}

/** An invoice, locked until the transaction ends. @throws AppError not_found */
export async function lockInvoice(
  trx: Trx,
  companyId: number,
  name: NumberOrUuid,
): Promise<InvoiceRow> {
  return lockBy(trx, companyId, typeof name === 'number' ? 'invoiceNumber' : 'uuid', name);
}

/** Like `lockInvoice`, by its id in the database. */
export async function lockInvoiceById(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<InvoiceRow> {
  return lockBy(trx, companyId, 'id', id);
}

async function lockBy(
  trx: Trx,
  companyId: number,
  column: 'id' | 'invoiceNumber' | 'uuid',
  value: NumberOrUuid,
): Promise<InvoiceRow> {
  const held = await trx
    .selectFrom('invoice')
    .select('id')
    .where('companyId', '=', companyId)
    .where(column, '=', value as never)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held) throw new AppError('not_found');
  return getInvoiceById(trx, companyId, held.id);
}

/** Sets a registered invoice without payments to cancelled. */
export async function cancel(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx
    .updateTable('invoice')
    .set({ status: 'CANCELLED' })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a draft that the caller holds. */
export async function deleteDraft(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx.deleteFrom('invoice').where('companyId', '=', companyId).where('id', '=', id).execute();
}

/**
 * Locks a company's registered invoices of these types without a delivery, and returns them ordered by number.
 * Skips those that another transaction has locked.
 */
export async function lockUndelivered(
  trx: Trx,
  companyId: number,
  { deliveryTypes, most }: { deliveryTypes: readonly DeliveryType[]; most: number },
): Promise<UndeliveredRow[]> {
  return selectUndelivered(trx, deliveryTypes)
    .where('companyId', '=', companyId)
    .orderBy('invoiceNumber')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Companies with registered invoices of these types without a delivery. */
export async function findUndeliveredCompanies(
  db: Db,
  deliveryTypes: readonly DeliveryType[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice')
    .select('companyId')
    .distinct()
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes)
    .orderBy('companyId')
    .execute();
  return rows.map(({ companyId }) => companyId);
}

/** The given invoices that are registered and have no delivery, ordered by number. */
export async function findUndelivered(
  trx: Trx,
  companyId: number,
  { deliveryTypes, ids }: { deliveryTypes: readonly DeliveryType[]; ids: readonly number[] },
): Promise<UndeliveredRow[]> {
  return selectUndelivered(trx, deliveryTypes)
    .where('companyId', '=', companyId)
    .where('id', 'in', ids)
    .orderBy('invoiceNumber')
    .execute();
}

function selectUndelivered(trx: Trx, deliveryTypes: readonly DeliveryType[]) {
  return trx
    .selectFrom('invoice')
    .select(['id', 'companyId', 'deliveryType', 'buyer', 'status', 'creditsInvoiceId'])
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes);
}

/** The name of an invoice or credit note in texts for people. */
interface Issued {
  readonly kind: InvoiceKind;
  readonly status: InvoiceStatus;
  readonly invoiceNumber: number;
  readonly customerName: string;
}

/** The numbers and kinds of registered invoices, by id. */
export async function findIssued(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Issued>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Issued & { id: number }>`
    SELECT id, kind, status, invoice_number, buyer ->> 'name' AS customer_name FROM invoice
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])
      AND invoice_number IS NOT NULL`.execute(db);
  return new Map(rows.map(({ id, ...issued }) => [id, issued]));
}

/** Saves whether a registered invoice is disputed. The caller holds the invoice. */
export async function updateDispute(
  trx: Trx,
  companyId: number,
  id: number,
  dispute: Row<'invoice', 'disputed' | 'disputedNote'>,
): Promise<void> {
  await trx
    .updateTable('invoice')
    .set(dispute)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Whether an invoice of these types, registered this many seconds ago, still has no delivery. */
export async function hasUndelivered(
  db: Db,
  deliveryTypes: readonly DeliveryType[],
  olderThan: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('invoice')
    .select('id')
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .where('deliveryType', 'in', deliveryTypes)
    .where(sql<boolean>`registered_at < now() - make_interval(secs => ${olderThan})`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How many registered invoices of all companies wait for a delivery that somebody must start. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('invoice')
    .select((invoice) => invoice.fn.countAll<number>().as('count'))
    .where('deliveryStatus', '=', 'PENDING')
    .where('status', '<>', 'DRAFT')
    .executeTakeFirstOrThrow();
  return count;
}

/** How many invoices of all companies were sent. Reads one row per company. */
export async function countSent(db: Db): Promise<number> {
  // The sum of bigint is numeric, which the driver returns as text.
  const { rows } = await sql<{ sent: number }>`
    SELECT COALESCE(sum(sent), 0)::bigint AS sent FROM invoice_count`.execute(db);
  return rows[0]?.sent ?? 0;
}

/** The customers of a company's drafts of a delivery type, or of the named drafts only; each once. */
export async function findDraftCustomerIds(
  db: Db,
  companyId: number,
  deliveryType: DeliveryType,
  uuids: readonly string[] | null,
): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice')
    .select('customerId')
    .distinct()
    .where('companyId', '=', companyId)
    .where('status', '=', 'DRAFT')
    .where('deliveryType', '=', deliveryType)
    .$if(uuids !== null, (query) => query.where(sql<boolean>`uuid = ANY(${uuids}::uuid[])`))
    .execute();
  return rows.flatMap(({ customerId }) => customerId ?? []);
}

/** Drafts of one delivery type to one organisation. */
interface DraftsForOrganisation {
  readonly orgNumber: string | null;
  readonly drafts: number;
  /** Øre with VAT. */
  readonly gross: number;
}

/**
 * Counts a company's drafts of a delivery type whose sums allow registering, by the buyer's organisation; on request
 * only those with VAT.
 */
export async function countDraftsByOrganisation(
  db: Db,
  companyId: number,
  { deliveryType, withVat }: { readonly deliveryType: DeliveryType; readonly withVat: boolean },
): Promise<DraftsForOrganisation[]> {
  const { rows } = await sql<DraftsForOrganisation>`
    SELECT customer.org_number, count(*)::integer AS drafts,
      sum(draft.gross_amount)::float8 AS gross
    FROM invoice draft
    JOIN customer ON customer.company_id = draft.company_id AND customer.id = draft.customer_id
    WHERE draft.company_id = ${companyId} AND draft.status = 'DRAFT' AND draft.gross_amount >= 0
      AND draft.delivery_type = ${deliveryType} ${withVat ? sql`` : sql`AND NOT ${hasVat('draft')}`}
    GROUP BY customer.org_number`.execute(db);
  return rows;
}

/** A regular expression of PostgreSQL: every font of the documents has the other characters. */
const UNCOMMON = '[^\\u0001-\\u024F\\u2010-\\u2026]';

/** Texts of a company, its drafts and their customers that have other characters than those of western Europe. */
export async function findUncommonTexts(db: Db, companyId: number): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    SELECT text FROM (
      SELECT concat_ws(' ', invoice.message, invoice.reference, customer.name, customer.address1,
        customer.address2, customer.city) AS text
      FROM invoice
      LEFT JOIN customer ON customer.company_id = invoice.company_id AND customer.id = invoice.customer_id
      WHERE invoice.company_id = ${companyId} AND invoice.status = 'DRAFT'
      UNION ALL
      SELECT line.description
      FROM invoice
      JOIN invoice_line line ON line.company_id = invoice.company_id AND line.invoice_id = invoice.id
      WHERE invoice.company_id = ${companyId} AND invoice.status = 'DRAFT'
      UNION ALL
      SELECT concat_ws(' ', company_name, billing_address1, billing_address2, billing_city)
      FROM company WHERE id = ${companyId}
    ) texts
    WHERE octet_length(text) <> length(text) AND text ~ ${UNCOMMON}`.execute(db);
  return rows.map(({ text }) => text);
}
