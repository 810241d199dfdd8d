import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Db } from '../platform/db/database.ts';
import { codesIn } from '../platform/db/link-codes.ts';
import type { Row } from '../platform/db/tables.ts';

/** How long a link works after the last event of an invoice on which nothing is due (days; PORT-3). */
const DAYS_AFTER = 400;

/** The last day of the link of the statement's `invoice`; null while something is due. */
const EXPIRES_ON = sql<IsoDate | null>`CASE WHEN invoice.status = 'CANCELLED'
  OR invoice.gross_amount - invoice.credited_amount - invoice.paid_amount <= 0 AND invoice.reminder_amount = 0
  THEN GREATEST(invoice.issue_date, (
    SELECT max(note.issue_date) FROM invoice note
    WHERE note.company_id = invoice.company_id AND note.credits_invoice_id = invoice.id
      AND note.status <> 'DRAFT'), (
    SELECT max(payment.paid_on) FROM payment
    WHERE payment.company_id = invoice.company_id AND payment.invoice_id = invoice.id
      AND NOT payment.undone AND payment.undoes_id IS NULL)) + ${sql.lit(DAYS_AFTER)} END`;

const IS_ON = sql<boolean>`COALESCE(settings.enabled, true)`;

/** An invoice and its link. */
export interface LinkRow {
  readonly invoiceId: number;
  /** The link; null before it was first needed. */
  readonly uuid: string | null;
  readonly tokenHash: Uint8Array | null;
  readonly renewedAt: Date | null;
  readonly expiresOn: IsoDate | null;
  /** Whether the company has pages for customers. */
  readonly isOn: boolean;
}

/** The link of a registered invoice; of a credit note that of its invoice. */
export async function getLink(db: Db, companyId: number, invoiceId: number): Promise<LinkRow> {
  const { rows } = await sql<LinkRow>`
    SELECT invoice.id AS invoice_id, link.uuid, link.token_hash, link.renewed_at,
      ${EXPIRES_ON} AS expires_on, ${IS_ON} AS is_on
    FROM invoice
    LEFT JOIN invoice_link link ON link.company_id = ${companyId} AND link.invoice_id = invoice.id
    LEFT JOIN portal_settings settings ON settings.company_id = ${companyId}
    WHERE invoice.company_id = ${companyId} AND invoice.status <> 'DRAFT' AND invoice.id = (
      SELECT COALESCE(credits_invoice_id, id) FROM invoice named
      WHERE named.company_id = ${companyId} AND named.id = ${invoiceId})`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`Invoice ${invoiceId} is not registered`);
  return row;
}

interface NewLink extends Row<'invoiceLink', 'companyId' | 'invoiceId' | 'uuid' | 'tokenHash'> {
  /** The uuid of the link that it replaces; null for the first one. */
  readonly replaces: string | null;
  readonly isRenewed: boolean;
}

/** Gives an invoice a link, unless another call has given it one meanwhile. */
export async function saveLink(
  db: Db,
  { companyId, invoiceId, uuid, tokenHash, replaces, isRenewed }: NewLink,
): Promise<void> {
  await sql`
    INSERT INTO invoice_link AS link (company_id, invoice_id, uuid, token_hash, renewed_at)
    VALUES (${companyId}, ${invoiceId}, ${uuid}, ${tokenHash}, CASE WHEN ${isRenewed} THEN now() END)
    ON CONFLICT (company_id, invoice_id) DO UPDATE SET
      uuid = excluded.uuid, token_hash = excluded.token_hash, renewed_at = now(),
      code_hash = NULL, code_expires_at = NULL, wrong_codes = 0
    WHERE link.uuid = ${replaces}`.execute(db);
}

/** A link that works. */
export interface OpenLink extends Row<
  'invoiceLink',
  'companyId' | 'invoiceId' | 'uuid' | 'tokenHash'
> {
  /** Whether its page leads to the customer's other invoices. */
  readonly showAll: boolean;
}

/**
 * The link of a token. Null for one that is wrong, ended, renewed or of a company without pages, with the same
 * statement.
 */
export async function findByToken(
  db: Db,
  tokenHash: Uint8Array,
  today: IsoDate,
): Promise<OpenLink | null> {
  const { rows } = await openLinks(today, sql`link.token_hash = ${tokenHash}`).execute(db);
  return rows[0] ?? null;
}

/** The link with this uuid; null when it works no more. */
export async function findByUuid(
  db: Db,
  { companyId, uuid }: { readonly companyId: number; readonly uuid: string },
  today: IsoDate,
): Promise<OpenLink | null> {
  const isIt = sql`link.company_id = ${companyId} AND link.uuid = ${uuid}`;
  const { rows } = await openLinks(today, isIt).execute(db);
  return rows[0] ?? null;
}

function openLinks(today: IsoDate, isSought: ReturnType<typeof sql>) {
  return sql<OpenLink>`
    SELECT link.company_id, link.invoice_id, link.uuid, link.token_hash,
      COALESCE(settings.show_all, true) AS show_all
    FROM invoice_link link
    JOIN invoice ON invoice.company_id = link.company_id AND invoice.id = link.invoice_id
    LEFT JOIN portal_settings settings ON settings.company_id = link.company_id
    WHERE ${isSought} AND ${IS_ON} AND COALESCE(${EXPIRES_ON} >= ${today}::date, true)`;
}

/** The codes of links; another company's link is not found. */
export const linkCodes = codesIn('invoice_link');
