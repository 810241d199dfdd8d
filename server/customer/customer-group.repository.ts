import { sql } from 'kysely';

import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll } from '../platform/db/frequent-statements.ts';
import { searchText } from '../../domain/search-text.ts';
import { matches, matchRank } from '../platform/db/search.ts';
import type { Row } from '../platform/db/tables.ts';
import { isStill } from '../platform/db/columns.ts';

/** A group's members: their number, and the first customers by customer number. */
export interface MembersRow {
  readonly groupId: number;
  readonly count: number;
  readonly customerIds: readonly number[];
}

const COLUMNS = ['id', 'uuid', 'groupName', 'version'] as const;

export type GroupRow = Row<'customerGroup', (typeof COLUMNS)[number]>;

export async function listGroups(db: Db, companyId: number): Promise<GroupRow[]> {
  return db
    .selectFrom('customerGroup')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .orderBy('searchText')
    .orderBy('id')
    .execute();
}

export async function searchGroups(
  db: Db,
  companyId: number,
  { query, size }: { query: string; size: number },
): Promise<GroupRow[]> {
  return db
    .selectFrom('customerGroup')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where(matches('customerGroup.searchText', query))
    .orderBy(matchRank('customerGroup.searchText', query))
    .orderBy('searchText')
    .orderBy('id')
    .limit(size)
    .execute();
}

export async function findGroup(db: Db, companyId: number, uuid: string): Promise<GroupRow | null> {
  return (await selectGroup(db, companyId, uuid).executeTakeFirst()) ?? null;
}

/** Like `findGroup`, but locked: nobody can delete it before the transaction ends. */
export async function lockGroup(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<GroupRow | null> {
  return (await selectGroup(trx, companyId, uuid).forKeyShare().executeTakeFirst()) ?? null;
}

function selectGroup(db: Db, companyId: number, uuid: string) {
  return db
    .selectFrom('customerGroup')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid);
}

/**
 * The members of these groups, at most `most` of each; all with null. Each customer is looked up: of a join, PostgreSQL
 * reads all customers for each group while it has no statistics.
 */
export async function findMembers(
  db: Db,
  companyId: number,
  groupIds: readonly number[],
  most: number | null,
): Promise<MembersRow[]> {
  const { rows } = await sql<MembersRow>`
    SELECT asked.group_id, total.count, first.customer_ids
    FROM unnest(${[...groupIds]}::bigint[]) AS asked (group_id)
    CROSS JOIN LATERAL (
      SELECT count(*) FROM customer_group_member membership
      WHERE membership.company_id = ${companyId} AND membership.group_id = asked.group_id
    ) total
    CROSS JOIN LATERAL (
      SELECT COALESCE(json_agg(id), '[]') AS customer_ids FROM (
        SELECT customer.id FROM customer_group_member membership
        CROSS JOIN LATERAL (
          SELECT id, customer_number FROM customer
          WHERE company_id = ${companyId} AND id = membership.customer_id LIMIT 1
        ) customer
        WHERE membership.company_id = ${companyId} AND membership.group_id = asked.group_id
        ORDER BY customer.customer_number LIMIT ${most}
      ) listed
    ) first`.execute(db);
  return rows;
}

export async function insertGroup(
  trx: Trx,
  companyId: number,
  groupName: string,
): Promise<GroupRow> {
  return trx
    .insertInto('customerGroup')
    .values({ companyId, groupName, searchText: searchText(groupName) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Renames a group; null when it is not the company's, or has another version than the caller has read. Locks its row.
 */
export async function renameGroup(
  trx: Trx,
  companyId: number,
  uuid: string,
  { groupName, version }: { groupName: string; version?: number | null | undefined },
): Promise<GroupRow | null> {
  const row = await trx
    .updateTable('customerGroup')
    .set({ groupName, searchText: searchText(groupName) })
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .where(isStill(version))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function replaceMembers(
  trx: Trx,
  companyId: number,
  groupId: number,
  customerIds: readonly number[],
): Promise<void> {
  await trx
    .deleteFrom('customerGroupMember')
    .where('companyId', '=', companyId)
    .where('groupId', '=', groupId)
    .execute();
  await insertAll(
    trx,
    { companyId, table: 'customerGroupMember' },
    customerIds.map((customerId) => ({ groupId, customerId })),
    [],
  );
}

/**
 * Adds members to a group, and returns how many it then has. Its version changes, so that a form read before cannot
 * save the group without them.
 */
export async function addMembers(
  trx: Trx,
  companyId: number,
  groupId: number,
  customerIds: readonly number[],
): Promise<number> {
  await sql`UPDATE customer_group SET group_name = group_name
    WHERE company_id = ${companyId} AND id = ${groupId}`.execute(trx);
  await sql`
    INSERT INTO customer_group_member (company_id, group_id, customer_id)
    SELECT ${companyId}, ${groupId}, unnest(${[...customerIds]}::bigint[])
    ON CONFLICT DO NOTHING`.execute(trx);
  const { count } = await trx
    .selectFrom('customerGroupMember')
    .select((members) => members.fn.countAll<number>().as('count'))
    .where('companyId', '=', companyId)
    .where('groupId', '=', groupId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes a group; false when it is not the company's. */
export async function deleteGroup(db: Db, companyId: number, uuid: string): Promise<boolean> {
  const result = await db
    .deleteFrom('customerGroup')
    .where('companyId', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
