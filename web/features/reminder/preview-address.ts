import type { ReminderBody } from '../../../domain/reminder/reminder.schema.ts';
import { paths } from '../../lib/paths.ts';

/** Where the draft of a reminder's PDF is: the wish in an address, named as on the wire. */
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
