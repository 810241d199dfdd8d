import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { canBecome, canChange } from '../../../domain/invoice/invoice.status.ts';
import { formatKroner } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Card, LoadFailure, Skeleton } from '../../ui/Surface.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmButton } from '../../ui/Modal.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { NextPage, rowsOf } from '../../ui/NextPage.tsx';
import { SumList } from '../../ui/SumList.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { SOURCE_LABELS, describePaymentOnInvoice } from './payment-labels.ts';
import { paymentsQuery, useUndoPayment } from './payment.api.ts';
import styles from './PaymentCard.module.css';

const COLUMNS = [
  { heading: 'Dato', width: '132px' },
  { heading: 'Betaling' },
  { heading: 'Beløp', width: '150px', align: 'end' },
  { heading: '', label: 'Handlinger', width: '128px' },
] as const;

interface PaymentCardProps {
  readonly invoice: Invoice;
  /** The customer's credit in kroner. */
  readonly credit: number;
  /** Whether a credited invoice had payments when it was credited. */
  readonly wasPaid: boolean;
  readonly onPay: () => void;
}

export function PaymentCard({ invoice, credit, wasPaid, onPay }: PaymentCardProps) {
  const list = useInfiniteQuery(paymentsQuery({ invoice: invoice.uuid }));
  const rows = rowsOf(list.data?.pages ?? []);
  // A credited invoice without payments has no card.
  if (invoice.status === 'CANCELLED' && rows.length === 0) return null;
  const isOpen = mayBePaid(invoice);
  return (
    <Card
      flush
      heading="Betalinger"
      aside={
        isOpen ? (
          <Button icon={<PlusIcon />} onClick={onPay}>
            Registrer betaling
          </Button>
        ) : null
      }
    >
      {list.data ? (
        <Payments invoice={invoice} rows={rows} />
      ) : (
        <div className="part soft">
          {list.isError ? (
            <LoadFailure onRetry={() => void list.refetch()} />
          ) : (
            <Skeleton height="48px" />
          )}
        </div>
      )}
      <NextPage list={list} className="part soft" />
      {isOpen && credit > 0 ? <HasCredit invoice={invoice} credit={credit} /> : null}
      {invoice.status !== 'CANCELLED' && (rows.length > 0 || invoice.reminderAmount > 0) ? (
        <Sums invoice={invoice} />
      ) : null}
      {wasPaid ? <Moved invoice={invoice} /> : null}
    </Card>
  );
}

/** Reminder fees can be paid even when the invoice itself is paid. */
function mayBePaid({ status, amountDue, reminderAmount }: Invoice): boolean {
  return (canBecome(status, 'PAID') && amountDue > 0) || reminderAmount > 0;
}

function HasCredit({ invoice, credit }: { invoice: Invoice; credit: number }) {
  const { customerName, currentCustomerNumber: customerNumber } = invoice;
  if (customerNumber === null) return null;
  return (
    <p className="part soft">
      {customerName} har {formatKroner(credit)} kr{' '}
      <Link to={paths.customerEdit(customerNumber)}>til gode</Link>.
    </p>
  );
}

