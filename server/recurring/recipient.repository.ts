import { sql } from 'kysely';

import type { AssignmentState } from '../../domain/recurring/recurring.schema.ts';
import type { Db, Trx } from '../platform/db/database.ts';

/** An assignment of which a customer is a recipient. */
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
    WHERE company_id = ${companyId} AND state <> 'ENDED' AND (
      EXISTS (
        SELECT FROM assignment_customer
        WHERE company_id = ${companyId} AND assignment_id = assignment.id
          AND customer_id = ${customerId})
      OR EXISTS (
        SELECT FROM customer_group_member
        WHERE company_id = ${companyId} AND group_id = assignment.group_id
          AND customer_id = ${customerId}))
    ORDER BY name, assignment.id`.execute(db);
  return rows;
}

/** Saves on assignments that they have lost the customer with this number. */
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
 * Notes the recipients of a run: the customers that the assignment names and those of its group now, and those that it
 * has lost since the run before.
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
