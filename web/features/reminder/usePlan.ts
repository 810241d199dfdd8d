import { skipToken, useQuery } from '@tanstack/react-query';
import type { z } from 'zod/mini';

import {
  reminderBody,
  type MadeReminder,
  type ReminderBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { reasonsOf } from '../../lib/api-error.ts';
import { useDebounced } from '../../ui/SearchField.tsx';
import { planQuery } from './reminder.api.ts';

/** The preview of a reminder while the user fills it in. */
export interface Plan {
  /** The previewed input; undefined while the date is invalid. */
  readonly wish: ReminderBody | undefined;
  /** The preview; the previous one while a new one is fetched. */
  readonly made: MadeReminder | undefined;
  /** The preview, when it matches the current input. */
  readonly settled: MadeReminder | undefined;
  /** The reason why the reminder cannot be sent, in text for the user. */
  readonly refusal: string | undefined;
  /** Retries the preview; undefined unless it failed. */
  readonly retry: (() => void) | undefined;
}

/** Previews a reminder as the user fills it in; a typed date is debounced. */
export function usePlan(invoiceUuid: string, values: Partial<z.input<typeof reminderBody>>): Plan {
  const dueDate = useDebounced(values.dueDate);
  const { data: wish } = reminderBody.safeParse({ ...values, dueDate });
  const { queryFn, ...rest } = planQuery(invoiceUuid, wish ?? NOTHING);
  const query = useQuery({ ...rest, queryFn: wish && queryFn ? queryFn : skipToken });
  const { data: made, error, isPlaceholderData } = query;
  const isOld = isPlaceholderData || dueDate !== values.dueDate || !wish;
  const refusal = reasonsOf(error);
  return {
    wish,
    made,
    settled: isOld ? undefined : made,
    refusal,
    retry: error && refusal === undefined ? () => void query.refetch() : undefined,
  };
}

/** Placeholder in the query key while there is no valid input. */
const NOTHING: ReminderBody = {
  kind: 'REMINDER',
  dueDate: null,
  fee: false,
  interest: false,
  compensation: false,
};
