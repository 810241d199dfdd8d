import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { getLoginOptions, loginWithPasskey } from '../../../domain/passkey/passkey.endpoints.ts';
import { call } from '../../lib/client.ts';
import { askForPasskey, hasPasskeys, offerPasskeys } from './passkeys.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { enterSession } from './session.api.ts';

/** A challenge works for five minutes (milliseconds). */
const RENEW_AFTER = 4 * 60 * 1000;

/** Logs in with a passkey, by the button or by what the browser offers in the field above (SEC-16). */
export function PasskeyLogin() {
  const login = useLoginWithPasskey();
  const navigate = useNavigate();
  const offered = useRef<AbortController>(null);
  const onSuccess = () => void navigate(paths.invoices, { replace: true });
  const enter = useEffectEvent((response: UsedKey) => login.mutate(response, { onSuccess }));
  useEffect(() => {
    if (!hasPasskeys()) return undefined;
    const offer = () => {
      offered.current?.abort();
      const { signal } = (offered.current = new AbortController());
      call(getLoginOptions, {}, signal)
        .then(async (options) => offerPasskeys(options, signal))
        .then((response) => {
          if (response && !signal.aborted) enter(response);
        })
        // The button and the code are there.
        .catch(() => undefined);
    };
    offer();
    const timer = setInterval(offer, RENEW_AFTER);
    return () => {
      clearInterval(timer);
      offered.current?.abort();
    };
  }, []);
  if (!hasPasskeys()) return null;
  return (
    <Button
      wide
      pending={login.isPending}
      onClick={() => {
        // Browsers refuse a second request while the first is there, and need a moment to end it.
        offered.current?.abort();
        login.mutate(undefined, { onSuccess });
      }}
    >
      Logg inn med passnøkkel
    </Button>
  );
}

type UsedKey = RequestOf<typeof loginWithPasskey>['body']['response'];

/** Logs in with what the browser offered, or else asks for a passkey. */
function useLoginWithPasskey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (offered: UsedKey | undefined) => {
      const response = offered ?? (await askForPasskey(await call(getLoginOptions, {})));
      return call(loginWithPasskey, { body: { response } });
    },
    onSuccess: (session) => enterSession(queryClient, session),
  });
}
