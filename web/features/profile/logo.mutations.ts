import { useMutation } from '@tanstack/react-query';

import { deleteLogo, getLogo, saveLogo } from '../../../domain/profile/profile.endpoints.ts';
import { call, upload } from '../../lib/client.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { profileQuery } from './profile.queries.ts';

/** Where the logo of this name is shown from. With another name it is another address. */
export function logoAddress(name: string): string {
  return `${getLogo.path}?sha256=${name}`;
}

/** Makes a picture the logo that new documents get. */
export function useSaveLogo() {
  return useMutation({
    mutationFn: async (picture: File) => (await upload(saveLogo, {}, picture)).answer,
    meta: { changes: 'profile', isToldInPlace: true, answers: profileQuery.queryKey },
    onSuccess: () => showSuccess('Logo lagret!'),
  });
}

/** New documents get no logo. */
export function useDeleteLogo() {
  return useMutation({
    mutationFn: async () => call(deleteLogo),
    meta: { changes: 'profile' },
    onSuccess: () => showSuccess('Logo fjernet!'),
  });
}
