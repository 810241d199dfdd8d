import { useMutation, useQuery } from '@tanstack/react-query';

import { getEhfAgreement, requestEhfAgreement } from '../../../domain/ehf/ehf.endpoints.ts';
import {
  deleteKidAgreement,
  getKidAgreement,
  getProfile,
  getReminderSettings,
  saveKidAgreement,
  saveReminderSettings,
  updateProfile,
} from '../../../domain/profile/profile.endpoints.ts';
import type { KidAgreementForm, ProfileForm } from '../../../domain/profile/profile.schema.ts';
import type { ReminderSettingsForm } from '../../../domain/profile/reminder-settings.schema.ts';
import type { Versioned } from '../../forms/Form.tsx';
import { ask } from '../../lib/ask.ts';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { useFeature } from '../session/session.api.ts';

export const profileQuery = ask('profile', getProfile, {});

/** Whether the profile must be completed before invoicing; false until it is known. */
export function useIsProfileIncomplete(): boolean {
  return useQuery(profileQuery).data?.isProfileCompleted === false;
}

export function useUpdateProfile() {
  return useMutation({
    mutationFn: async ({ values, version }: Versioned<ProfileForm>) =>
      call(updateProfile, { body: { ...values, version } }),
    meta: { changes: 'profile', answers: profileQuery.queryKey },
    onSuccess: () => showSuccess('Profil oppdatert!'),
  });
}

export const ehfAgreementQuery = ask('ehf-agreement', getEhfAgreement, {});

/** Whether the company may send EHF: the operator has turned it on, and the agreement is active. */
export function useMaySendEhf(): boolean {
  const isOn = useFeature('ehf');
  const { data } = useQuery({ ...ehfAgreementQuery, enabled: isOn });
  return isOn && data?.status === 'ACTIVE';
}

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
