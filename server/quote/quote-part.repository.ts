import { sql } from 'kysely';

import { ore, type Ore } from '../../domain/money.ts';
import type { Taken } from '../../domain/quote/quote-parts.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

/** The quote of some parts. */
type Quote = Pick<Row<'quote'>, 'companyId' | 'id'>;

/** The parts of a quote on drafts and on invoices that were not cancelled, by the line's id (QUO-53). */
export async function findTaken(
  db: Db,
  { companyId, id }: Quote,
): Promise<ReadonlyMap<number, Taken>> {
  const { rows } = await sql<{ lineId: number; share: string; net: Ore }>`
    SELECT part.line_id, sum(part.share)::text AS share, sum(part.net)::bigint AS net
    FROM quote_part part
    JOIN invoice ON invoice.company_id = part.company_id AND invoice.id = part.invoice_id
    WHERE part.company_id = ${companyId} AND part.quote_id = ${id} AND invoice.status <> 'CANCELLED'
    GROUP BY part.line_id`.execute(db);
  return new Map(
    rows.map(({ lineId, share, net }) => [lineId, { share: BigInt(share), net: ore(net) }]),
  );
}

const ACCEPTED = ['customerId', 'priceKind', 'reference', 'isPrivate', 'grossAmount'] as const;

/** The values of the accepted revision that an invoice needs beside its lines. */
export type AcceptedRevision = Row<'quoteRevision', (typeof ACCEPTED)[number]>;

/** The revision that was accepted. */
export async function getAccepted(
  db: Db,
  { companyId, id, sentRevision }: Quote & Pick<Row<'quote'>, 'sentRevision'>,
): Promise<AcceptedRevision> {
  return db
    .selectFrom('quoteRevision')
    .select(ACCEPTED)
    .where('companyId', '=', companyId)
    .where('quoteId', '=', id)
    .where('revision', '=', sentRevision)
    .executeTakeFirstOrThrow();
}

/** A part to add. */
export interface NewPart extends Taken {
  readonly lineId: number;
}

/** Adds the parts that an invoice takes. The database refuses more than is left. */
export async function insertParts(
  trx: Trx,
  { companyId, id: quoteId }: Quote,
  invoiceId: number,
  parts: readonly NewPart[],
): Promise<void> {
  await sql`
    INSERT INTO quote_part (company_id, quote_id, invoice_id, line_id, share, net)
    SELECT ${companyId}::bigint, ${quoteId}::bigint, ${invoiceId}::bigint, line_id, share, net
    FROM json_to_recordset(${JSON.stringify(
      parts.map(({ lineId, share, net }) => ({ line_id: lineId, share: String(share), net })),
    )}::json) AS given (line_id bigint, share numeric, net bigint)`.execute(trx);
}

/**
 * Sums anew what was taken of the quotes of a restored company. The triggers of its tables are off, so no version is
 * counted. The database refuses parts that are more than their lines have.
 */
export async function recountQuotes(trx: Trx, companyId: number): Promise<void> {
  await sql`
    UPDATE quote SET invoiced = 'NONE', invoiced_net = 0, left_net = revision.net_amount
    FROM quote_revision revision
    WHERE quote.company_id = ${companyId} AND quote.state = 'ACCEPTED' AND revision.company_id = ${companyId}
      AND revision.quote_id = quote.id AND revision.revision = quote.sent_revision`.execute(trx);
  await sql`
    SELECT follow_quote(${companyId}, quote_id)
    FROM (SELECT DISTINCT quote_id FROM quote_part WHERE company_id = ${companyId}) taken`.execute(
    trx,
  );
}
