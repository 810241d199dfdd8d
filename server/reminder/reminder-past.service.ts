import type { ListedDelivery } from '../delivery/delivery.rows.ts';
import { todayInOslo } from '../../domain/date.ts';
import type { DeliveryStatus } from '../../domain/delivery/delivery.schema.ts';
import { deadlineOf, type SentReminder } from '../../domain/late-payment/reminder-law.ts';
import { ore, type Ore } from '../../domain/money.ts';
import type { Db } from '../platform/db/database.ts';
import { findReminderDeliveries } from '../delivery/delivery-list.service.ts';
import { findReminders, type ReminderRow } from './reminder.repository.ts';

/** The reminders of an invoice so far. */
export interface RemindersSoFar {
  /** The step of the last one; 0 before the first. */
  readonly step: number;
  /** In the order of their steps, as the law counts them. */
  readonly sent: readonly SentReminder[];
  /** Øre of the interest asked for, paid or not. */
  readonly interestAsked: Ore;
  /** The mail status of the last reminder; null when it had no mail or was stopped. */
  readonly lastDelivery: DeliveryStatus | null;
}

/** The reminders of each of these invoices so far, by its id. */
export async function findRemindersSoFar(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<(invoiceId: number) => RemindersSoFar> {
  const rows = await findReminders(db, companyId, invoiceIds);
  const reminded = Map.groupBy(rows, ({ invoiceId }) => invoiceId);
  const deliveries = await findReminderDeliveries(db, companyId, [...reminded.keys()]);
  return (invoiceId) => soFar(reminded.get(invoiceId) ?? [], deliveries);
}

function soFar(
  rows: readonly ReminderRow[],
  deliveries: ReadonlyMap<number, readonly ListedDelivery[]>,
): RemindersSoFar {
  const last = rows.at(-1);
  const delivery = last && deliveries.get(last.documentId)?.at(-1);
  return {
    step: last?.step ?? 0,
    sent: rows.map((row) => asSent(row, deliveries.get(row.documentId) ?? [])),
    // A new claim for interest replaces the previous one.
    interestAsked:
      rows.findLast((row) => row.waivedAt === null && row.interest > 0)?.interestLeft ?? ore(0),
    lastDelivery: delivery && delivery.stoppedBy === null ? delivery.status : null,
  };
}

/**
 * A reminder as the law counts it. A reminder that was never sent asked for nothing. One that bounced and was sent
 * again counts from the later day.
 */
function asSent(row: ReminderRow, deliveries: readonly ListedDelivery[]): SentReminder {
  const { sentOn, dueDate, fee, compensation, waivedAt } = row;
  const wasStopped =
    waivedAt !== null &&
    deliveries.length > 0 &&
    deliveries.every(({ status }) => status === 'FAILED') &&
    deliveries.some(({ stoppedBy }) => stoppedBy !== null);
  if (wasStopped) return { sentOn, dueDate, fee: ore(0), compensation: ore(0), stopped: true };
  const arrived = deliveries.filter(({ status }) => status === 'SENT');
  const left = arrived.length > 0 ? arrived : deliveries;
  const times = left.flatMap(({ sentTime }) => sentTime?.getTime() ?? []);
  const leftOn = times.length > 0 ? todayInOslo(new Date(Math.min(...times))) : sentOn;
  return { sentOn, dueDate: deadlineOf({ dueDate, fee }, leftOn), fee, compensation };
}
