import { sql } from 'kysely';

import type { Invoice, InvoiceBrief, NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { DELIVERIES_OF_INVOICE } from '../delivery/delivery.rows.ts';
import { Written } from '../written.ts';

/**
 * Øre as kroner. A double holds every safe integer and its division is exact to the last bit, so this
 * is the number that `oreToKroner` gives.
 */
function kroner(ore: string): string {
  return `(${ore})::float8 / 100`;
}

/** A line's sums, as `lineNet` and `lineGross` count them; numeric rounds half away from zero. */
const NET = 'line.quantity * line.net_unit_amount';
const GROSS = `round(${NET} * (100 + line.vat_rate) / 100.0)`;

const LINES = `(
  SELECT COALESCE(json_agg(json_build_object(
    'id', line.id, 'invoiced_quantity', line.quantity, 'description', line.description,
    'net_unit_amount', ${kroner('line.net_unit_amount')}, 'net_amount', ${kroner(NET)},
    'vat_rate_percentage', line.vat_rate, 'gross_amount', ${kroner(GROSS)})
    ORDER BY line.position), '[]')
  FROM invoice_line line
  WHERE line.company_id = invoice.company_id AND line.invoice_id = invoice.id)`;

/** Only what is under way, sent or failed has deliveries. */
const DELIVERIES = `CASE
  WHEN COALESCE(invoice.delivery_status, 'PENDING') = 'PENDING' THEN '[]'
  ELSE ${DELIVERIES_OF_INVOICE} END`;

function numbered(table: 'note' | 'original'): string {
  return `CASE WHEN ${table}.invoice_number IS NOT NULL THEN
    json_build_object('uuid', ${table}.uuid, 'invoice_number', ${table}.invoice_number) END`;
}

/** In a query of invoices with `BELONGINGS`: one as the API shows it. Amounts in kroner. */
export const INVOICE_JSON = sql.raw(`json_build_object(
  'uuid', invoice.uuid, 'kind', invoice.kind, 'invoice_number', invoice.invoice_number,
  'customer_number', buyer.facts->'customerNumber', 'customer_name', buyer.facts->'name',
  'customer_identifier', buyer.facts->'orgNumber', 'customer_identification_number', invoice.kid,
  'status', invoice.status, 'delivery_type', invoice.delivery_type,
  'delivery_status', invoice.delivery_status, 'paid_date', invoice.paid_date,
  'issue_date', invoice.issue_date, 'due_days', invoice.due_days, 'due_date', invoice.due_date,
  'delivery_date', invoice.delivery_date, 'reference', invoice.reference,
  'bank_account_number', invoice.bank_account_number,
  'net_amount', ${kroner('invoice.net_amount')}, 'vat_amount', ${kroner('invoice.vat_amount')},
  'gross_amount', ${kroner('invoice.gross_amount')},
  'credit_note', ${numbered('note')}, 'credited_invoice', ${numbered('original')},
  'deliveries', ${DELIVERIES}, 'lines', ${LINES})`);

/**
 * After `FROM invoice`: what credits it, what it credits and whom it is for. A draft is for its
 * customer as it is now; what is registered has its buyer frozen with it.
 */
export const BELONGINGS = sql.raw(`
  LEFT JOIN invoice note ON note.credits_invoice_id = invoice.id
  LEFT JOIN invoice original ON original.id = invoice.credits_invoice_id
  LEFT JOIN customer ON customer.company_id = invoice.company_id
    AND customer.id = invoice.customer_id AND invoice.buyer IS NULL
  CROSS JOIN LATERAL (SELECT COALESCE(invoice.buyer, jsonb_build_object(
    'customerNumber', customer.customer_number, 'name', customer.name,
    'orgNumber', customer.org_number)) AS facts) buyer`);

/** One invoice as the API shows it; null when it is not the company's. */
export async function findInvoiceJson(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<Written<Invoice> | null> {
  const column = sql.ref(typeof name === 'number' ? 'invoice.invoiceNumber' : 'invoice.uuid');
  const { rows } = await sql<{ json: string }>`
    SELECT ${INVOICE_JSON}::text AS json FROM invoice ${BELONGINGS}
    WHERE invoice.company_id = ${companyId} AND ${column} = ${name}`.execute(db);
  return rows[0] ? new Written(rows[0].json) : null;
}

/** Invoices with these ids as the API shows them, oldest first. */
export async function findInvoicesJson(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Written<Invoice[]>> {
  const { rows } = await sql<{ json: string }>`
    SELECT COALESCE(json_agg(${INVOICE_JSON} ORDER BY invoice.id), '[]')::text AS json
    FROM invoice ${BELONGINGS}
    WHERE invoice.company_id = ${companyId} AND invoice.id = ANY(${[...ids]}::bigint[])`.execute(
    db,
  );
  return new Written(rows[0]?.json ?? '[]');
}

/** The same in brief, for many at once: each with its customer and its sums. */
export async function findBriefsJson(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<Written<InvoiceBrief[]>> {
  const { rows } = await sql<{ json: string }>`
    SELECT COALESCE(json_agg(${BRIEF_JSON} ORDER BY invoice.id), '[]')::text AS json
    FROM invoice
    JOIN customer ON customer.company_id = invoice.company_id AND customer.id = invoice.customer_id
    WHERE invoice.company_id = ${companyId} AND invoice.id = ANY(${[...ids]}::bigint[])`.execute(
    db,
  );
  return new Written(rows[0]?.json ?? '[]');
}

const BRIEF_JSON = sql.raw(`json_build_object(
  'uuid', invoice.uuid, 'status', invoice.status, 'customer_number', customer.customer_number,
  'customer_name', customer.name, 'customer_identifier', customer.org_number,
  'net_amount', ${kroner('invoice.net_amount')}, 'vat_amount', ${kroner('invoice.vat_amount')},
  'gross_amount', ${kroner('invoice.gross_amount')})`);
