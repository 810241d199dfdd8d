import { useMutation } from '@tanstack/react-query';

import { requestEhfAgreement } from '../../../domain/ehf/ehf.endpoints.ts';
import {
  deleteKidAgreement,
  getKidAgreement,
  getReminderSettings,
  saveKidAgreement,
  saveReminderSettings,
} from '../../../domain/profile/settings.endpoints.ts';
import type { KidAgreementForm } from '../../../domain/profile/kid-agreement.schema.ts';
import type { ReminderSettingsForm } from '../../../domain/profile/reminder-settings.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask } from '../../lib/ask.ts';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { ehfAgreementQuery } from './profile.api.ts';

export function useRequestEhfAgreement() {
  return useMutation({
    mutationFn: async () => call(requestEhfAgreement, {}),
    meta: { changes: 'ehf-agreement', answers: ehfAgreementQuery.queryKey },
    onSuccess: () => showSuccess('Du har bedt om utstederavtale!'),
  });
}

/** The KID agreement with the bank; null when there is none. */
export const kidAgreementQuery = ask('kid-agreement', getKidAgreement, {});

export function useSaveKidAgreement() {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<KidAgreementForm>) =>
      call(saveKidAgreement, { body: { ...values, version } }),
    meta: { changes: 'kid-agreement', answers: kidAgreementQuery.queryKey },
    onSuccess: () => showSuccess('KID-avtale lagret!'),
  });
}

export function useEndKidAgreement() {
  return useMutation({
    mutationFn: async () => call(deleteKidAgreement),
    meta: { changes: 'kid-agreement', answers: kidAgreementQuery.queryKey },
    onSuccess: () => showSuccess('KID-avtale avsluttet!'),
  });
}

export const reminderSettingsQuery = ask('reminder-settings', getReminderSettings, {});

export function useSaveReminderSettings() {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<ReminderSettingsForm>) =>
      call(saveReminderSettings, { body: { ...values, version } }),
    meta: { changes: 'reminder-settings', answers: reminderSettingsQuery.queryKey },
    onSuccess: () => showSuccess('Purringer lagret!'),
  });
}
