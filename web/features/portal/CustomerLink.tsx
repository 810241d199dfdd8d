import { useQuery } from '@tanstack/react-query';

import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { Card } from '../../ui/Surface.tsx';
import { useCan } from '../session/session.api.ts';
import { invoiceLinkQuery, useRenewLink } from './portal.api.ts';

/** Copies the link of an invoice for its customer, or makes another (PORT-15). Nothing while the company has no pages. */
export function CustomerLink({ invoiceUuid }: { invoiceUuid: string }) {
  const { data, isError } = useQuery(invoiceLinkQuery(invoiceUuid));
  const renew = useRenewLink(invoiceUuid);
  const canIssue = useCan('issue');
  if (isError) return null;
  return (
    <Card heading="Kundens side">
      <div className="row gap-2">
        <Button
          disabled={!data}
          onClick={() => data && void copyText(data.url, 'Lenken er kopiert!')}
        >
          Kopier lenke til kunden
        </Button>
        {canIssue ? (
          <ConfirmButton
            label="Lag ny lenke"
            disabled={!data}
            title="Lage ny lenke?"
            confirmLabel="Lag ny lenke"
            pending={renew.isPending}
            onConfirm={(onSuccess) => renew.mutate(undefined, { onSuccess })}
          >
            Den gamle lenken slutter å virke.
          </ConfirmButton>
        ) : null}
      </div>
    </Card>
  );
}
