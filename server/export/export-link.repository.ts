import { sql } from 'kysely';

import type { OpenLink } from '../../domain/member/member.schema.ts';
import type { Actor } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';
import type { ExportName, ExportRow } from './export.repository.ts';

/** Keeps the account, and the token, that asked for an export. */
export async function insertAuthor(
  trx: Trx,
  { companyId, id: exportId }: ExportName,
  { accountId, tokenId }: Pick<Actor, 'accountId' | 'tokenId'>,
): Promise<void> {
  await trx
    .insertInto('exportAuthor')
    .values({ companyId, exportId, accountId, tokenId })
    .execute();
}

/** The author of an export, and what became of its link. */
export type ExportAuthor = Row<'exportAuthor'>;

const COLUMNS = ['companyId', 'exportId', 'accountId', 'tokenId', 'keptBy', 'linkEndedAt'] as const;

/** The author of an export; null when only the name is known, as of some that were made before 0093. */
export async function findAuthor(
  db: Db,
  { companyId, id }: ExportName,
): Promise<ExportAuthor | null> {
  const row = await db
    .selectFrom('exportAuthor')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('exportId', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Which of these exports are a caller's own: by account, as names of tokens are not unique. Two tokens of an account are
 * two authors; its sessions are one with each.
 */
export async function findOwn(
  db: Db,
  { companyId, accountId, tokenId }: Pick<Actor, 'companyId' | 'accountId' | 'tokenId'>,
  exportIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('exportAuthor')
    .select('exportId')
    .where('companyId', '=', companyId)
    .where('accountId', '=', accountId)
    .where(sql<boolean>`COALESCE(token_id = ${tokenId}::bigint, true)`)
    .where(sql<boolean>`export_id = ANY(${[...exportIds]}::bigint[])`)
    .execute();
  return new Set(rows.map(({ exportId }) => exportId));
}

/** The links of a company that work or will be mailed, with the account that answers for each. */
export async function findOpenLinks(
  db: Db,
  companyId: number,
): Promise<(OpenLink & { readonly accountId: number })[]> {
  const rows = await db
    .selectFrom('export')
    .innerJoin('exportAuthor as author', (join) =>
      join
        .onRef('author.companyId', '=', 'export.companyId')
        .onRef('author.exportId', '=', 'export.id'),
    )
    .select([
      'export.uuid',
      'export.sentTo',
      'export.expiresAt',
      sql<number>`COALESCE(author.kept_by, author.account_id)`.as('accountId'),
    ])
    .where('export.companyId', '=', companyId)
    .where('author.linkEndedAt', 'is', null)
    .where('export.sentTo', 'is not', null)
    .where('export.state', '<>', 'FAILED')
    .where('export.deletedAt', 'is', null)
    .where(sql<boolean>`COALESCE(export.expires_at > now(), true)`)
    // The mail to a member has no link of its own.
    .where(
      sql<boolean>`(export.link_sent_at IS NULL OR EXISTS (SELECT FROM export_link link
        WHERE link.company_id = ${companyId} AND link.export_id = export.id))`,
    )
    .orderBy('export.id')
    .execute();
  return rows.map(({ uuid, sentTo, expiresAt, accountId }) => ({
    kind: 'EXPORT',
    uuid,
    name: sentTo ?? '',
    expiresAt: expiresAt?.toISOString() ?? null,
    accountId,
  }));
}

/** Ends the links for which an account answers, also those that are yet to be mailed. */
export async function endLinks(trx: Trx, companyId: number, accountId: number): Promise<void> {
  // A mail that is being made holds the row, and adds its link before this goes on.
  await trx
    .updateTable('exportAuthor')
    .set({ linkEndedAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where(sql<boolean>`COALESCE(kept_by, account_id) = ${accountId}`)
    .where('linkEndedAt', 'is', null)
    .execute();
  await sql`
    DELETE FROM export_link link USING export_author author
    WHERE link.company_id = ${companyId} AND author.company_id = ${companyId}
      AND author.export_id = link.export_id AND author.link_ended_at IS NOT NULL`.execute(trx);
}

/** Lets the links for which an account answers go on in the name of another. */
export async function keepLinks(
  trx: Trx,
  companyId: number,
  accountId: number,
  keptBy: number,
): Promise<void> {
  await trx
    .updateTable('exportAuthor')
    .set({ keptBy })
    .where('companyId', '=', companyId)
    .where(sql<boolean>`COALESCE(kept_by, account_id) = ${accountId}`)
    .execute();
}

/** Keeps the hash of a mailed link's token. Returns false when the link has ended. */
export async function insertLink(
  trx: Trx,
  { companyId, id: exportId }: ExportName,
  tokenHash: Uint8Array,
): Promise<boolean> {
  const author = await trx
    .selectFrom('exportAuthor')
    .select('linkEndedAt')
    .where('companyId', '=', companyId)
    .where('exportId', '=', exportId)
    .forUpdate()
    .executeTakeFirst();
  if (author && author.linkEndedAt !== null) return false;
  await trx.insertInto('exportLink').values({ companyId, exportId, tokenHash }).execute();
  return true;
}

/** The export of a link that works; null for a token that is wrong, ended or revoked, with the same statement. */
export async function findByToken(db: Db, tokenHash: Uint8Array): Promise<ExportRow | null> {
  const row = await db
    .selectFrom('exportLink as link')
    .innerJoin('export', (join) =>
      join
        .onRef('export.companyId', '=', 'link.companyId')
        .onRef('export.id', '=', 'link.exportId'),
    )
    .selectAll('export')
    .where('link.tokenHash', '=', tokenHash)
    .where('export.state', '=', 'DONE')
    .where('export.deletedAt', 'is', null)
    .where('export.expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends all links of a company, also those that are yet to be mailed. */
export async function endAllLinks(trx: Trx, companyId: number): Promise<void> {
  await trx
    .updateTable('exportAuthor')
    .set({ linkEndedAt: sql<Date>`now()` })
    .where('companyId', '=', companyId)
    .where('linkEndedAt', 'is', null)
    .execute();
  await trx.deleteFrom('exportLink').where('companyId', '=', companyId).execute();
}
