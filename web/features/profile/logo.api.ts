import { useMutation } from '@tanstack/react-query';

import { deleteLogo, getLogo, saveLogo } from '../../../domain/profile/profile.endpoints.ts';
import { call } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { upload } from '../../lib/upload.ts';
import { profileQuery } from './profile.api.ts';

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
