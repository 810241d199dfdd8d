import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { formatDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { isKroner } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { showKroner } from '../../ui/kroner.ts';
import { readNumber } from '../../ui/number-text.ts';
import { Modal, ModalButtons } from '../../ui/Modal.tsx';
import { SearchField, useDebounced } from '../../ui/SearchField.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { usePlacePayment } from '../payment.mutations.ts';
import { payableInvoicesQuery } from '../payment.queries.ts';
import styles from './FindInvoiceDialog.module.css';
import type { Done } from './LastDone.tsx';
import { placedDone, whenDone } from './UnplacedItem.tsx';

interface FindInvoiceDialogProps {
  /** What is to be placed; undefined while the dialog is closed. */
  readonly payment: Payment | undefined;
  readonly onClose: () => void;
  readonly onDone: (done: Done) => void;
}

/** Finds the invoice that a payment is for, and places it there. */
export function FindInvoiceDialog({ payment, onClose, onDone }: FindInvoiceDialogProps) {
  const place = usePlacePayment();
  const choose = ({ uuid: invoiceUuid }: Invoice) => {
    if (!payment) return;
    whenDone(place.mutateAsync({ uuid: payment.uuid, invoiceUuid }), (placed) => {
      onClose();
      onDone(placedDone(payment, placed));
    });
  };
  return (
    <Modal
      title="Finn faktura"
      description={payment ? descriptionOf(payment) : undefined}
      open={payment !== undefined}
      pending={place.isPending}
      onClose={onClose}
    >
      {payment ? (
        <Finder payment={payment} onChoose={place.isPending ? () => undefined : choose} />
      ) : null}
      <ModalButtons>
        <Button disabled={place.isPending} onClick={onClose}>
          Avbryt
        </Button>
      </ModalButtons>
    </Modal>
  );
}

/** What there is to know of a payment when one looks for its invoice. */
function descriptionOf({ amount, payer, date, kid, text }: Payment): string {
  const said = [payer, formatDate(date), kid === null ? null : `KID ${kid}`, text];
  return [showKroner(amount), ...said].filter(Boolean).join(', ');
}

interface FinderProps {
  readonly payment: Payment;
  readonly onChoose: (invoice: Invoice) => void;
}

function Finder({ payment, onChoose }: FinderProps) {
  const [text, setText] = useState('');
  const { search, found: open } = usePayable(useDebounced(text.trim()));
  const isEmpty = open?.length === 0;
  return (
    <div className={styles.finder}>
      <SearchField
        label="Søk etter nummer, navn eller beløp"
        placeholder="Nummer, navn eller beløp"
        value={text}
        onChange={setText}
      />
      <Fetched query={search} pending={<Skeleton height="180px" />}>
        {() => (
          <ul className={styles.results} aria-label="Fakturaer">
            {open?.map((invoice) => (
              <Result key={invoice.uuid} {...{ invoice, payment, onChoose }} />
            ))}
          </ul>
        )}
      </Fetched>
      <p className={isEmpty ? styles.empty : undefined} aria-live="polite">
        {isEmpty ? 'Ingen åpne fakturaer passer.' : null}
      </p>
    </div>
  );
}

/** Invoices by number or customer, and before them those of which just so much is due, if it is an amount. */
function usePayable(text: string) {
  const { value } = readNumber(text);
  const isAmount = value !== null && value > 0 && isKroner(value);
  const search = useQuery(payableInvoicesQuery({ query: text }));
  const byAmount = useQuery({
    ...payableInvoicesQuery({ amountDue: isAmount ? value.toFixed(2) : '' }),
    enabled: isAmount,
  });
  const exact = isAmount ? (byAmount.data?.results ?? []) : [];
  const others = search.data?.results.filter(
    ({ uuid, amountDue }) => amountDue > 0 && exact.every((invoice) => invoice.uuid !== uuid),
  );
  return { search, found: others && [...exact, ...others] };
}

function Result({ invoice, payment, onChoose }: FinderProps & { readonly invoice: Invoice }) {
  const { invoiceNumber, customerName, amountDue, dueDate } = invoice;
  return (
    <li>
      <button type="button" className={styles.result} onClick={() => onChoose(invoice)}>
        <span className={styles.name}>
          {invoiceNumber} {customerName}
        </span>
        <span className={styles.due}>{showKroner(amountDue)}</span>
        <span className={styles.note}>
          forfaller {formatDate(dueDate)}
          {amountDue === payment.amount ? ', samme beløp' : ''}
        </span>
      </button>
    </li>
  );
}
