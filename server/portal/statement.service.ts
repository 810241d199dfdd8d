import { statementFigures } from '../../domain/portal/statement.ts';
import {
  statementPeriod,
  type Statement,
  type statementQuery,
} from '../../domain/portal/statement.schema.ts';
import { oreToKroner } from '../../domain/money.ts';
import type { Period } from '../../domain/overview/periods.ts';
import type { z } from 'zod';
import type { Actor, Context } from '../context.ts';
import { findCustomer, type CustomerRow } from '../customer/customer.repository.ts';
import { AppError } from '../errors.ts';
import { currentMoment, readCustomerBooks } from '../export/open-books.ts';
import { sumUnpaidReminders } from '../invoice/invoice-payable.repository.ts';
import type { Db } from '../platform/db/database.ts';

/** How often the books are read, since payments may be placed meanwhile. */
const MOST_READINGS = 5;

/** The statement of a customer of the caller's company. @throws AppError not_found, unavailable */
export async function getStatement(
  { db }: Context,
  { companyId }: Actor,
  customerNumber: number,
  query: z.output<typeof statementQuery>,
): Promise<Statement> {
  const customer = await requireCustomer(db, companyId, customerNumber);
  return statementOf(db, companyId, customer, statementPeriod(query));
}

/** @throws AppError not_found */
export async function requireCustomer(
  db: Db,
  companyId: number,
  customerNumber: number,
): Promise<CustomerRow> {
  const customer = await findCustomer(db, companyId, customerNumber);
  if (!customer) throw new AppError('not_found');
  return customer;
}

/**
 * The statement of a customer for a period (PORT-30). Whoever calls it has checked the period, and who asks.
 * @throws AppError unavailable while the books change faster than they are read
 */
export async function statementOf(
  db: Db,
  companyId: number,
  {
    id: customerId,
    customerNumber,
    name: customerName,
  }: Pick<CustomerRow, 'id' | 'customerNumber' | 'name'>,
  period: Period,
): Promise<Statement> {
  for (let reading = 0; reading < MOST_READINGS; reading += 1) {
    const moment = await currentMoment(db, companyId);
    const scope = { companyId, customerId, ...period, filter: null, ...moment };
    const figures = statementFigures(await readCustomerBooks(db, scope), customerId, period);
    if (!figures) continue;
    const reminderAmount = oreToKroner(await sumUnpaidReminders(db, companyId, customerId));
    const madeAt = new Date().toISOString();
    return { customerNumber, customerName, ...period, ...figures, reminderAmount, madeAt };
  }
  throw new AppError('unavailable');
}
