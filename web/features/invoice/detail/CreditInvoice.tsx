import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';

import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { deletableStatus } from '../../../../domain/invoice/invoice.status.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { Button } from '../../../ui/Button.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { profileQuery } from '../../profile/profile.api.ts';
import { useFeature } from '../../session/session.api.ts';
import type { CreditDialogProps } from '../credit/CreditDialog.tsx';

const dialog = laterCode(async () => import('../credit/CreditDialog.tsx'));

/** 'Krediter' with its dialog, on a registered or paid invoice. A paid one can be credited with `payments` alone (INV-26). */
export function CreditInvoice({ invoice }: { invoice: Invoice }) {
  const payments = useFeature('payments');
  const [isOpen, setOpen] = useState(false);
  const reasonId = useId();
  const { kind, status } = invoice;
  const canCredit = status !== 'DRAFT' && deletableStatus(invoice, { payments }) !== undefined;
  const isOff = kind === 'INVOICE' && status === 'PAID' && !canCredit;
  // Prefetched, so that the dialog's first field exists and gets the focus when it opens.
  useQuery({ ...profileQuery, enabled: canCredit });
  if (!canCredit && !isOff && !isOpen) return null;
  return (
    <>
      <Button
        disabled={!canCredit}
        title={isOff ? PAID_STAYS : undefined}
        aria-describedby={isOff ? reasonId : undefined}
        onClick={() => setOpen(true)}
      >
        Krediter
      </Button>
      <span id={reasonId} hidden>
        {isOff ? PAID_STAYS : null}
      </span>
      {canCredit || isOpen ? (
        <LazyDialog {...{ invoice, canCredit }} open={isOpen} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

const PAID_STAYS = 'En betalt faktura kan ikke krediteres. Sett den til «Ikke betalt» først.';

/** Loads the dialog's code separately, after the screen and only where it may be needed. */
function LazyDialog(props: CreditDialogProps) {
  const need = { isNeeded: props.open, what: 'Dialogen', onFailure: props.onClose };
  const code = useLaterCode(dialog, need);
  return code ? <code.CreditDialog {...props} /> : null;
}
