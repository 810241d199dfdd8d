import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';

import { LAST_DAY, type Series } from '../../domain/recurring/recurring-dates.ts';
import type { AssignmentState } from '../../domain/recurring/recurring.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll } from '../platform/db/frequent-statements.ts';
import { LINE_CONTENT } from '../invoice/invoice.rows.ts';
import { exactQuantity, toStoredLine } from '../invoice/invoice.selection.ts';
import { isStill } from '../platform/db/columns.ts';
import type { Row } from '../platform/db/tables.ts';
import { AppError } from '../errors.ts';

const COLUMNS = [
  'id',
  'uuid',
  'name',
  'byGroup',
  'groupId',
  'byTemplate',
  'templateId',
  'deliveryType',
  'dueDays',
  'message',
  'firstDate',
  'lastDate',
  'occurrences',
  'mode',
  'state',
  'nextDate',
  'madeThrough',
  'owedFrom',
  'timesMade',
  'obstacle',
  'version',
] as const;
/** The columns of a series that it does not have under the same name. */
const SERIES = [
  sql<Series['interval']>`
    jsonb_build_object('unit', interval_unit, 'count', interval_count)`.as('interval'),
  sql<Series['day']>`
    CASE WHEN is_last_day THEN to_jsonb(${LAST_DAY}::text) ELSE to_jsonb(day) END`.as('day'),
] as const;
export type AssignmentRow = Row<'assignment', (typeof COLUMNS)[number]> &
  Pick<Series, 'interval' | 'day'>;
export interface AssignmentLineRow extends Row<'assignmentLine', (typeof LINE_CONTENT)[number]> {
  readonly quantity: number;
}

/** The values of an assignment that its form sets; its runs change the others. */
export type AssignmentValues = Omit<
  AssignmentRow,
  'id' | 'uuid' | 'version' | 'madeThrough' | 'timesMade'
>;

/** An assignment with its lines and recipients. */
export interface WholeAssignment extends AssignmentRow {
  readonly groupUuid: string | null;
  readonly lines: readonly AssignmentLineRow[];
  /** Ordered by number; at most as many as the caller asked for. */
  readonly customerNumbers: readonly number[];
  readonly customerCount: number;
  /** Whether a run of it is under way. */
  readonly isRunning: boolean;
}

/**
 * The assignments of a company by name, each with at most so many of the customers that it names; all of them, or those
 * of which one customer is a recipient.
 */
export async function findWholeAssignments(
  db: Db,
  companyId: number,
  { customers, customerNumber }: { customers: number; customerNumber: number | null },
): Promise<WholeAssignment[]> {
  return selectWhole(db, companyId, customers)
    .$if(customerNumber !== null, (query) =>
      query.where(
        hasRecipient(
          companyId,
          sql`(
            SELECT id FROM customer
            WHERE company_id = ${companyId} AND customer_number = ${customerNumber})`,
        ),
      ),
    )
    .orderBy('assignment.name')
    .orderBy('assignment.id')
    .execute();
}

/** Whether an assignment names a customer, or has its group. */
function hasRecipient(companyId: number, customerId: number | RawBuilder<unknown>) {
  return sql<boolean>`(
    EXISTS (
      SELECT FROM assignment_customer
      WHERE company_id = ${companyId} AND assignment_id = assignment.id
        AND customer_id = ${customerId})
    OR EXISTS (
      SELECT FROM customer_group_member
      WHERE company_id = ${companyId} AND group_id = assignment.group_id
        AND customer_id = ${customerId}))`;
}

