import { sql } from 'kysely';

import type { IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { OpenLink } from '../../domain/member/member.schema.ts';
import type { OverviewLinkForm } from '../../domain/overview/overview-link.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { codesIn } from '../platform/db/link-codes.ts';
import type { Row } from '../platform/db/tables.ts';

/** How long ended links stay in the list (OVER-14). */
const LISTED_DAYS = 30;

const COLUMNS = [
  'companyId',
  'id',
  'uuid',
  'tokenHash',
  'name',
  'shows',
  'fromDate',
  'toDate',
  'period',
  'email',
  'createdAt',
  'expiresAt',
  'revokedAt',
] as const;

/** A link without its code. */
export type LinkRow = Row<'overviewLink', (typeof COLUMNS)[number]>;

/** A link with its use. */
export interface UsedLink extends LinkRow {
  readonly lastUsedAt: Date | null;
  readonly daysUsed: number;
}

const isLive = sql<boolean>`revoked_at IS NULL AND expires_at > now()`;
/** A link that was ended has no code to try. */
const ENDED = { revokedAt: sql<Date>`now()`, codeHash: null, codeExpiresAt: null };
/** When an ended link ended. */
const endedAt = sql<Date>`LEAST(revoked_at, expires_at)`;

/** The company's links, the latest first; ended ones for 30 days. */
export async function listLinks(db: Db, companyId: number): Promise<UsedLink[]> {
  return db
    .selectFrom('overviewLink')
    .select(COLUMNS)
    .select([
      sql<Date | null>`(SELECT max(first_at) ${uses(companyId)})`.as('lastUsedAt'),
      sql<number>`(SELECT count(*) ${uses(companyId)})`.as('daysUsed'),
    ])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`${endedAt} > now() - make_interval(days => ${LISTED_DAYS})`)
    .orderBy('id', 'desc')
    .execute();
}

/** The days on which the link of the statement was used. */
function uses(companyId: number) {
  return sql`FROM overview_link_use used
    WHERE used.company_id = ${companyId} AND used.link_id = overview_link.id`;
}

/** The count of links that work. The caller holds the company, so that it stays. */
export async function countLive(trx: Trx, companyId: number): Promise<number> {
  const row = await trx
    .selectFrom('overviewLink')
    .select((link) => link.fn.countAll<number>().as('many'))
    .where('companyId', '=', companyId)
    .where(isLive)
    .executeTakeFirstOrThrow();
  return row.many;
}

interface NewLink {
  readonly form: OverviewLinkForm;
  readonly tokenHash: Uint8Array;
  readonly by: HistoryAuthor;
  readonly accountId: number;
}

export async function insertLink(
  trx: Trx,
  companyId: number,
  { form, tokenHash, by, accountId }: NewLink,
): Promise<LinkRow> {
  return trx
    .insertInto('overviewLink')
    .values({
      companyId,
      tokenHash,
      name: form.name,
      shows: form.shows,
      fromDate: form.from,
      toDate: form.to,
      period: form.period,
      email: form.email,
      byType: by.type,
      byName: by.name,
      accountId,
      days: form.days,
      expiresAt: sql<Date>`now() + make_interval(hours => 24 * ${form.days}::integer)`,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Ends a link. Returns false when there is none, or it has ended. */
export async function revokeLink(db: Db, companyId: number, uuid: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('overviewLink')
    .set(ENDED)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .where(isLive)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The links that work, with the account that answers for each; those of unknown accounts are left out. */
export async function findOpenLinks(
  db: Db,
  companyId: number,
): Promise<(OpenLink & { readonly accountId: number })[]> {
  const rows = await db
    .selectFrom('overviewLink')
    .select(['uuid', 'name', 'expiresAt', 'accountId'])
    .where('companyId', '=', companyId)
    .where(isLive)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ uuid, name, expiresAt, accountId }) =>
    accountId === null
      ? []
      : [{ kind: 'OVERVIEW', uuid, name, expiresAt: expiresAt.toISOString(), accountId }],
  );
}

/** Ends the links of an account. */
export async function endLinks(trx: Trx, companyId: number, accountId: number): Promise<void> {
  await trx
    .updateTable('overviewLink')
    .set(ENDED)
    .where('companyId', '=', companyId)
    .where('accountId', '=', accountId)
    .where(isLive)
    .execute();
}

/** Lets the links of an account go on in the name of another. */
export async function keepLinks(
  trx: Trx,
  companyId: number,
  accountId: number,
  keeper: number,
): Promise<void> {
  await trx
    .updateTable('overviewLink')
    .set({ accountId: keeper })
    .where('companyId', '=', companyId)
    .where('accountId', '=', accountId)
    .where(isLive)
    .execute();
}

/** The link of a token; null for one that is wrong, ended or revoked, with the same statement. */
export async function findByToken(db: Db, tokenHash: Uint8Array): Promise<LinkRow | null> {
  const row = await db
    .selectFrom('overviewLink')
    .select(COLUMNS)
    .where('tokenHash', '=', tokenHash)
    .where(isLive)
    .executeTakeFirst();
  return row ?? null;
}

/** Which link: its company and its row. */
type LinkName = Pick<LinkRow, 'companyId' | 'id'>;

/** Notes that a link was used on a day; nothing about who used it. */
export async function noteUse(db: Db, { companyId, id }: LinkName, day: IsoDate): Promise<void> {
  await db
    .insertInto('overviewLinkUse')
    .values({ companyId, linkId: id, day })
    .onConflict((conflict) => conflict.columns(['companyId', 'linkId', 'day']).doNothing())
    .execute();
}

/** The link with this uuid; null when it has ended. */
export async function findLive(db: Db, companyId: number, uuid: string): Promise<LinkRow | null> {
  const row = await db
    .selectFrom('overviewLink')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .where(isLive)
    .executeTakeFirst();
  return row ?? null;
}

/** The codes of links. */
export const linkCodes = codesIn('overview_link');

/** Deletes the links that are listed no more, of all companies. */
export async function deleteOld(db: Db): Promise<void> {
  await db
    .deleteFrom('overviewLink')
    .where(sql<boolean>`${endedAt} <= now() - make_interval(days => ${LISTED_DAYS})`)
    .execute();
}

/** Ends all links of a company. */
export async function endAllLinks(trx: Trx, companyId: number): Promise<void> {
  await trx
    .updateTable('overviewLink')
    .set(ENDED)
    .where('companyId', '=', companyId)
    .where(isLive)
    .execute();
}
