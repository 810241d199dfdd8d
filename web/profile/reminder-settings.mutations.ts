import { useMutation } from '@tanstack/react-query';

import { saveReminderSettings } from '../../domain/profile/profile.endpoints.ts';
import type { ReminderSettingsForm } from '../../domain/profile/reminder-settings.schema.ts';
import { call } from '../api/client.ts';
import type { Saved } from '../ui/GuardedForm.tsx';
import { showSuccess } from '../ui/toasts.ts';
import { reminderSettingsQuery } from './reminder-settings.queries.ts';

export function useSaveReminderSettings() {
  return useMutation({
    mutationFn: async ({ values, version }: Saved<ReminderSettingsForm>) =>
      call(saveReminderSettings, { body: { ...values, version } }),
    meta: { changes: 'reminder-settings', answers: reminderSettingsQuery.queryKey },
    onSuccess: () => showSuccess('Purringer lagret!'),
  });
}
