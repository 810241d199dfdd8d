import { sql } from 'kysely';

import type { Ore } from '../../domain/money.ts';
import type { MadeInvoice } from '../../domain/recurring/recurring.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { Row } from '../platform/db/tables.ts';

const COLUMNS = [
  'id',
  'assignmentId',
  'periodFrom',
  'periodTo',
  'runOn',
  'mode',
  'content',
  'byType',
  'byName',
  'finishedAt',
] as const;

export type RunRow = Row<'assignmentRun', (typeof COLUMNS)[number]>;
export type NewRun = Omit<RunRow, 'id' | 'finishedAt'>;

/** A recipient for whom a run has made nothing yet. */
export interface RecipientRow {
  readonly customerNumber: number;
  /** null when the customer was deleted meanwhile. */
  readonly customerId: number | null;
}

/** An invoice that was made for a recipient. */
export interface MadeRow {
  readonly customerNumber: number;
  readonly invoiceId: number | null;
  /** A code of why the invoice stayed a draft, and what it is about. */
  readonly failure: string | null;
  readonly failureSubject: string | null;
}

/** The run of an assignment that is under way; the caller holds the assignment. */
export async function findUnfinished(
  db: Db,
  companyId: number,
  assignmentId: number,
): Promise<RunRow | null> {
  const row = await db
    .selectFrom('assignmentRun')
    .select(COLUMNS)
    .where('companyId', '=', companyId)
    .where('assignmentId', '=', assignmentId)
    .where('finishedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertRun(
  trx: Trx,
  companyId: number,
  { content, ...run }: NewRun,
): Promise<RunRow> {
  return trx
    .insertInto('assignmentRun')
    .values({ companyId, ...run, content: JSON.stringify(content) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Notes on assignments that the customer with this number was deleted. */
export async function noteLost(
  trx: Trx,
  companyId: number,
  ids: readonly number[],
  customerNumber: number,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    UPDATE assignment SET lost_customers = lost_customers || ${customerNumber}::integer
    WHERE company_id = ${companyId} AND id = ANY(${[...ids]}::bigint[])`.execute(trx);
}

/**
 * Adds the recipients of a run: the customers that the assignment names, the current members of its group, and the
 * customers that it has lost since the previous run.
 */
export async function insertRecipients(
  trx: Trx,
  companyId: number,
  run: { readonly id: number; readonly assignmentId: number; readonly groupId: number | null },
): Promise<void> {
  await sql`
    INSERT INTO assignment_run_recipient (company_id, run_id, customer_number, customer_id)
    SELECT customer.company_id, ${run.id}, customer.customer_number, customer.id FROM customer
    WHERE customer.company_id = ${companyId} AND customer.id IN (
      SELECT customer_id FROM assignment_customer
      WHERE company_id = ${companyId} AND assignment_id = ${run.assignmentId}
      UNION
      SELECT customer_id FROM customer_group_member
      WHERE company_id = ${companyId} AND group_id = ${run.groupId})`.execute(trx);
  // The number may belong to another customer by now, who is a recipient.
  await sql`
    INSERT INTO assignment_run_recipient (company_id, run_id, customer_number, done, failure)
    SELECT company_id, ${run.id}, unnest(lost_customers), true, 'customer_deleted' FROM assignment
    WHERE company_id = ${companyId} AND id = ${run.assignmentId}
    ON CONFLICT DO NOTHING`.execute(trx);
  await trx
    .updateTable('assignment')
    .set({ lostCustomers: [] })
    .where('companyId', '=', companyId)
    .where('id', '=', run.assignmentId)
    .where(sql<boolean>`lost_customers <> '{}'`)
    .execute();
}

/** The recipients for whom a run has made nothing yet, by number, up to a limit. */
export async function findLeft(
  db: Db,
  companyId: number,
  runId: number,
  most: number,
): Promise<RecipientRow[]> {
  return db
    .selectFrom('assignmentRunRecipient')
    .select(['customerNumber', 'customerId'])
    .where('companyId', '=', companyId)
    .where('runId', '=', runId)
    .where('done', '=', false)
    .orderBy('customerNumber')
    .limit(most)
    .execute();
}

/** Saves which invoice was made for which recipient. */
export async function saveMade(
  trx: Trx,
  companyId: number,
  runId: number,
  made: readonly MadeRow[],
): Promise<void> {
  await sql`
    UPDATE assignment_run_recipient recipient SET done = true, invoice_id = given."invoiceId",
      failure = given.failure, failure_subject = given."failureSubject"
    FROM json_to_recordset(${JSON.stringify(made)}::json) AS given (
      "customerNumber" integer, "invoiceId" bigint, failure text, "failureSubject" text)
    WHERE recipient.company_id = ${companyId} AND recipient.run_id = ${runId}
      AND recipient.customer_number = given."customerNumber"`.execute(trx);
}

export async function finishRun(trx: Trx, companyId: number, runId: number): Promise<void> {
  await trx
    .updateTable('assignmentRun')
    .set({ finishedAt: sql`now()` })
    .where('companyId', '=', companyId)
    .where('id', '=', runId)
    .execute();
}

/** An invoice that stayed a draft, and why. */
export interface FailureRow {
  /** The current number; the number at the time of the run when the customer was deleted. */
  readonly customerNumber: number;
  readonly customerDeleted: boolean;
  readonly customerName: string | null;
  readonly failure: string;
  readonly failureSubject: string | null;
}

/** An invoice that a run made, as it is now. */
export interface MadeInvoiceRow extends Omit<
  MadeInvoice,
  'deliveries' | 'grossAmount' | 'paidAmount'
> {
  readonly grossAmount: Ore;
  readonly paidAmount: Ore;
  readonly lastDelivery: MadeInvoice['deliveries'][number] | null;
}

/** A run with what it made. */
export interface WholeRun extends Omit<RunRow, 'content'> {
  /** The invoices that still exist, by customer number; at most as many as the caller asked for. */
  readonly invoices: readonly MadeInvoiceRow[];
  readonly invoiceCount: number;
  /** The number of recipients, even when they or their invoices were deleted since. */
  readonly recipientCount: number;
  readonly failures: readonly FailureRow[];
  readonly failureCount: number;
  /** Numbers of recipients that were deleted since the run before; at most as many as were asked for. */
  readonly lostCustomers: readonly number[];
}

const LISTED_COLUMNS = COLUMNS.filter((column) => column !== 'content');

const ofRun = sql`recipient.company_id = assignment_run.company_id
  AND recipient.run_id = assignment_run.id`;

/** The invoices of a run, as JSON. */
function madeInvoices(listed: number) {
  return sql<MadeInvoiceRow[]>`(
    SELECT COALESCE(json_agg(made), '[]') FROM (
      SELECT invoice.uuid, invoice.kind, invoice.invoice_number AS "invoiceNumber",
        COALESCE(invoice.buyer->>'name', customer.name, '') AS "customerName", invoice.status,
        invoice.delivery_status AS "deliveryStatus", invoice.due_date AS "dueDate",
        invoice.gross_amount AS "grossAmount", invoice.paid_amount AS "paidAmount", invoice.disputed,
        (SELECT json_build_object('status', delivery.status, 'stoppedBy', delivery.stopped_by)
          FROM delivery
          WHERE delivery.company_id = invoice.company_id AND delivery.invoice_id = invoice.id
            AND delivery.reminder_principal IS NULL
          ORDER BY delivery.id DESC LIMIT 1) AS "lastDelivery"
      FROM assignment_run_recipient recipient
      JOIN invoice ON invoice.company_id = recipient.company_id
        AND invoice.id = recipient.invoice_id
      LEFT JOIN customer ON customer.company_id = invoice.company_id
        AND customer.id = invoice.customer_id
      WHERE ${ofRun} ORDER BY recipient.customer_number LIMIT ${listed}) made
  )`;
}

/** Runs with at most so many of their invoices and failures listed. */
function selectRuns(db: Db, companyId: number, listed: number) {
  const isLost = sql`failure IS NOT DISTINCT FROM 'customer_deleted'`;
  return db
    .selectFrom('assignmentRun')
    .select(LISTED_COLUMNS)
    .select([
      madeInvoices(listed).as('invoices'),
      sql<number>`(
        SELECT count(*) FROM assignment_run_recipient recipient
        WHERE ${ofRun} AND invoice_id IS NOT NULL)`.as('invoiceCount'),
      sql<number>`(
        SELECT count(*) FROM assignment_run_recipient recipient
        WHERE ${ofRun} AND NOT ${isLost})`.as('recipientCount'),
      sql<FailureRow[]>`(
        SELECT COALESCE(json_agg(failed), '[]') FROM (
          SELECT COALESCE(customer.customer_number, recipient.customer_number)
              AS "customerNumber", customer.id IS NULL AS "customerDeleted", customer.name AS "customerName",
            failure, failure_subject AS "failureSubject"
          FROM assignment_run_recipient recipient
          LEFT JOIN customer ON customer.company_id = recipient.company_id
            AND customer.id = recipient.customer_id
          WHERE ${ofRun} AND failure IS NOT NULL AND NOT ${isLost}
          ORDER BY recipient.customer_number LIMIT ${listed}) failed
      )`.as('failures'),
      sql<number>`(
        SELECT count(*) FROM assignment_run_recipient recipient
        WHERE ${ofRun} AND failure IS NOT NULL AND NOT ${isLost})`.as('failureCount'),
      sql<number[]>`ARRAY(
        SELECT customer_number FROM assignment_run_recipient recipient
        WHERE ${ofRun} AND ${isLost} ORDER BY customer_number LIMIT ${listed})`.as('lostCustomers'),
    ])
    .where('companyId', '=', companyId);
}

/** A run with so many of its invoices and failures. */
export async function findRun(
  db: Db,
  companyId: number,
  id: number,
  listed: number,
): Promise<WholeRun | null> {
  const row = await selectRuns(db, companyId, listed).where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** Runs of an assignment, newest period first, each with so many of its invoices and failures. */
export async function findRuns(
  db: Db,
  companyId: number,
  assignmentId: number,
  { listed, skip, most }: Readonly<Record<'listed' | 'skip' | 'most', number>>,
): Promise<WholeRun[]> {
  return selectRuns(db, companyId, listed)
    .where('assignmentId', '=', assignmentId)
    .orderBy('periodFrom', 'desc')
    .offset(skip)
    .limit(most)
    .execute();
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
