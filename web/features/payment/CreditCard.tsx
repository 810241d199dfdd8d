import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';

import type { Customer } from '../../../domain/customer/customer.schema.ts';
import { formatDate } from '../../../domain/date.ts';
import { formatKroner } from '../../../domain/money.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { NextPage } from '../../ui/NextPage.tsx';
import { rowsOf } from '../../lib/paged.ts';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { SOURCE_LABELS, describePayment } from './payment-labels.ts';
import { paymentsQuery, useRefundPayment } from './payment.api.ts';
import { PlaceDialog } from './PlaceDialog.tsx';

interface CreditCardProps {
  readonly customer: Customer;
  /** Kroner; never 0. */
  readonly credit: number;
}

type Asked = 'place' | 'refund';

export function CreditCard({ customer, credit }: CreditCardProps) {
  const { customerNumber } = customer;
  const list = useInfiniteQuery(paymentsQuery({ state: 'UNPLACED', customerNumber }));
  const [payment, setPayment] = useState<Payment>();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const ask = (what: Asked, about: Payment) => {
    setPayment(about);
    setAsked(what);
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
                onPlace={() => ask('place', one)}
                onRefund={() => ask('refund', one)}
              />
            ))}
          </ul>
        )}
      </Fetched>
      <NextPage list={list} />
      <PlaceDialog
        payment={asked === 'place' ? payment : undefined}
        customerNumber={customerNumber}
        onClose={close}
      />
      <RefundDialog
        payment={payment}
        name={customer.name}
        open={asked === 'refund'}
        onClose={close}
      />
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
          <Button
            variant="quiet"
            aria-label={`Marker ${name} som tilbakebetalt`}
            onClick={onRefund}
          >
            Marker som tilbakebetalt
          </Button>
        </div>
      ) : null}
    </li>
  );
}

interface RefundDialogProps {
  readonly payment: Payment | undefined;
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function RefundDialog({ payment, name, open, onClose }: RefundDialogProps) {
  const refund = useRefundPayment();
  return (
    <ConfirmDialog
      title="Markere som tilbakebetalt?"
      confirmLabel="Marker som tilbakebetalt"
      confirmVariant="primary"
      open={open}
      pending={refund.isPending}
      onClose={onClose}
      onConfirm={() => payment && refund.mutate(payment.uuid, { onSuccess: onClose })}
    >
      {payment ? (
        <p>
          Faktur sender ingen penger. Betal {formatKroner(payment.amount)} kr til {name} fra banken
          din; her blir det bare merket at det er gjort.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
