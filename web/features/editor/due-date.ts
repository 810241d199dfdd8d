import { addDays, dateText, daysBetween } from '../../../domain/date.ts';

const date = dateText();
/** More lead to no date that an invoice may have. */
const DAYS_MAX = 400_000;

/** The date so many days after an issue date; '' while either is missing or cannot be. */
export function dueDateAfter(issueDate: string, days: number | null | undefined): string {
  if (!isDate(issueDate) || !Number.isInteger(days)) return '';
  const counted = days ?? 0;
  const dueDate = Math.abs(counted) > DAYS_MAX ? '' : addDays(issueDate, counted);
  return isDate(dueDate) ? dueDate : '';
}

/**
 * How many days lead from an issue date to a due date, which may be more or less than an invoice can have; null while
 * either is none.
 */
export function daysUntil(issueDate: string, dueDate: string): number | null {
  return isDate(issueDate) && isDate(dueDate) ? daysBetween(issueDate, dueDate) : null;
}

/** Whether it is a real date that an invoice may have. */
export function isDate(text: string): boolean {
  return date.safeParse(text).success;
}
