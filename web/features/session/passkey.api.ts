import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import {
  addPasskey,
  deletePasskey,
  getPasskeyOptions,
  getProofOptions,
  listPasskeys,
  renamePasskey,
} from '../../../domain/passkey/passkey.endpoints.ts';
import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { prove } from '../../../domain/passkey/proof.endpoints.ts';
import { ask, call } from '../../lib/client.ts';
import { askForPasskey, hasPasskeys, makePasskey } from './passkeys.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { saveSession, settingsQuery } from './session.api.ts';

export const passkeysQuery = ask('passkeys', listPasskeys, {});

/** Whether the installation and this browser have passkeys. */
export function useHasPasskeys(): boolean {
  const settings = useQuery(settingsQuery);
  return settings.data?.passkeys === true && hasPasskeys();
}

/** Makes a passkey in this browser, and adds it. */
export function useAddPasskey() {
  return useMutation({
    mutationFn: async (name: string) => {
      const response = await makePasskey(await call(getPasskeyOptions, {}));
      return call(addPasskey, { body: { name, response } });
    },
    meta: { changes: 'passkeys' },
    onSuccess: () => showSuccess('Passnøkkelen er lagt til!'),
  });
}

export function useRenamePasskey(uuid: string) {
  return useMutation({
    mutationFn: async (body: RequestOf<typeof renamePasskey>['body']) =>
      call(renamePasskey, { params: { uuid }, body }),
    meta: { changes: 'passkeys' },
    onSuccess: () => showSuccess('Passnøkkelen har fått nytt navn!'),
  });
}

export function useDeletePasskey() {
  return useMutation({
    mutationFn: async (uuid: string) => call(deletePasskey, { params: { uuid } }),
    meta: { changes: 'passkeys' },
    onSuccess: () => showSuccess('Passnøkkelen er fjernet!'),
  });
}

/** Proves the session by a passkey, for this tab and the others. */
export function useProveByPasskey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const response = await askForPasskey(await call(getProofOptions, {}));
      return call(prove, { body: { response } });
    },
    onSuccess: (session) => saveSession(queryClient, session),
  });
}
