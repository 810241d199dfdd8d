import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { formatDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { differenceKroner, formatKroner } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { Modal, ModalButtons } from '../../ui/Modal.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { openInvoicesQuery, usePlacePayment } from './payment.api.ts';

interface PlaceDialogProps {
  readonly payment: Payment | undefined;
  readonly customerNumber: number;
  readonly onClose: () => void;
}

export function PlaceDialog({ payment, customerNumber, onClose }: PlaceDialogProps) {
  const place = usePlacePayment();
  return (
    <Modal
      title="Bruk på faktura"
      description={
        payment
          ? `${formatKroner(payment.amount)} kr, betalt ${formatDate(payment.date)}`
          : undefined
      }
      open={payment !== undefined}
      pending={place.isPending}
      onClose={onClose}
    >
      {payment ? <Choice {...{ payment, customerNumber, place, onClose }} /> : null}
    </Modal>
  );
}

interface ChoiceProps {
  readonly payment: Payment;
  readonly customerNumber: number;
  readonly place: ReturnType<typeof usePlacePayment>;
  readonly onClose: () => void;
}

function Choice({ payment, customerNumber, place, onClose }: ChoiceProps) {
  const list = useInfiniteQuery(openInvoicesQuery(customerNumber));
  const [chosen, setChosen] = useState<string>();
  const found = list.data?.pages.flatMap((page) => page.results) ?? [];
  const open = found.filter(({ amountDue }) => amountDue > 0);
  // The list begins with the invoice that has been due the longest.
  const invoice = open.find(({ uuid }) => uuid === chosen) ?? open[0];
  const use = (invoiceUuid: string) =>
    place.mutate({ uuid: payment.uuid, invoiceUuid }, { onSuccess: onClose });
  return (
    <>
      <div aria-live="polite">
        <Fetched query={list} pending={<Skeleton height="72px" />}>
          {() => (
            <InvoiceChoice {...{ open, invoice, amount: payment.amount, onChoose: setChosen }} />
          )}
        </Fetched>
      </div>
      <ModalButtons>
        {list.hasNextPage ? (
          <Button
            variant="quiet"
            pending={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Hent flere
          </Button>
        ) : null}
        <Button disabled={place.isPending} onClick={onClose}>
          Avbryt
        </Button>
        <Button
          variant="primary"
          disabled={!invoice}
          pending={place.isPending}
          onClick={() => invoice && use(invoice.uuid)}
        >
          Bruk på faktura
        </Button>
      </ModalButtons>
    </>
  );
}

interface InvoiceChoiceProps {
  readonly open: readonly Invoice[];
  readonly invoice: Invoice | undefined;
  /** The credit in kroner. */
  readonly amount: number;
  readonly onChoose: (uuid: string) => void;
}

function InvoiceChoice({ open, invoice, amount, onChoose }: InvoiceChoiceProps) {
  if (!invoice) return <p>Kunden har ingen ubetalte fakturaer.</p>;
  return (
    <SelectField
      label="Faktura"
      required
      value={invoice.uuid}
      hint={resultText(invoice, amount)}
      onChange={(event) => onChoose(event.target.value)}
      options={open.map(({ uuid, invoiceNumber, dueDate, amountDue }) => [
        uuid,
        `Faktura ${invoiceNumber}: ${formatKroner(amountDue)} kr, forfall ${formatDate(dueDate)}`,
      ])}
    />
  );
}

function resultText({ amountDue, reminderAmount }: Invoice, amount: number): string {
  const beyond = differenceKroner(amount, amountDue);
  if (beyond < 0) return `Da gjenstår ${formatKroner(-beyond)} kr av fakturaen.`;
  const reminderPart = Math.min(beyond, reminderAmount);
  const paid =
    reminderPart > 0
      ? `Da er fakturaen betalt, og ${formatKroner(reminderPart)} kr av purregebyr og renter.`
      : 'Da er hele fakturaen betalt.';
  const left = differenceKroner(beyond, reminderPart);
  return left === 0 ? paid : `${paid} ${formatKroner(left)} kr er fortsatt til gode.`;
}
