import { useState, type MouseEvent } from 'react';

import { formatDate } from '../../../domain/date.ts';
import type { AffectedPayment } from '../../../domain/invoice/invoice-bulk.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { canBecome } from '../../../domain/invoice/invoice.status.ts';
import { useFeature } from '../session/session.api.ts';
import { sumKroner } from '../../../domain/money.ts';
import { ConfirmDialog, type LeftOut } from '../../ui/Modal.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { countInvoices, nameOf } from './invoice-labels.ts';
import { usePaymentsOf, type useUpdateInvoice } from './invoice.api.ts';

interface Asked {
  readonly invoices: readonly Invoice[];
  /** The payments that the user may not expect, see `unexpectedOf`. */
  readonly payments: readonly AffectedPayment[];
}

/**
 * Marks invoices as not paid by `mark`. Confirms first when that affects more than one payment of an invoice, or a bank
 * payment.
 */
export function useUnpaid(mark: (invoices: readonly Invoice[]) => void) {
  const paymentsOf = usePaymentsOf();
  const hasPayments = useFeature('payments');
  const [asked, setAsked] = useState<Asked>();
  const start = (invoices: readonly Invoice[]) => {
    if (!hasPayments) {
      mark(invoices);
      return;
    }
    paymentsOf.mutate(invoices, {
      onSuccess: (payments) => {
        const unexpected = unexpectedOf(payments);
        if (unexpected.length === 0) mark(invoices);
        else setAsked({ invoices, payments: unexpected });
      },
    });
  };
  const close = () => setAsked(undefined);
  const confirm = () => {
    close();
    if (asked) mark(asked.invoices);
  };
  return {
    start,
    isPending: paymentsOf.isPending,
    dialog: { asked, onClose: close, onConfirm: confirm },
  };
}

/**
 * The button that marks one invoice as paid, or a paid one as not paid.
 *
 * @param onPay asks for the amount instead; absent without `payments`
 */
export function usePaidButton(
  invoice: Invoice,
  update: ReturnType<typeof useUpdateInvoice>,
  onPay: (() => void) | undefined,
) {
  const unpaid = useUnpaid(() => update.mutate({ invoice, status: 'REGISTERED' }));
  const isPaid = invoice.status === 'PAID';
  const press = ({ detail }: MouseEvent) => {
    // Ignores the second click of a double click: the first one turned the button into this one.
    if (isPaid && detail > 1) return;
    if (isPaid) unpaid.start([invoice]);
    else if (onPay && invoice.amountDue > 0) onPay();
    else update.mutate({ invoice, status: 'PAID' });
  };
  const button = {
    disabled: !canBecome(invoice.status, isPaid ? 'REGISTERED' : 'PAID'),
    pending: update.isPending || unpaid.isPending,
    onClick: press,
  };
  return { isPaid, button, dialog: unpaid.dialog };
}

/** The payments of invoices that have more than one payment, or a bank payment. */
function unexpectedOf(payments: readonly AffectedPayment[]): AffectedPayment[] {
  const ofInvoices = Map.groupBy(payments, ({ invoiceUuid }) => invoiceUuid);
  return [...ofInvoices.values()]
    .filter((own) => own.length > 1 || own.some(({ source }) => source === 'BANK'))
    .flat();
}

interface UnpaidDialogProps {
  readonly asked: Asked | undefined;
  readonly leftOut?: LeftOut | undefined;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Lists the payments that 'Ikke betalt' takes back, and those that it keeps. */
export function UnpaidDialog({ asked, ...dialog }: UnpaidDialogProps) {
  const { invoices = [], payments = [] } = asked ?? {};
  const isOne = invoices.length === 1;
  const paid = sumKroner(invoices.map(({ paidAmount }) => paidAmount));
  const textOf = (payment: AffectedPayment) => {
    const invoice = invoices.find(({ uuid }) => uuid === payment.invoiceUuid);
    const sum = `${showKroner(payment.amount)}, ${formatDate(payment.date)}`;
    return isOne || !invoice ? sum : `${sum} (${nameOf(invoice)})`;
  };
  const list = (some: readonly AffectedPayment[]) => (
    <ul className="scrolls pad">
      {some.map((payment) => (
        <li key={payment.uuid}>{textOf(payment)}</li>
      ))}
    </ul>
  );
  const kept = payments.filter(({ takenBack }) => !takenBack);
  return (
    <ConfirmDialog
      title={`Sette ${countInvoices(invoices.length)}, ${showKroner(paid)}, til ikke betalt?`}
      confirmLabel="Ikke betalt"
      open={asked !== undefined}
      {...dialog}
    >
      <p>Dette tas tilbake:</p>
      {list(payments.filter(({ takenBack }) => takenBack))}
      {kept.length > 0 ? (
        <>
          <p>Dette har banken meldt, og det blir stående:</p>
          {list(kept)}
        </>
      ) : null}
    </ConfirmDialog>
  );
}
