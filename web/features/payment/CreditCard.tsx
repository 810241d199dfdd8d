import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { formatDate } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { differenceKroner, formatKroner } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { NextPage, rowsOf } from '../../ui/NextPage.tsx';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog, Modal, ModalButtons } from '../../ui/Modal.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { SOURCE_LABELS, describePayment } from './payment-labels.ts';
import {
  openInvoicesQuery,
  paymentsQuery,
  usePlacePayment,
  useRefundPayment,
} from './payment.api.ts';

interface CreditCardProps {
  readonly customer: Customer;
  /** Kroner; never 0. */
  readonly credit: number;
}

export function CreditCard({ customer, credit }: CreditCardProps) {
  const { customerNumber } = customer;
  const list = useInfiniteQuery(paymentsQuery({ state: 'UNPLACED', customerNumber }));
  const place = usePlacePayment();
  const refund = useRefundPayment();
  const [toPlace, setToPlace] = useState<Payment>();
  const [toRefund, setToRefund] = useState<Payment>();
  const close = () => {
    setToPlace(undefined);
    setToRefund(undefined);
  };
  return (
    <Card
      heading="Til gode"
      aside={<strong className="numeric figure">{formatKroner(credit)} kr</strong>}
    >
      <p className="note">
        {customer.name} har betalt dette uten at det står på noen faktura. Bruk det på en faktura,
        eller betal det tilbake fra banken din og merk det her.
      </p>
      <Fetched query={list} pending={<Skeleton height="64px" />}>
        {({ pages }) => (
          <ul className="divided">
            {rowsOf(pages).map((one) => (
              <CreditRow
                key={one.uuid}
                payment={one}
                onPlace={() => setToPlace(one)}
                onRefund={() => setToRefund(one)}
              />
            ))}
          </ul>
        )}
      </Fetched>
      <NextPage list={list} />
      <Modal
        title="Bruk på faktura"
        description={
          toPlace && `${formatKroner(toPlace.amount)} kr, betalt ${formatDate(toPlace.date)}`
        }
        open={toPlace !== undefined}
        pending={place.isPending}
        onClose={close}
      >
        {toPlace ? (
          <Choice {...{ customerNumber, place }} payment={toPlace} onClose={close} />
        ) : null}
      </Modal>
      <ConfirmDialog
        title="Merke som tilbakebetalt?"
        confirmLabel="Merk som tilbakebetalt"
        confirmVariant="primary"
        open={toRefund !== undefined}
        pending={refund.isPending}
        onClose={close}
        onConfirm={() => toRefund && refund.mutate(toRefund.uuid, { onSuccess: close })}
      >
        {toRefund ? (
          <p>
            Faktur sender ingen penger. Betal {formatKroner(toRefund.amount)} kr til {customer.name}{' '}
            fra banken din; her blir det bare merket at det er gjort.
          </p>
        ) : null}
      </ConfirmDialog>
    </Card>
  );
}

interface CreditRowProps {
  readonly payment: Payment;
  readonly onPlace: () => void;
  readonly onRefund: () => void;
}

function CreditRow({ payment, onPlace, onRefund }: CreditRowProps) {
  const { date, amount, source, possibleCopy } = payment;
  const description = describePayment(payment);
  const sum = `${formatKroner(amount)} kr`;
  const name = `${sum}, ${formatDate(date)}`;
  return (
    <li className="row between">
      <div className="grow">
        <p className="row gap-2 strong numeric">
          {sum}
          {possibleCopy ? <Badge tone="amber">Mulig kopi, ikke regnet med</Badge> : null}
        </p>
        <p className="aside">
          {formatDate(date)} · {SOURCE_LABELS[source]}
          {description === '' ? null : ` · ${description}`}
        </p>
        {possibleCopy ? (
          <p className="aside">
            Om det er en kopi, avgjøres under <Link to={paths.payments}>Innbetalinger</Link>.
          </p>
        ) : null}
      </div>
      {amount > 0 && !possibleCopy ? (
        <div className="row gap-2">
          <Button aria-label={`Bruk ${name} på faktura`} onClick={onPlace}>
            Bruk på faktura
          </Button>
          <Button variant="quiet" aria-label={`Merk ${name} som tilbakebetalt`} onClick={onRefund}>
            Merk som tilbakebetalt
          </Button>
        </div>
      ) : null}
    </li>
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
  const open = rowsOf(list.data?.pages ?? []).filter(({ amountDue }) => amountDue > 0);
  // The list begins with the invoice that has been due the longest.
  const invoice = open.find(({ uuid }) => uuid === chosen) ?? open[0];
  const use = (invoiceUuid: string) =>
    place.mutate({ uuid: payment.uuid, invoiceUuid }, { onSuccess: onClose });
  return (
    <>
      <div aria-live="polite">
        <Fetched query={list} pending={<Skeleton height="72px" />}>
          {() =>
            invoice ? (
              <SelectField
                label="Faktura"
                required
                value={invoice.uuid}
                hint={resultText(invoice, payment.amount)}
                onChange={(event) => setChosen(event.target.value)}
                options={open.map(({ uuid, invoiceNumber, dueDate, amountDue }) => [
                  uuid,
                  `Faktura ${invoiceNumber}: ${formatKroner(amountDue)} kr, forfall ${formatDate(dueDate)}`,
                ])}
              />
            ) : (
              <p>Kunden har ingen ubetalte fakturaer.</p>
            )
          }
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

/** Describes the rest of the invoice or of the credit. @param amount the credit in kroner */
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
