import { sql } from 'kysely';

import { addDays, todayInOslo } from '../../domain/date.ts';
import { addRates } from '../late-payment/late-payment.service.ts';
import type { Db } from '../db/database.ts';
import type { TestClient } from './client.ts';
import { createCustomer, createDraft, LINES, register } from './factories.ts';

/** The terms of invoices here. */
const DUE_DAYS = 14;

/** Rates for years to come, so that tests do not end with those that are built in. */
export async function addRatesToCome(db: Db): Promise<void> {
  const years = Array.from({ length: 20 }, (_, index) => 2027 + index);
  const days = years.flatMap((year) => [`${year}-01-01`, `${year}-07-01`]);
  await addRates(
    db,
    days.flatMap((from) => [
      { kind: 'INTEREST' as const, from, value: 1200 },
      { kind: 'COMPENSATION' as const, from, value: 450_00 },
    ]),
  );
}

export interface LateInvoice {
  readonly uuid: string;
  readonly id: number;
  readonly number: number;
  readonly email: string;
  readonly customerNumber: number;
  readonly dueDate: string;
}

let customers = 0;

/** A registered invoice of 173.46 that was due so many days ago, to a customer with its own address. */
export async function lateInvoice(
  db: Db,
  client: TestClient,
  daysLate: number,
  { customer = {}, draft = {} }: { readonly customer?: object; readonly draft?: object } = {},
): Promise<LateInvoice> {
  const email = `sen${++customers}@example.no`;
  const customerNumber = await createCustomer(client, { email, ...customer });
  const dueDate = addDays(todayInOslo(), -daysLate);
  const issued = addDays(dueDate, -DUE_DAYS);
  const uuid = await createDraft(client, customerNumber, {
    issue_date: issued,
    delivery_date: issued,
    due_days: DUE_DAYS,
    invoice_lines: LINES,
    ...draft,
  });
  const number = await register(client, uuid);
  const { rows } = await sql<{ id: number }>`SELECT id FROM invoice WHERE uuid = ${uuid}`.execute(
    db,
  );
  return { uuid, id: rows[0]?.id ?? 0, number, email, customerNumber, dueDate };
}
