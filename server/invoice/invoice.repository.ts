import { sql } from 'kysely';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { DutyReason } from '../../domain/einvoice/einvoice-duty.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { KidModulus } from '../../domain/kid.ts';
import type { Buyer, Seller } from '../../domain/parties.ts';
import { AppError } from '../errors.ts';
import { compiledOnce } from '../platform/db/frequent-statements.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { InvoiceRow } from './invoice.rows.ts';
import { selectInvoices } from './invoice.selection.ts';

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

/** The ids of the credit notes of an invoice. */
export async function findNoteIds(db: Db, companyId: number, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('invoice')
    .select('id')
    .where('companyId', '=', companyId)
    .where('creditsInvoiceId', '=', id)
    .where('status', '<>', 'DRAFT')
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
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

/** Deletes a draft that the caller holds. */
export async function deleteDraft(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx.deleteFrom('invoice').where('companyId', '=', companyId).where('id', '=', id).execute();
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

/** The values that a draft gets when it is registered. */
export interface Registration {
  readonly id: number;
  readonly invoiceNumber: number;
  readonly kid: string | null;
  readonly kidModulus: KidModulus | null;
  readonly bankAccountNumber: string | null;
  readonly buyer: Buyer;
  readonly buyerVatNumber: string | null;
  readonly deliveryType: DeliveryType;
  readonly einvoiceReason: DutyReason;
  readonly searchText: string;
}

/** The next drafts in the order of creation, all or the named ones. The company lock keeps them from changing. */
export async function findDrafts(
  trx: Trx,
  companyId: number,
  { afterId, most, uuids }: { afterId: number; most: number; uuids: readonly string[] | null },
): Promise<InvoiceRow[]> {
  return selectInvoices(trx)
    .where('invoice.companyId', '=', companyId)
    .where('invoice.status', '=', 'DRAFT')
    .where('invoice.id', '>', afterId)
    .$if(uuids !== null, (query) => query.where(sql<boolean>`invoice.uuid = ANY(${uuids}::uuid[])`))
    .orderBy('invoice.id')
    .limit(most)
    .execute();
}

/** The buyers' names of the given invoices that are registered, by uuid. */
export async function findBuyerNames(
  db: Db,
  companyId: number,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('invoice')
    .select(['uuid', sql<string>`buyer ->> 'name'`.as('name')])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`uuid = ANY(${uuids}::uuid[])`)
    .where('status', '<>', 'DRAFT')
    .execute();
  return new Map(rows.map(({ uuid, name }) => [uuid, name]));
}

/** Registers drafts in one statement, as the database's check of the number series requires. */
export async function saveRegistrations(
  trx: Trx,
  companyId: number,
  seller: Seller,
  registrations: readonly Registration[],
): Promise<void> {
  await sql`
    UPDATE invoice SET
      status = 'REGISTERED',
      delivery_type = given.delivery_type,
      delivery_status = CASE WHEN given.delivery_type <> 'NONE' THEN 'PENDING' END,
      invoice_number = given.invoice_number,
      kid = given.kid,
      kid_modulus = given.kid_modulus,
      seller = ${JSON.stringify(seller)}::jsonb,
      buyer = given.buyer,
      buyer_vat_number = given.buyer_vat_number,
      bank_account_number = given.bank_account_number,
      search_text = given.search_text,
      einvoice_reason = given.einvoice_reason,
      registered_at = now()
    FROM json_to_recordset(${JSON.stringify(registrations.map(toRecord))}::json) AS given (
      id bigint, invoice_number bigint, kid text, kid_modulus text, bank_account_number text,
      buyer jsonb, buyer_vat_number text, search_text text, delivery_type text, einvoice_reason text
    )
    WHERE invoice.company_id = ${companyId} AND invoice.id = given.id`.execute(trx);
}

function toRecord(registration: Registration) {
  const { id, invoiceNumber, kid, kidModulus, bankAccountNumber, buyer, searchText } = registration;
  return {
    id,
    buyer_vat_number: registration.buyerVatNumber,
    invoice_number: invoiceNumber,
    kid,
    kid_modulus: kidModulus,
    bank_account_number: bankAccountNumber,
    buyer,
    search_text: searchText,
    delivery_type: registration.deliveryType,
    einvoice_reason: registration.einvoiceReason,
  };
}

/** The given KIDs that an invoice to the same account has already. */
export async function findTakenKids(
  db: Db,
  companyId: number,
  wanted: readonly Pick<Registration, 'kid' | 'bankAccountNumber'>[],
): Promise<ReadonlySet<string | null>> {
  const kids = wanted.flatMap(({ kid }) => kid ?? []);
  const rows = await db
    .selectFrom('invoice')
    .select('kid')
    .where('companyId', '=', companyId)
    .where(sql<boolean>`kid = ANY(${kids}::text[])`)
    .where('bankAccountNumber', '=', wanted[0]?.bankAccountNumber ?? null)
    .execute();
  return new Set(rows.map(({ kid }) => kid));
}
