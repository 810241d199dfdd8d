import { sql } from 'kysely';

import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { InvoiceLine } from '../../domain/invoice/invoice-line.ts';
import type { InvoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import type { Trx } from '../db/database.ts';

/** What drafts that are made together have in common. */
export interface DraftValues {
  readonly deliveryType: DeliveryType;
  readonly issueDate: string;
  readonly dueDays: number;
  readonly deliveryDate: string;
  readonly reference: string | null;
  readonly lines: readonly InvoiceLine[];
  readonly totals: InvoiceTotals;
}

/** Makes one draft for each customer, in that order, and returns their ids. */
export async function insertDrafts(
  trx: Trx,
  companyId: number,
  customerIds: readonly number[],
  draft: DraftValues,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO invoice (
      company_id, customer_id, delivery_type, delivery_status, issue_date, due_days,
      delivery_date, reference, net_amount, vat_amount, gross_amount
    )
    SELECT ${companyId}::bigint, customer_id, ${draft.deliveryType}::text,
      ${pendingFor(draft.deliveryType)}::text, ${draft.issueDate}::date, ${draft.dueDays}::integer,
      ${draft.deliveryDate}::date, ${draft.reference}::text, ${draft.totals.net}::bigint,
      ${draft.totals.vat}::bigint, ${draft.totals.gross}::bigint
    FROM unnest(${[...customerIds]}::bigint[]) WITH ORDINALITY AS buyer (customer_id, place)
    ORDER BY place
    RETURNING id`.execute(trx);
  const ids = rows.map((row) => row.id);
  await insertLines(trx, companyId, ids, draft.lines);
  return ids;
}

/**
 * Makes the draft of a credit note for an invoice, with the same lines, and returns its id. The
 * buyer is who got the invoice, though the customer may have changed or gone since.
 */
export async function insertCreditNote(
  trx: Trx,
  companyId: number,
  invoiceId: number,
  issueDate: string,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO invoice (
      company_id, customer_id, kind, credits_invoice_id, delivery_type, delivery_status,
      issue_date, due_days, delivery_date, reference, net_amount, vat_amount, gross_amount, buyer
    )
    SELECT company_id, customer_id, 'CREDIT_NOTE', id, delivery_type,
      CASE WHEN delivery_type = 'EMAIL' THEN 'PENDING' END,
      ${issueDate}::date, 0, delivery_date, reference, net_amount, vat_amount, gross_amount, buyer
    FROM invoice WHERE company_id = ${companyId} AND id = ${invoiceId}
    RETURNING id`.execute(trx);
  const [note] = rows;
  if (!note) throw new Error('A credit note needs its invoice');
  await sql`
    INSERT INTO invoice_line (
      company_id, invoice_id, position, quantity, description, net_unit_amount, vat_rate
    )
    SELECT company_id, ${note.id}, position, quantity, description, net_unit_amount, vat_rate
    FROM invoice_line WHERE company_id = ${companyId} AND invoice_id = ${invoiceId}
    ORDER BY position`.execute(trx);
  return note.id;
}

function pendingFor(deliveryType: DeliveryType): 'PENDING' | null {
  return deliveryType === 'EMAIL' ? 'PENDING' : null;
}

async function insertLines(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
  lines: readonly InvoiceLine[],
): Promise<void> {
  await sql`
    INSERT INTO invoice_line (
      company_id, invoice_id, position, quantity, description, net_unit_amount, vat_rate
    )
    SELECT ${companyId}::bigint, invoice_id, line.position, line.quantity, line.description,
      line.net_unit_amount, line.vat_rate
    FROM unnest(${[...invoiceIds]}::bigint[]) WITH ORDINALITY AS made (invoice_id, place)
    CROSS JOIN jsonb_to_recordset(${JSON.stringify(lines.map(toRecord))}::jsonb) AS line (
      position integer, quantity bigint, description text, net_unit_amount bigint, vat_rate integer
    )
    ORDER BY made.place, line.position`.execute(trx);
}

function toRecord(line: InvoiceLine, position: number) {
  return {
    position,
    quantity: line.quantity,
    description: line.description,
    net_unit_amount: line.netUnitAmount,
    vat_rate: line.vatRate,
  };
}
