import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

import { CHECK_PAUSE } from '../../../domain/einvoice/einvoice.schema.ts';
import { showCount } from '../../lib/number-text.ts';
import { May } from '../session/Allowed.tsx';
import { Button } from '../../ui/Button.tsx';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import { customersEhfQuery, ehfCheckQuery, useCheckCustomers } from './einvoice.api.ts';

/** Asks about all customers, and shows how far it is and what it found. */
export function EhfCheck() {
  const { data, isPending } = useQuery(ehfCheckQuery);
  const check = useCheckCustomers();
  const { refetch } = useQuery(customersEhfQuery);
  const [now] = useState(() => Date.now());
  const isWorking = data?.state === 'WORKING';
  const isLate = !data || now - Date.parse(data.startedAt) >= CHECK_PAUSE;
  const renew = useEffectEvent(() => void refetch());
  useEffect(() => {
    if (!isWorking) renew();
  }, [isWorking]);
  const { total = 0, asked = 0, reachable = 0, cannot = 0, unknown = 0 } = data ?? {};
  return (
    // As high as the button, so that the list below stays where it is.
    <div className="row" style={{ minHeight: 44 }} aria-live="polite">
      {isWorking ? (
        <ProgressBox label="Sjekker kunder" share={total === 0 ? undefined : asked / total}>
          {`Sjekker ${showCount(asked)} av ${showCount(total)} bedriftskunder …`}
        </ProgressBox>
      ) : isLate && !isPending ? (
        <May permission="edit">
          <Button pending={check.isPending} onClick={() => check.mutate()}>
            Sjekk hvem som kan motta EHF
          </Button>
        </May>
      ) : null}
      {data && !isWorking && !isLate ? (
        <p className="aside numeric">
          {`${showCount(reachable)} av ${showCount(total)} bedriftskunder kan motta EHF`}
          {cannot > 0 ? `, ${showCount(cannot)} kan ikke` : null}
          {unknown > 0 ? `, ${showCount(unknown)} fikk vi ikke svar om` : null}.
        </p>
      ) : null}
    </div>
  );
}
