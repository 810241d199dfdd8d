import { useMutation } from '@tanstack/react-query';

import { saveReminderSettings } from '../../../domain/profile/profile.endpoints.ts';
import type { ReminderSettingsForm } from '../../../domain/profile/reminder-settings.schema.ts';
import { call } from '../../lib/client.ts';
import type { Saved } from '../../forms/GuardedForm.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { reminderSettingsQuery } from './reminder-settings.queries.ts';

export function useSaveReminderSettings() {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<ReminderSettingsForm>) =>
      call(saveReminderSettings, { body: { ...values, version } }),
    meta: { changes: 'reminder-settings', answers: reminderSettingsQuery.queryKey },
    onSuccess: () => showSuccess('Purringer lagret!'),
  });
}
