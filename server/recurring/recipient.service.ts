import type { Context } from '../context.ts';
import type { CustomerRow } from '../customer/customer.service.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import * as repository from './recipient.repository.ts';

/**
 * Takes a customer that is about to be deleted off its assignments, each of which tells its owner at the next run. The
 * caller holds the company and the customer. @throws AppError customer_only_recipient
 */
export async function leaveAssignments(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  companyId: number,
  { id, customerNumber }: CustomerRow,
): Promise<void> {
  const assignments = await repository.findAssignmentsOf(trx, companyId, id);
  const alone = assignments.find(({ state, isAlone }) => state === 'ACTIVE' && isAlone);
  if (alone && config.features.has('recurring')) {
    throw new AppError('customer_only_recipient', { subject: alone.name });
  }
  const ids = assignments.map((assignment) => assignment.id);
  await repository.noteLost(trx, companyId, ids, customerNumber);
}
