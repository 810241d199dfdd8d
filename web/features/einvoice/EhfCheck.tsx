import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

import { showCount } from '../../lib/number-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import { customersEhfQuery, ehfCheckQuery, useCheckCustomers } from './einvoice.api.ts';

/** Asks about all customers. After the first check it says how long ago that was. */
export function CheckButton() {
  const { data } = useQuery(ehfCheckQuery);
  const check = useCheckCustomers();
  return (
    <Button pending={check.isPending || data?.state === 'WORKING'} onClick={() => check.mutate()}>
      Sjekk hvem som kan motta EHF
    </Button>
  );
}

/** How far the check is, and what it found. */
export function CheckResult() {
  const { data } = useQuery(ehfCheckQuery);
  const { refetch } = useQuery(customersEhfQuery);
  const isWorking = data?.state === 'WORKING';
  const renew = useEffectEvent(() => void refetch());
  useEffect(() => {
    if (!isWorking) renew();
  }, [isWorking]);
  if (!data) return null;
  const { total, asked, reachable, cannot, unknown } = data;
  return (
    <div aria-live="polite">
      {isWorking ? (
        <ProgressBox label="Sjekker kunder" share={total === 0 ? undefined : asked / total}>
          {`Sjekker ${showCount(asked)} av ${showCount(total)} bedriftskunder …`}
        </ProgressBox>
      ) : (
        <p className="aside numeric">
          {`${showCount(reachable)} av ${showCount(total)} bedriftskunder kan motta EHF`}
          {cannot > 0 ? `, ${showCount(cannot)} kan ikke` : null}
          {unknown > 0 ? `, ${showCount(unknown)} fikk vi ikke svar om` : null}.
        </p>
      )}
    </div>
  );
}
