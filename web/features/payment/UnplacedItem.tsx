import { Link } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { showKroner } from '../../lib/number-text.ts';
import { MoneyItem } from '../../ui/MoneyList.tsx';
import { useDropPayment, usePlacePayment, useRefundPayment } from './payment.api.ts';
import styles from './UnplacedItem.module.css';

const SUGGESTED_MOST = 4;

/** A finished action on a payment, shown above the remaining ones. */
export interface Done {
  readonly text: string;
  /** The uuid of the payment to undo; undefined when it cannot be undone. */
  readonly undoes: string | undefined;
}

interface UnplacedItemProps {
  readonly payment: Payment;
  readonly onSeek: (payment: Payment) => void;
  readonly onDone: (done: Done) => void;
}

export function UnplacedItem({ payment, onSeek, onDone }: UnplacedItemProps) {
  const { amount, date, kid, text, suggestion } = payment;
  return (
    <MoneyItem
      title={
        <>
          {nameOf(payment)} {payment.possibleCopy ? <Badge tone="amber">Mulig kopi</Badge> : null}
        </>
      }
      amount={amount}
      facts={{
        date: formatDate(date),
        kid: kid === null ? null : `KID ${kid}`,
        text,
        credit: isCredit(payment) ? <Credit payment={payment} /> : null,
      }}
    >
      <div className="row gap-2">
        {suggestion?.invoices.slice(0, SUGGESTED_MOST).map((invoice) => (
          <PlaceButton key={invoice.uuid} {...{ payment, invoice, onDone }} />
        ))}
        <Button
          aria-label={`Finn faktura for ${namedSum(payment)}`}
          onClick={() => onSeek(payment)}
        >
          Finn faktura
        </Button>
        {amount > 0 ? <RefundButton payment={payment} onDone={onDone} /> : null}
        {payment.canBeDropped ? <DropButton payment={payment} onDone={onDone} /> : null}
      </div>
    </MoneyItem>
  );
}

export function nameOf({ payer, customerName }: Payment): string {
  return payer ?? customerName ?? 'Ukjent betaler';
}

export function namedSum(payment: Payment): string {
  return `${nameOf(payment)}, ${showKroner(payment.amount)}`;
}

export function isCredit({ customerNumber, possibleCopy }: Payment): boolean {
  return customerNumber !== null && !possibleCopy;
}

function Credit({ payment: { customerNumber, customerName } }: { payment: Payment }) {
  if (customerNumber === null) return null;
  return (
    <>
      Til gode hos <Link to={paths.customerEdit(customerNumber)}>{customerName}</Link>
    </>
  );
}

interface ActionProps {
  readonly payment: Payment;
  readonly onDone: (done: Done) => void;
}

/**
 * Continues after a successful mutation, also when the component is unmounted: the row, the list or the dialog may be
 * gone by then, and `mutate` callbacks would not run. Failures are shown in a toast.
 */
export function afterSuccess<T>(change: Promise<T>, onAnswer: (answer: T) => void): void {
  change.then(onAnswer).catch(() => undefined);
}

interface PlaceButtonProps extends ActionProps {
  readonly invoice: NonNullable<Payment['suggestion']>['invoices'][number];
}

function PlaceButton({ payment, invoice, onDone }: PlaceButtonProps) {
  const place = usePlacePayment();
  const { uuid, invoiceNumber, amountDue } = invoice;
  return (
    <Button
      pending={place.isPending}
      onClick={() =>
        afterSuccess(place.mutateAsync({ uuid: payment.uuid, invoiceUuid: uuid }), (placed) =>
          onDone(placedDone(payment, placed)),
        )
      }
    >
      Koble til faktura {invoiceNumber}
      {amountDue === payment.amount ? null : ` (${showKroner(amountDue)})`}
    </Button>
  );
}

/** Describes a payment that was placed, once it is done. */
export function placedDone(payment: Payment, placed: Payment): Done {
  const amount = showKroner(placed.amount);
  const text = `${amount} fra ${nameOf(payment)} er koblet til faktura ${placed.invoiceNumber}.`;
  const isWhole = placed.amount === payment.amount;
  return {
    text: isWhole ? text : `${text} Resten er ikke koblet til faktura.`,
    undoes: placed.uuid,
  };
}

function RefundButton({ payment, onDone }: ActionProps) {
  const refund = useRefundPayment();
  return (
    <ConfirmButton
      variant="quiet"
      className={styles.quiet}
      label="Merk som tilbakebetalt"
      aria-label={`Merk som tilbakebetalt: ${namedSum(payment)}`}
      title="Merke som tilbakebetalt?"
      confirmLabel="Merk"
      confirmVariant="primary"
      pending={refund.isPending}
      onConfirm={(close) =>
        afterSuccess(refund.mutateAsync(payment.uuid), ({ kind, uuid, undoneBy }) => {
          close();
          onDone({
            text: `${showKroner(payment.amount)} til ${nameOf(payment)} er merket som tilbakebetalt.`,
            undoes: kind === 'REFUND' ? uuid : (undoneBy ?? undefined),
          });
        })
      }
    >
      <p>
        {showKroner(payment.amount)} til {nameOf(payment)}. Faktur flytter ingen penger: betal dem
        tilbake i nettbanken.
      </p>
    </ConfirmButton>
  );
}

function whyDropped({ possibleCopy, source }: Payment): string {
  if (possibleCopy) return 'Er en kopi';
  return source === 'MANUAL' ? 'Har ikke kommet' : 'Ikke fra en kunde';
}

function DropButton({ payment, onDone }: ActionProps) {
  const drop = useDropPayment();
  const reason = whyDropped(payment);
  return (
    <ConfirmButton
      variant="quiet"
      className={styles.quiet}
      label={reason}
      aria-label={`${reason}: ${namedSum(payment)}`}
      title={payment.possibleCopy ? 'Ta ut kopien?' : 'Ta ut innbetalingen?'}
      confirmLabel="Ta ut"
      confirmVariant="danger"
      pending={drop.isPending}
      onConfirm={(close) =>
        afterSuccess(drop.mutateAsync(payment.uuid), () => {
          close();
          onDone({
            text: `${showKroner(payment.amount)} fra ${nameOf(payment)} er tatt ut.`,
            undoes: undefined,
          });
        })
      }
    >
      <p>
        {showKroner(payment.amount)} fra {nameOf(payment)} {formatDate(payment.date)} tas ut av
        listen.{' '}
        {payment.possibleCopy
          ? 'Gjør det bare når du ser i nettbanken at pengene kom én gang.'
          : payment.source === 'MANUAL'
            ? 'Den er ført for hånd. Gjør det bare når pengene ikke har kommet.'
            : 'Gjør det bare når det ikke er en betaling fra en kunde.'}
      </p>
    </ConfirmButton>
  );
}
