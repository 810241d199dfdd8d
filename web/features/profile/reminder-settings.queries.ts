import { queryOptions } from '@tanstack/react-query';

import { getReminderSettings } from '../../../domain/profile/profile.endpoints.ts';
import { call } from '../../lib/client.ts';

/** The settings for reminders of overdue invoices. */
export const reminderSettingsQuery = queryOptions({
  queryKey: ['reminder-settings'],
  queryFn: async ({ signal }) => call(getReminderSettings, {}, signal),
});
