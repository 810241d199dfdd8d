import { addDays, dateText, daysBetween } from '../../domain/date.ts';
import { dueDays } from '../../domain/invoice/invoice-line.schema.ts';

const date = dateText();

/** The date so many days after an issue date; '' while either is missing or cannot be. */
export function dueDateAfter(issueDate: string, days: number | null | undefined): string {
  const counted = dueDays.safeParse(days);
  return counted.success && isDate(issueDate) ? addDays(issueDate, counted.data) : '';
}

/** How many days lead from an issue date to a due date; null while either is none, or none leads there. */
export function daysUntil(issueDate: string, dueDate: string): number | null {
  if (!isDate(issueDate) || !isDate(dueDate)) return null;
  return dueDays.safeParse(daysBetween(issueDate, dueDate)).data ?? null;
}

/** Whether it is a real date that an invoice may have. */
export function isDate(text: string): boolean {
  return date.safeParse(text).success;
}
