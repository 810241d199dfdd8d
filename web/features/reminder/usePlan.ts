import { skipToken, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';

import {
  reminderBody,
  type MadeReminder,
  type ReminderBody,
} from '../../../domain/reminder/reminder.schema.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useDebounced } from '../../ui/SearchField.tsx';
import { planQuery } from './reminder.queries.ts';

/** What is known of a reminder that is being filled in. */
export interface Plan {
  /** What was asked about; undefined while the date is none. */
  readonly wish: ReminderBody | undefined;
  /** What it would be; while a change is asked about, what it was before that. */
  readonly made: MadeReminder | undefined;
  /** The same, when nothing has changed since it was asked about. */
  readonly settled: MadeReminder | undefined;
  /** Why it may not be sent so, in words for people. */
  readonly refusal: string | undefined;
  /** Present when it could not be asked about. */
  readonly retry: (() => void) | undefined;
}

/** Asks what a reminder would be, as it is filled in; while a date is being typed not at every key. */
export function usePlan(invoiceUuid: string, values: Partial<z.input<typeof reminderBody>>): Plan {
  const dueDate = useDebounced(values.dueDate);
  const { data: wish } = reminderBody.safeParse({ ...values, dueDate });
  const { queryFn, ...rest } = planQuery(invoiceUuid, wish ?? NOTHING);
  const query = useQuery({ ...rest, queryFn: wish && queryFn ? queryFn : skipToken });
  const { data: made, error, isPlaceholderData } = query;
  const isOld = isPlaceholderData || dueDate !== values.dueDate || !wish;
  const refusal =
    error instanceof ApiError && error.detail.length > 0
      ? error.detail.map(({ message }) => message).join(' ')
      : undefined;
  return {
    wish,
    made,
    settled: isOld ? undefined : made,
    refusal,
    retry: error && refusal === undefined ? () => void query.refetch() : undefined,
  };
}

/** Stands in the key while there is nothing to ask about. */
const NOTHING: ReminderBody = {
  kind: 'REMINDER',
  dueDate: null,
  fee: false,
  interest: false,
  compensation: false,
};
