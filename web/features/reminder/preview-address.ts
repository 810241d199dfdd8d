import type { ReminderBody } from '../../../domain/reminder/reminder.schema.ts';
import { paths } from '../../lib/paths.ts';

/** The URL of a reminder's draft PDF, with the choices as query parameters in the API's names. */
export function addressOf(invoiceUuid: string, wish: ReminderBody): string {
  const { kind, dueDate, fee, interest, compensation } = wish;
  return paths.reminderPreview(
    invoiceUuid,
    new URLSearchParams({
      kind,
      ...(dueDate === null ? {} : { due_date: dueDate }),
      fee: String(fee),
      interest: String(interest),
      compensation: String(compensation),
    }),
  );
}