/** An assignment with all customers that it names. @throws AppError not_found */
export async function requireWholeAssignment(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<WholeAssignment> {
  const row = await selectWhole(db, companyId, null)
    .where('assignment.uuid', '=', uuid)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** Each with at most so many of the customers that it names; with all for null. */
function selectWhole(db: Db, companyId: number, customers: number | null) {
  return db
    .selectFrom('assignment')
    .leftJoin('customerGroup', (join) =>
      join
        .onRef('customerGroup.companyId', '=', 'assignment.companyId')
        .onRef('customerGroup.id', '=', 'assignment.groupId'),
    )
    .select(COLUMNS.map((column) => `assignment.${column}` as const))
    .select(SERIES)
    .select('customerGroup.uuid as groupUuid')
    .select((assignment) => [
      jsonArrayFrom(
        assignment
          .selectFrom('assignmentLine')
          .select(LINE_CONTENT)
          .select(exactQuantity('assignmentLine'))
          .whereRef('assignmentLine.companyId', '=', 'assignment.companyId')
          .whereRef('assignmentLine.assignmentId', '=', 'assignment.id')
          .orderBy('position'),
      ).as('lines'),
      sql<number[]>`ARRAY(
        SELECT (SELECT customer_number FROM customer WHERE company_id = named.company_id
          AND id = named.customer_id) AS number FROM assignment_customer named
        WHERE named.company_id = assignment.company_id AND named.assignment_id = assignment.id
        ORDER BY number LIMIT ${customers})`.as('customerNumbers'),
      sql<number>`(
        SELECT count(*) FROM assignment_customer named
        WHERE named.company_id = assignment.company_id AND named.assignment_id = assignment.id)`.as(
        'customerCount',
      ),
      sql<boolean>`EXISTS (
        SELECT FROM assignment_run run
        WHERE run.company_id = ${companyId} AND run.assignment_id = assignment.id
          AND run.finished_at IS NULL)`.as('isRunning'),
    ])
    .where('assignment.companyId', '=', companyId);
}

/** The uuid that callers of the API know, or the id. */
type Key = { readonly uuid: string } | { readonly id: number };

/** An assignment, without a lock; null when there is none. */
export async function findAssignment(
  db: Db,
  companyId: number,
  key: Key,
): Promise<AssignmentRow | null> {
  return (await selectAssignment(db, companyId, key).executeTakeFirst()) ?? null;
}

/** An assignment, locked until the transaction ends; null when there is none. */
export async function lockAssignment(
  trx: Trx,
  companyId: number,
  key: Key,
): Promise<AssignmentRow | null> {
  return (await selectAssignment(trx, companyId, key).forUpdate().executeTakeFirst()) ?? null;
}

function selectAssignment(db: Db, companyId: number, key: Key) {
  return db
    .selectFrom('assignment')
    .select(COLUMNS)
    .select(SERIES)
    .where('companyId', '=', companyId)
    .where('uuid' in key ? sql<boolean>`uuid = ${key.uuid}` : sql<boolean>`id = ${key.id}`);
}

export async function findLines(
  db: Db,
  companyId: number,
  assignmentId: number,
): Promise<AssignmentLineRow[]> {
  return db
    .selectFrom('assignmentLine')
    .select(LINE_CONTENT)
    .select(exactQuantity('assignmentLine'))
    .where('companyId', '=', companyId)
    .where('assignmentId', '=', assignmentId)
    .orderBy('position')
    .execute();
}

export async function insertAssignment(
  trx: Trx,
  companyId: number,
  values: AssignmentValues,
): Promise<Pick<AssignmentRow, 'id' | 'uuid'>> {
  return trx
    .insertInto('assignment')
    .values({ companyId, ...toColumns(values) })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow();
}

/** Saves an assignment; false when it has a newer version than the caller has read. */
export async function saveAssignment(
  trx: Trx,
  companyId: number,
  id: number,
  values: AssignmentValues,
  version: number | null | undefined,
): Promise<boolean> {
  const result = await trx
    .updateTable('assignment')
    .set(toColumns(values))
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(isStill(version))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function toColumns({ interval, day, ...values }: AssignmentValues) {
  return {
    ...values,
    intervalUnit: interval.unit,
    intervalCount: interval.count,
    day: day === LAST_DAY ? null : day,
    isLastDay: day === LAST_DAY,
  };
}

/** Columns that follow from time and runs; changing them makes no new version. */
export type Standing = Partial<
  Pick<AssignmentRow, 'state' | 'nextDate' | 'madeThrough' | 'owedFrom' | 'timesMade' | 'obstacle'>
>;

export async function saveStanding(
  trx: Trx,
  companyId: number,
  id: number,
  standing: Standing,
): Promise<void> {
  await trx
    .updateTable('assignment')
    .set(standing)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Saves why a due assignment waits; false when that was saved already, or it is no longer due. */
export async function saveObstacle(
  trx: Trx,
  companyId: number,
  id: number,
  { obstacle, today }: { obstacle: string; today: string },
): Promise<boolean> {
  const result = await trx
    .updateTable('assignment')
    .set({ obstacle })
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where('nextDate', '<=', today)
    .where(sql<boolean>`obstacle IS DISTINCT FROM ${obstacle}`)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Deletes an assignment and what its runs have noted. */
export async function deleteAssignment(trx: Trx, companyId: number, id: number): Promise<void> {
  await trx
    .deleteFrom('assignment')
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Replaces the lines and customers of an assignment. */
export async function replaceParts(
  trx: Trx,
  companyId: number,
  assignmentId: number,
  parts: Pick<WholeAssignment, 'lines'> & { readonly customerIds: readonly number[] },
): Promise<void> {
  await sql`
    DELETE FROM assignment_line
    WHERE company_id = ${companyId} AND assignment_id = ${assignmentId}`.execute(trx);
  await sql`
    DELETE FROM assignment_customer
    WHERE company_id = ${companyId} AND assignment_id = ${assignmentId}`.execute(trx);
  await insertAll(
    trx,
    { companyId, table: 'assignmentLine' },
    parts.lines.map((line, position) => ({ assignmentId, position, ...toStoredLine(line) })),
    [],
  );
  await insertAll(
    trx,
    { companyId, table: 'assignmentCustomer' },
    parts.customerIds.map((customerId) => ({ assignmentId, customerId })),
    [],
  );
}

interface AssignmentOfCustomer {
  readonly id: number;
  readonly name: string;
  readonly state: AssignmentState;
  /** Whether the customer is the only recipient. */
  readonly isAlone: boolean;
}

/** The assignments that name a customer or have its group, by name, but for those that have ended. */
export async function findAssignmentsOf(
  db: Db,
  companyId: number,
  customerId: number,
): Promise<AssignmentOfCustomer[]> {
  const { rows } = await sql<AssignmentOfCustomer>`
    SELECT assignment.id, name, state, (
      SELECT count(*) < 2 FROM (
        SELECT customer_id FROM assignment_customer
        WHERE company_id = ${companyId} AND assignment_id = assignment.id
        UNION
        SELECT customer_id FROM customer_group_member
        WHERE company_id = ${companyId} AND group_id = assignment.group_id
        LIMIT 2) recipient) AS "isAlone"
    FROM assignment
    WHERE company_id = ${companyId} AND state <> 'ENDED'
      AND ${hasRecipient(companyId, customerId)}
    ORDER BY name, assignment.id`.execute(db);
  return rows;
}
