import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { formatDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { isKroner } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Combobox, ComboboxInput, ComboboxList, ComboboxOption } from '../../ui/Combobox.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { showKroner } from '../../lib/kroner.ts';
import { readNumber } from '../../lib/number-text.ts';
import { Modal, ModalButtons } from '../../ui/Modal.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { payableInvoicesQuery, usePlacePayment } from './payment.api.ts';
import { isCredit, placedDone, afterSuccess, type Done } from './UnplacedItem.tsx';

interface FindInvoiceDialogProps {
  readonly payment: Payment | undefined;
  readonly onClose: () => void;
  readonly onDone: (done: Done) => void;
}

export function FindInvoiceDialog({ payment, onClose, onDone }: FindInvoiceDialogProps) {
  const place = usePlacePayment();
  const [asked, setAsked] = useState<Invoice>();
  const close = () => {
    setAsked(undefined);
    onClose();
  };
  const placeOn = ({ uuid: invoiceUuid }: Invoice) => {
    if (!payment) return;
    afterSuccess(place.mutateAsync({ uuid: payment.uuid, invoiceUuid }), (placed) => {
      close();
      onDone(placedDone(payment, placed));
    });
  };
  const choose = (invoice: Invoice) =>
    payment && isOfAnotherCustomer(payment, invoice) ? setAsked(invoice) : placeOn(invoice);
  return (
    <>
      <Modal
        title="Finn faktura"
        description={payment ? descriptionOf(payment) : undefined}
        open={payment !== undefined && !asked}
        pending={place.isPending}
        onClose={close}
      >
        {payment ? (
          <Finder payment={payment} onChoose={place.isPending ? () => undefined : choose} />
        ) : null}
        <ModalButtons>
          <Button disabled={place.isPending} onClick={close}>
            Avbryt
          </Button>
        </ModalButtons>
      </Modal>
      <ConfirmDialog
        title="Bruke pengene på en annen kunde?"
        confirmLabel="Bruk på faktura"
        confirmVariant="primary"
        open={payment !== undefined && asked !== undefined}
        pending={place.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={() => asked && placeOn(asked)}
      >
        {payment && asked ? (
          <p>
            {payment.customerName} har {showKroner(payment.amount)} til gode. Faktura{' '}
            {asked.invoiceNumber} er til {asked.customerName}.
          </p>
        ) : null}
      </ConfirmDialog>
    </>
  );
}

/** Whether the payment is a customer's credit and the invoice belongs to another customer. */
function isOfAnotherCustomer(payment: Payment, { currentCustomerNumber }: Invoice): boolean {
  return isCredit(payment) && payment.customerNumber !== currentCustomerNumber;
}

function descriptionOf({ amount, payer, date, kid, text }: Payment): string {
  const details = [payer, formatDate(date), kid === null ? null : `KID ${kid}`, text];
  return [showKroner(amount), ...details].filter(Boolean).join(', ');
}

function Finder({ payment, onChoose }: { payment: Payment; onChoose: (invoice: Invoice) => void }) {
  const [text, setText] = useState('');
  const query = useDebounced(text.trim());
  const { search, found, isComplete } = usePayable(query, payment);
  // An empty result of the previous search says nothing about this one.
  const isEmpty = found?.length === 0 && !search.isPlaceholderData;
  return (
    <div>
      <Combobox
        options={found ?? []}
        keyOf={({ uuid }) => uuid}
        entersOnly={text !== '' && query === text.trim() && isComplete}
        onChoose={onChoose}
      >
        <ComboboxInput isOpen={found !== undefined && found.length > 0}>
          <SearchField
            label="Søk etter nummer, navn eller beløp"
            placeholder="Nummer, navn eller beløp"
            value={text}
            onChange={setText}
            found={text === '' || search.isPlaceholderData ? undefined : found?.length}
          />
        </ComboboxInput>
        <Fetched query={search} pending={<Skeleton height="180px" />}>
          {() => (
            <ComboboxList label="Fakturaer" className="scrolls">
              {found?.map((invoice) => (
                <Result key={invoice.uuid} {...{ invoice, payment }} />
              ))}
            </ComboboxList>
          )}
        </Fetched>
        {isEmpty ? (
          <p className="soft pad">{NOTHING[payment.amount < 0 ? 'PAID' : 'OUTSTANDING']}</p>
        ) : null}
      </Combobox>
    </div>
  );
}

const NOTHING = {
  OUTSTANDING: 'Ingen treff blant åpne fakturaer',
  PAID: 'Ingen treff blant betalte fakturaer',
} as const;

/**
 * Invoices that can take the payment, found by number or customer; first those with exactly that amount due when the
 * text is an amount. Paid invoices are included: a reversal belongs to one, and another may have unpaid reminder
 * fees.
 */
function usePayable(text: string, payment: Payment) {
  const { value } = readNumber(text);
  const isAmount = value !== null && value > 0 && isKroner(value);
  const search = useQuery(payableInvoicesQuery({ query: text }, 'OUTSTANDING'));
  const paid = useQuery({
    ...payableInvoicesQuery({ query: text }, 'PAID'),
    enabled: text !== '' || payment.amount < 0,
  });
  const byAmount = useQuery({
    ...payableInvoicesQuery({ amountDue: isAmount ? value.toFixed(2) : '' }, 'OUTSTANDING'),
    enabled: isAmount,
  });
  const isComplete = ![search, paid, byAmount].some(({ isFetching }) => isFetching);
  if (!search.data || paid.isLoading) return { search, found: undefined, isComplete };
  const exact = isAmount ? (byAmount.data?.results ?? []) : [];
  const found = [...exact, ...search.data.results, ...(paid.data?.results ?? [])];
  const fitting = new Map(
    found.filter((invoice) => canTake(invoice, payment)).map((invoice) => [invoice.uuid, invoice]),
  );
  return { search, found: [...fitting.values()], isComplete };
}

/** Whether a payment can be placed on an invoice. A reversal needs at least its amount paid there. */
function canTake({ amountDue, reminderAmount, paidAmount }: Invoice, { amount }: Payment): boolean {
  return amount < 0 ? paidAmount + amount >= 0 : amountDue + reminderAmount > 0;
}

function Result({ invoice, payment }: { invoice: Invoice; payment: Payment }) {
  const isTakenBack = payment.amount < 0;
  const amount = isTakenBack ? invoice.paidAmount : invoice.amountDue || invoice.reminderAmount;
  const due = isTakenBack ? 'betalt' : `forfaller ${formatDate(invoice.dueDate)}`;
  return (
    <ComboboxOption
      option={invoice}
      name={`${invoice.invoiceNumber} ${invoice.customerName}`}
      amount={showKroner(amount)}
      note={amount === Math.abs(payment.amount) ? `${due}, samme beløp` : due}
    />
  );
}
