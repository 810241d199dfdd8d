import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

import { formatDate } from '../../../domain/date.ts';
import type { InvoicePage } from '../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { soughtInvoice } from '../../../domain/invoice/sought-invoice.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { searchText, searchWords } from '../../../domain/search-text.ts';
import { SEARCH_LENGTH } from '../../../domain/text.ts';
import { showCount, showKroner } from '../../lib/number-text.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Combobox, ComboboxInput, ComboboxList, ComboboxOption } from '../../ui/Combobox.tsx';
import { ConfirmDialog, Modal, ModalButtons } from '../../ui/Modal.tsx';
import { MoneyList } from '../../ui/MoneyList.tsx';
import { NextPage, rowsOf } from '../../ui/NextPage.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Alert, Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import {
  payableInvoicesQuery,
  paymentsQuery,
  usePlacePayment,
  useUndoPayment,
} from './payment.api.ts';
import { afterSuccess, type Done, isCredit, placedDone, UnplacedItem } from './UnplacedItem.tsx';

/** Bank payments and customer credit to be placed, paid back or dropped by hand. */
export function UnplacedCard({ hideWhenEmpty }: { hideWhenEmpty: boolean }) {
  const list = useInfiniteQuery(paymentsQuery({ state: 'UNPLACED' }));
  const undo = useUndoPayment();
  const [sought, setSought] = useState<Payment>();
  const [done, setDone] = useState<Done>();
  const count = list.data?.pages.at(-1)?.count ?? 0;
  if (hideWhenEmpty && list.data && count === 0 && !done) return null;
  return (
    <Card
      flush
      heading="Ikke koblet til faktura"
      aside={count > 0 ? <Badge tone="amber">{showCount(count)}</Badge> : null}
    >
      {/* Not a live region: a toast announces the same. */}
      <div className="part">
        {done ? (
          <Alert
            tone="success"
            action={
              done.undoes === undefined ? null : (
                <Button
                  pending={undo.isPending}
                  onClick={() =>
                    undo.mutate(done.undoes ?? '', { onSuccess: () => setDone(undefined) })
                  }
                >
                  Angre
                </Button>
              )
            }
          >
            {done.text}
          </Alert>
        ) : null}
      </div>
      <Fetched query={list} pending={<Skeleton height="120px" />}>
        {({ pages }) =>
          rowsOf(pages).length === 0 ? (
            <p className="part soft">Alle innbetalinger er koblet til en faktura.</p>
          ) : (
            <MoneyList label="Innbetalinger som ikke er koblet til faktura">
              {rowsOf(pages).map((payment) => (
                <UnplacedItem
                  key={payment.uuid}
                  payment={payment}
                  onSeek={setSought}
                  onDone={setDone}
                />
              ))}
            </MoneyList>
          )
        }
      </Fetched>
      <NextPage list={list} className="row centred part" />
      <FindInvoiceDialog payment={sought} onClose={() => setSought(undefined)} onDone={setDone} />
    </Card>
  );
}

interface FindInvoiceDialogProps {
  readonly payment: Payment | undefined;
  readonly onClose: () => void;
  readonly onDone: (done: Done) => void;
}

function FindInvoiceDialog({ payment, onClose, onDone }: FindInvoiceDialogProps) {
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
                <ComboboxOption
                  key={invoice.uuid}
                  option={invoice}
                  name={`${invoice.invoiceNumber} ${invoice.customerName}`}
                  amount={showKroner(sumOf(invoice, payment))}
                  note={noteOn(invoice, payment)}
                />
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
 * Invoices that can take the payment. Before anything is typed, those of its sum and its payer come first, then those of
 * its sum, then those of its payer; after that, those of exactly the typed amount. Paid invoices are included: a
 * reversal belongs to one, and another may have unpaid reminder fees.
 */
function usePayable(text: string, payment: Payment) {
  const status = payment.amount < 0 ? 'PAID' : 'OUTSTANDING';
  const isTyped = text !== '';
  const sum = isTyped ? (soughtInvoice(text).amount ?? 0) / 100 : Math.abs(payment.amount);
  const name = payerOf(payment);
  const search = useQuery(payableInvoicesQuery(text, 'OUTSTANDING'));
  const paid = useQuery({
    ...payableInvoicesQuery(text, 'PAID'),
    enabled: isTyped || status === 'PAID',
  });
  const ofSum = useQuery({
    ...payableInvoicesQuery(sum.toFixed(2), status),
    enabled: sum > 0,
  });
  const ofPayer = useQuery({
    ...payableInvoicesQuery(name, status),
    enabled: !isTyped && name !== '',
  });
  const queries = [ofSum, ofPayer, search, paid];
  const isComplete = !queries.some(({ isFetching }) => isFetching);
  if (!search.data || queries.some(({ isLoading }) => isLoading)) {
    return { search, found: undefined, isComplete };
  }
  const first = [...(sum > 0 ? resultsOf(ofSum) : []), ...(isTyped ? [] : resultsOf(ofPayer))];
  const found = [...first, ...search.data.results, ...(paid.data?.results ?? [])];
  const fitting = new Map(
    found.filter((invoice) => canTake(invoice, payment)).map((invoice) => [invoice.uuid, invoice]),
  );
  const all = [...fitting.values()];
  const ofBoth = isTyped
    ? []
    : all.filter((invoice) => isOfSum(invoice, payment) && isOfPayer(invoice, name));
  return { search, found: [...new Set([...ofBoth, ...all])], isComplete };
}

function resultsOf({ data, isPlaceholderData }: UseQueryResult<InvoicePage>): readonly Invoice[] {
  return isPlaceholderData ? [] : (data?.results ?? []);
}

function payerOf({ payer, customerName }: Payment): string {
  return (payer ?? customerName ?? '').slice(0, SEARCH_LENGTH);
}

/** Whether the customer's name has all words of the payer's, in any order. */
function isOfPayer({ customerName }: Invoice, payer: string): boolean {
  const words = searchWords(payer);
  return words.length > 0 && words.every((word) => searchText(customerName).includes(word));
}

/** The part of an invoice that a payment is compared with: what is owed, or what was paid and is taken back. */
function sumOf({ paidAmount, amountDue, reminderAmount }: Invoice, { amount }: Payment): number {
  return amount < 0 ? paidAmount : amountDue || reminderAmount;
}

function isOfSum(invoice: Invoice, payment: Payment): boolean {
  return sumOf(invoice, payment) === Math.abs(payment.amount);
}

/** Whether a payment can be placed on an invoice. A reversal needs at least its amount paid there. */
function canTake({ amountDue, reminderAmount, paidAmount }: Invoice, { amount }: Payment): boolean {
  return amount < 0 ? paidAmount + amount >= 0 : amountDue + reminderAmount > 0;
}

function noteOn(invoice: Invoice, payment: Payment): string {
  const due = payment.amount < 0 ? 'betalt' : `forfaller ${formatDate(invoice.dueDate)}`;
  return isOfSum(invoice, payment) ? `${due}, samme beløp` : due;
}
