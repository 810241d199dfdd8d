import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';

import type { Db, Trx } from '../platform/db/database.ts';
import { insertAll } from '../platform/db/insert-all.ts';
import { exactQuantity, toStoredLine, isStill } from '../platform/db/columns.ts';
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
  'intervalUnit',
  'intervalCount',
  'day',
  'isLastDay',
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
const LINE_COLUMNS = ['unit', 'description', 'netUnitAmount', 'vatRate'] as const;

export type AssignmentRow = Row<'assignment', (typeof COLUMNS)[number]>;
export interface AssignmentLineRow extends Row<'assignmentLine', (typeof LINE_COLUMNS)[number]> {
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
        sql<boolean>`EXISTS (
          SELECT FROM customer recipient
          WHERE recipient.company_id = ${companyId} AND recipient.customer_number = ${customerNumber}
            AND recipient.id IN (
              SELECT customer_id FROM assignment_customer
              WHERE company_id = ${companyId} AND assignment_id = assignment.id
              UNION
              SELECT customer_id FROM customer_group_member
              WHERE company_id = ${companyId} AND group_id = assignment.group_id))`,
      ),
    )
    .orderBy('assignment.name')
    .orderBy('assignment.id')
    .execute();
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
    .select('customerGroup.uuid as groupUuid')
    .select((assignment) => [
      jsonArrayFrom(
        assignment
          .selectFrom('assignmentLine')
          .select(LINE_COLUMNS)
          .select(exactQuantity('assignmentLine'))
          .whereRef('assignmentLine.companyId', '=', 'assignment.companyId')
          .whereRef('assignmentLine.assignmentId', '=', 'assignment.id')
          .orderBy('position'),
      ).as('lines'),
      sql<number[]>`ARRAY(
        SELECT customer.customer_number FROM assignment_customer named
        JOIN customer ON customer.company_id = named.company_id AND customer.id = named.customer_id
        WHERE named.company_id = assignment.company_id AND named.assignment_id = assignment.id
        ORDER BY customer.customer_number LIMIT ${customers})`.as('customerNumbers'),
      sql<number>`(
        SELECT count(*) FROM assignment_customer named
        WHERE named.company_id = assignment.company_id AND named.assignment_id = assignment.id)`.as(
        'customerCount',
      ),
      sql<boolean>`EXISTS (
        SELECT FROM assignment_run run
        WHERE run.company_id = assignment.company_id AND run.assignment_id = assignment.id
          AND run.finished_at IS NULL)`.as('isRunning'),
    ])
    .where('assignment.companyId', '=', companyId);
}

function selectAssignments(db: Db, companyId: number) {
  return db.selectFrom('assignment').select(COLUMNS).where('companyId', '=', companyId);
}

/** An assignment, without a lock. @throws AppError not_found */
export async function requireAssignment(
  db: Db,
  companyId: number,
  uuid: string,
): Promise<AssignmentRow> {
  const row = await selectAssignments(db, companyId).where('uuid', '=', uuid).executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** An assignment, without a lock; null when it was deleted. */
export async function findAssignmentById(
  db: Db,
  companyId: number,
  id: number,
): Promise<AssignmentRow | null> {
  const row = await selectAssignments(db, companyId).where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** An assignment, locked until the transaction ends. @throws AppError not_found */
export async function lockAssignment(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<AssignmentRow> {
  const row = await selectAssignments(trx, companyId)
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new AppError('not_found');
  return row;
}

/** Like `lockAssignment`; null when it was deleted. */
export async function lockAssignmentById(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<AssignmentRow | null> {
  const row = await selectAssignments(trx, companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function findLines(
  db: Db,
  companyId: number,
  assignmentId: number,
): Promise<AssignmentLineRow[]> {
  return db
    .selectFrom('assignmentLine')
    .select(LINE_COLUMNS)
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
): Promise<AssignmentRow> {
  return trx
    .insertInto('assignment')
    .values({ companyId, ...values })
    .returning(COLUMNS)
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
    .set(values)
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .where(isStill(version))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
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
  parts: {
    readonly lines: readonly AssignmentLineRow[];
    readonly customerIds: readonly number[];
  },
): Promise<void> {
  await trx
    .deleteFrom('assignmentLine')
    .where('companyId', '=', companyId)
    .where('assignmentId', '=', assignmentId)
    .execute();
  await trx
    .deleteFrom('assignmentCustomer')
    .where('companyId', '=', companyId)
    .where('assignmentId', '=', assignmentId)
    .execute();
  await insertAll(
    trx,
    { companyId, table: 'assignmentLine' },
    parts.lines.map((line, position) => ({
      assignmentId,
      position,
      ...toStoredLine(line),
    })),
    [],
  );
  await insertAll(
    trx,
    { companyId, table: 'assignmentCustomer' },
    parts.customerIds.map((customerId) => ({ assignmentId, customerId })),
    [],
  );
}

/** An assignment that has something to make. */
export interface DueRow {
  readonly companyId: number;
  readonly id: number;
}

/** Assignments of all companies that are due or have a run under way, after this one. */
export async function findDue(
  db: Db,
  { today, after, most }: { today: string; after: number; most: number },
): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    SELECT company_id, id FROM assignment WHERE next_date <= ${today} AND id > ${after}
    UNION
    SELECT company_id, assignment_id FROM assignment_run
    WHERE finished_at IS NULL AND assignment_id > ${after}
    ORDER BY id LIMIT ${most}`.execute(db);
  return rows;
}
