import {
  type ReminderDocument,
  principalOf,
  reminderAmount,
} from '../../domain/document/reminder-document.ts';
import { ore, oreToKroner } from '../../domain/money.ts';
import type { Reminder } from '../../domain/reminder/reminder.schema.ts';
import { presentDelivery, type ListedDelivery } from '../delivery/delivery.rows.ts';
import type { ReminderPlan } from './reminder-plan.service.ts';
import type { ReminderRow } from './reminder.repository.ts';

/** A reminder as the API shows it, with its deliveries, the oldest first. */
export function presentReminder(
  row: ReminderRow,
  deliveries: readonly ListedDelivery[] = [],
): Reminder {
  const latest = deliveries.at(-1);
  const { principal, fee, interest, compensation, earlier } = row;
  const amount = ore(principal + fee + interest + compensation + earlier);
  return {
    uuid: row.uuid,
    kind: row.kind,
    step: row.step,
    date: row.sentOn,
    dueDate: row.dueDate,
    principal: oreToKroner(principal),
    fee: oreToKroner(fee),
    interest: oreToKroner(interest),
    compensation: oreToKroner(compensation),
    earlier: oreToKroner(earlier),
    amount: oreToKroner(amount),
    deliveryStatus: latest?.status ?? null,
    delivery: latest ? presentDelivery(latest) : null,
    waived: isWaived(row),
  };
}

/**
 * Whether no fee, interest or compensation is left: the reminder was stopped, was paid before, or was waived by
 * hand.
 */
export function isWaived({ waivedAt, isLetGo, feeWaived, interestLeft }: ReminderRow): boolean {
  return waivedAt !== null || isLetGo || (feeWaived && interestLeft === 0);
}

/** A reminder before it is made. */
export function presentPlan({ step, document }: ReminderPlan) {
  return {
    uuid: null,
    kind: document.kind,
    step,
    date: document.date,
    dueDate: document.dueDate,
    ...presentClaim(document),
    deliveryStatus: null,
    delivery: null,
    waived: false,
  };
}

function presentClaim(document: ReminderDocument) {
  return {
    principal: oreToKroner(principalOf(document)),
    fee: oreToKroner(document.fee),
    interest: oreToKroner(document.interest?.amount ?? ore(0)),
    compensation: oreToKroner(document.compensation),
    earlier: oreToKroner(document.earlier),
    amount: oreToKroner(reminderAmount(document)),
  };
}
