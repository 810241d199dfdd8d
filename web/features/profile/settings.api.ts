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
import { ask, call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { ehfAgreementQuery, profileQuery } from './profile.api.ts';
import { deleteLogo, getLogo, saveLogo } from '../../../domain/profile/profile.endpoints.ts';
import { upload } from '../../lib/upload.ts';

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

/** The URL of a logo. A new logo gets a new name, so the URL changes too. */
export function logoAddress(name: string): string {
  return `${getLogo.path}?sha256=${name}`;
}

export function useSaveLogo() {
  return useMutation({
    mutationFn: async (picture: File) => (await upload(saveLogo, {}, picture)).answer,
    meta: { changes: 'profile', isShownInPlace: true, answers: profileQuery.queryKey },
    onSuccess: () => showSuccess('Logo lagret!'),
  });
}

export function useDeleteLogo() {
  return useMutation({
    mutationFn: async () => call(deleteLogo),
    meta: { changes: 'profile' },
    onSuccess: () => showSuccess('Logo fjernet!'),
  });
}
