import { addDays, dateText, daysBetween } from '../../../domain/date.ts';

const date = dateText();
/** A larger number never leads to a valid invoice date. */
const DAYS_MAX = 400_000;

/** The due date, `days` after the issue date; '' while either is missing or invalid. */
export function dueDateAfter(issueDate: string, days: number | null | undefined): string {
  if (!isDate(issueDate) || !Number.isInteger(days)) return '';
  const counted = days ?? 0;
  const dueDate = Math.abs(counted) > DAYS_MAX ? '' : addDays(issueDate, counted);
  return isDate(dueDate) ? dueDate : '';
}

/**
 * The days from an issue date to a due date; null while either is no valid date. The number may be outside the range
 * that an invoice allows.
 */
export function daysUntil(issueDate: string, dueDate: string): number | null {
  return isDate(issueDate) && isDate(dueDate) ? daysBetween(issueDate, dueDate) : null;
}

export function isDate(text: string): boolean {
  return date.safeParse(text).success;
}