function Payments({ invoice, rows }: { invoice: Invoice; rows: readonly Payment[] }) {
  // A row that undoes a payment is shown on that payment; a payment always has its own row.
  const shown = rows.filter(({ kind, undoes }) => undoes === null || kind === 'PAYMENT');
  const canUndo = canChange(invoice);
  if (shown.length === 0) return null;
  return (
    <Table label="Betalinger" columns={COLUMNS}>
      {shown.map((payment) => {
        const { uuid, date, amount, reminderAmount, source, kind, undoneBy } = payment;
        const isUndone = undoneBy !== null;
        const opposite = rows.find(({ undoes }) => undoes === uuid);
        const description = describePaymentOnInvoice(payment);
        return (
          <Row key={uuid}>
            <Cell label="Dato" numeric>
              {formatDate(date)}
            </Cell>
            <Cell label="Betaling" main>
              <div className="stack gap-0">
                <span className="row gap-2">
                  {SOURCE_LABELS[source]}
                  {isUndone ? (
                    <Badge tone="gray">{whyUndone(payment, opposite, canUndo)}</Badge>
                  ) : null}
                  {kind === 'REVERSAL' ? <Badge tone="amber">Tilbakeført</Badge> : null}
                </span>
                {description === '' ? null : <span className="aside">{description}</span>}
                {reminderAmount === 0 ? null : (
                  <span className="aside">
                    Herav purregebyr og renter: {formatKroner(reminderAmount)} kr
                  </span>
                )}
              </div>
            </Cell>
            <Cell label="Beløp" align="end" numeric>
              {isUndone ? <s>{formatKroner(amount)}</s> : formatKroner(amount)}
            </Cell>
            <Cell actions>{canUndo && !isUndone ? <UndoButton payment={payment} /> : null}</Cell>
          </Row>
        );
      })}
    </Table>
  );
}

/** Bank money and payments of credited invoices still exist, so they are called removed, not undone. */
function whyUndone(
  { source }: Payment,
  opposite: Payment | undefined,
  isInvoiceOpen: boolean,
): string {
  if (opposite?.kind === 'REVERSAL') return 'Tilbakeført av banken';
  return source === 'MANUAL' && isInvoiceOpen ? 'Angret' : 'Fjernet';
}

/** A bank payment stays in the books and becomes unplaced, so this asks first. */
function UndoButton({ payment }: { payment: Payment }) {
  const undo = useUndoPayment();
  const { uuid, amount, date, source } = payment;
  const sum = `${formatKroner(amount)} kr`;
  const looks = { variant: 'quiet', className: styles.undo, pending: undo.isPending } as const;
  if (source !== 'BANK') {
    return (
      <Button
        {...looks}
        aria-label={`Angre ${sum}, ${formatDate(date)}`}
        onClick={() => undo.mutate(uuid)}
      >
        Angre
      </Button>
    );
  }
  return (
    <ConfirmButton
      {...looks}
      label="Fjern"
      aria-label={`Fjern ${sum}, ${formatDate(date)}`}
      title="Ta betalingen av fakturaen?"
      confirmLabel="Fjern"
      confirmVariant="primary"
      onConfirm={(onSuccess) => undo.mutate(uuid, { onSuccess })}
    >
      {sum} fra banken blir stående under Innbetalinger, ikke koblet til faktura, og kan føres på en
      annen faktura.
    </ConfirmButton>
  );
}

function Moved({ invoice }: { invoice: Invoice }) {
  const { customerName, status, currentCustomerNumber: customerNumber } = invoice;
  return (
    <p className="foot soft">
      {status === 'CANCELLED'
        ? 'Det som var betalt da fakturaen ble kreditert,'
        : 'Det som var betalt for mye da en del av fakturaen ble kreditert,'}{' '}
      {customerNumber === null ? (
        <>
          ligger under <Link to={paths.payments}>Innbetalinger</Link>.
        </>
      ) : (
        <>
          har {customerName} fått <Link to={paths.customerEdit(customerNumber)}>til gode</Link>.
        </>
      )}
    </p>
  );
}

function Sums({ invoice }: { invoice: Invoice }) {
  const { paidAmount, amountDue, reminderAmount, creditedAmount = 0 } = invoice;
  return (
    <SumList
      className="foot"
      sums={[
        ...(creditedAmount > 0
          ? [
              { label: 'Fakturaen', amount: showKroner(invoice.grossAmount) },
              { label: 'Kreditert', amount: showKroner(-creditedAmount) },
            ]
          : []),
        { label: 'Betalt', amount: `${formatKroner(paidAmount)} kr` },
        { label: 'Gjenstår', amount: `${formatKroner(amountDue)} kr`, strong: true },
        ...(reminderAmount > 0
          ? [{ label: 'Purregebyr og renter', amount: `${formatKroner(reminderAmount)} kr` }]
          : []),
      ]}
    />
  );
}
