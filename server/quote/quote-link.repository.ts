import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { codesIn } from '../platform/db/link-codes.ts';
import type { Row } from '../platform/db/tables.ts';

export type QuoteLinkRow = Row<'quoteLink', 'companyId' | 'quoteId' | 'uuid' | 'tokenHash'>;

/** The link of a quote; null before it was sent. */
export async function findLinkOf(
  db: Db,
  { companyId, quoteId }: Pick<QuoteLinkRow, 'companyId' | 'quoteId'>,
): Promise<QuoteLinkRow | null> {
  const row = await db
    .selectFrom('quoteLink')
    .select(['companyId', 'quoteId', 'uuid', 'tokenHash'])
    .where('companyId', '=', companyId)
    .where('quoteId', '=', quoteId)
    .executeTakeFirst();
  return row ?? null;
}

/** Gives a quote this link in place of the one that it may have. The caller holds the quote. */
export async function saveLink(
  trx: Trx,
  { companyId, quoteId, uuid, tokenHash }: QuoteLinkRow,
): Promise<void> {
  await sql`
    INSERT INTO quote_link (company_id, quote_id, uuid, token_hash)
    VALUES (${companyId}, ${quoteId}, ${uuid}, ${tokenHash})
    ON CONFLICT (company_id, quote_id) DO UPDATE SET uuid = excluded.uuid, token_hash = excluded.token_hash,
      code_hash = NULL, code_expires_at = NULL, wrong_codes = 0`.execute(trx);
}

/** A link with what its end follows from. */
export interface FoundLink extends QuoteLinkRow {
  readonly quoteUuid: string;
  /** The last day of the newest revision that was sent. */
  readonly validUntil: IsoDate;
  readonly answeredAt: Date | null;
}

/** The link of a token, or null, with the same statement. */
export async function findByToken(db: Db, tokenHash: Uint8Array): Promise<FoundLink | null> {
  const { rows } = await found(sql`link.token_hash = ${tokenHash}`).execute(db);
  return rows[0] ?? null;
}

/** The link with this uuid, or null. */
export async function findByUuid(
  db: Db,
  { companyId, uuid }: Pick<QuoteLinkRow, 'companyId' | 'uuid'>,
): Promise<FoundLink | null> {
  const isIt = sql`link.company_id = ${companyId} AND link.uuid = ${uuid}`;
  const { rows } = await found(isIt).execute(db);
  return rows[0] ?? null;
}

function found(isSought: ReturnType<typeof sql>) {
  return sql<FoundLink>`
    SELECT link.company_id, link.quote_id, link.uuid, link.token_hash, quote.uuid AS quote_uuid,
      revision.valid_until, revision.answered_at
    FROM quote_link link
    JOIN quote ON quote.company_id = link.company_id AND quote.id = link.quote_id
    JOIN quote_revision revision ON revision.company_id = link.company_id
      AND revision.quote_id = link.quote_id AND revision.revision = quote.sent_revision
    WHERE ${isSought}`;
}

/** The codes of links; another company's link is not found. */
export const linkCodes = codesIn('quote_link');
