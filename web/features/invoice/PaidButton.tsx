import type { MouseEvent } from 'react';

import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { canBecome, canChange } from '../../../domain/invoice/invoice.status.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CheckIcon, UndoIcon } from '../../ui/icons.tsx';
import { useUpdateInvoice } from './invoice.api.ts';
import { UnpaidDialog, useUnpaid } from './UnpaidDialog.tsx';

interface PaidButtonProps {
  readonly invoice: Invoice;
  /** The invoice's name within a sentence. */
  readonly name: string;
  /** Asks for the amount and the date of the payment. Absent when payments are turned off. */
  readonly onPay?: ((invoice: Invoice) => void) | undefined;
}

/** Marks an invoice as paid, or a paid one as not paid. */
export function PaidButton({ invoice, name, onPay }: PaidButtonProps) {
  const update = useUpdateInvoice();
  const unpaid = useUnpaid(() => update.mutate({ invoice, status: 'REGISTERED' }));
  if (!canChange(invoice)) return null;
  if (invoice.status === 'PAID') {
    return (
      <>
        <IconButton
          key="unpaid"
          label={`Sett ${name} til ikke betalt`}
          icon={<UndoIcon />}
          pending={update.isPending || unpaid.isPending}
          // Ignores the second click of a double click: this button takes the place of the other one.
          onClick={({ detail }: MouseEvent) => (detail > 1 ? undefined : unpaid.start([invoice]))}
        />
        <UnpaidDialog {...unpaid.dialog} />
      </>
    );
  }
  return (
    <IconButton
      key="paid"
      label={`Sett ${name} til betalt`}
      icon={<CheckIcon />}
      disabled={!canBecome(invoice.status, 'PAID')}
      pending={update.isPending}
      onClick={() =>
        onPay && invoice.amountDue > 0 ? onPay(invoice) : update.mutate({ invoice, status: 'PAID' })
      }
    />
  );
}
