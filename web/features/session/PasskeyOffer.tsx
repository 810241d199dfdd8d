import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { daysBetween, todayInOslo } from '../../../domain/date.ts';
import type { Session } from '../../../domain/session/session.schema.ts';
import { keptInputs } from '../../forms/unsaved-input.tsx';
import { withStorage } from '../../lib/storage.ts';
import { Button } from '../../ui/Button.tsx';
import { Loading } from '../../ui/Surface.tsx';
import { AuthCard } from './AuthCard.tsx';
import { hasPasskeys } from './passkeys.ts';
import { passkeysQuery, useAddPasskey } from './passkey.api.ts';

const KEY = 'faktur.passkey-offer';
/** Days between two offers in a browser. */
const DAYS = 30;
const DECLINED = 'declined';

/** Whether a passkey is offered after this login by code, unless the account has one (SEC-17). */
export function isOfferDue({ isProfileCompleted }: Session): boolean {
  const kept = withStorage((storage) => storage.getItem(KEY));
  if (kept === DECLINED || (kept && daysBetween(kept, todayInOslo()) < DAYS)) return false;
  return isProfileCompleted && keptInputs().length === 0 && hasPasskeys();
}

function keep(word: string): void {
  withStorage((storage) => storage.setItem(KEY, word));
}

/** Offers a passkey to who has none. @param onDone called at once for others */
export function PasskeyOffer({ onDone }: { readonly onDone: () => void }) {
  const { data: passkeys, isPending } = useQuery(passkeysQuery);
  const add = useAddPasskey();
  const isOffered = passkeys?.length === 0;
  useEffect(() => {
    if (isOffered) keep(todayInOslo());
    else if (!isPending) onDone();
  }, [isOffered, isPending, onDone]);
  if (!isOffered) return <Loading />;
  return (
    <AuthCard
      heading="Logg inn raskere neste gang?"
      intro="Med en passnøkkel logger du inn med fingeren, ansiktet eller koden til enheten. Koden på e-post virker fortsatt."
      footer={
        <Button
          variant="quiet"
          disabled={add.isPending}
          onClick={() => {
            keep(DECLINED);
            onDone();
          }}
        >
          Nei takk
        </Button>
      }
    >
      <div className="stack">
        <Button
          variant="primary"
          pending={add.isPending}
          onClick={() => add.mutate('Passnøkkel 1', { onSuccess: onDone })}
        >
          Lag passnøkkel
        </Button>
        <Button disabled={add.isPending} onClick={onDone}>
          Ikke nå
        </Button>
      </div>
    </AuthCard>
  );
}
