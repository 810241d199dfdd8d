import { useQuery } from '@tanstack/react-query';

import type { Closing } from '../../../domain/closing/closing.schema.ts';
import { formatDate, todayInOslo, type IsoDate } from '../../../domain/date.ts';
import { Button } from '../../ui/Button.tsx';
import { Alert } from '../../ui/Surface.tsx';
import { profileQuery } from '../profile/profile.api.ts';
import { closingQuery, useReopenCompany } from './closing.api.ts';

/** Says on every screen that the company is closed, and opens it again while nothing is deleted (CLO-15). */
export function ClosedNotice() {
  const { data: closing } = useQuery(closingQuery);
  const { data: profile } = useQuery(profileQuery);
  const reopen = useReopenCompany();
  if (!closing?.deletesOn || !profile) return null;
  return (
    <div className="above">
      <Alert
        tone="warning"
        action={
          todayInOslo() < closing.deletesOn ? (
            <Button pending={reopen.isPending} onClick={() => reopen.mutate()}>
              Angre
            </Button>
          ) : null
        }
      >
        {`${profile.companyName ?? 'Bedriften'} er avsluttet. Bøkene kan leses til ${formatDate(lastDayOf(closing, closing.deletesOn))}.`}
      </Alert>
    </div>
  );
}

/** The last day of the books. Those of a company that has been still for long are here until the days to regret are over. */
export function lastDayOf({ keptUntil }: Pick<Closing, 'keptUntil'>, deletesOn: IsoDate): IsoDate {
  return keptUntil !== null && keptUntil > deletesOn ? keptUntil : deletesOn;
}
