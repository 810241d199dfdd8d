import { useInfiniteQuery } from '@tanstack/react-query';

import { formatDate } from '../../../domain/date.ts';
import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { NextPage, rowsOf } from '../../ui/NextPage.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card, Fetched } from '../../ui/Surface.tsx';
import { MoneyItem, MoneyList } from '../../ui/MoneyList.tsx';
import { paymentsQuery, useUndoPayment } from './payment.api.ts';
import { nameOf, namedSum } from './UnplacedItem.tsx';

const HEADING = 'Merket som tilbakebetalt';

/** Refunded payments, of everybody or of one customer. Their file cannot be undone before their refunds (BANK-5). */
export function RefundedCard({ customerNumber }: { customerNumber?: number }) {
  const ofCustomer = customerNumber === undefined ? {} : { customerNumber };
  const list = useInfiniteQuery(paymentsQuery({ state: 'REFUNDED', ...ofCustomer }));
  if (list.isPending || list.data?.pages[0]?.count === 0) return null;
  return (
    <Card flush heading={HEADING}>
      <Fetched query={list}>
        {({ pages }) => (
          <MoneyList label={HEADING}>
            {rowsOf(pages).map((payment) => (
              <RefundedItem key={payment.uuid} payment={payment} />
            ))}
          </MoneyList>
        )}
      </Fetched>
      <NextPage list={list} className="row centred part" />
    </Card>
  );
}

function RefundedItem({ payment }: { payment: Payment }) {
  const undo = useUndoPayment();
  const { amount, date, kid, text, customerName, undoneBy } = payment;
  const name = nameOf(payment);
  return (
    <MoneyItem
      title={name}
      amount={amount}
      facts={{
        date: formatDate(date),
        kid: kid === null ? null : `KID ${kid}`,
        text,
        customer: customerName === name ? null : customerName,
      }}
    >
      <div className="row gap-2">
        <Button
          aria-label={`Angre tilbakebetalingen: ${namedSum(payment)}`}
          pending={undo.isPending}
          onClick={() => undoneBy !== null && undo.mutate(undoneBy)}
        >
          Angre
        </Button>
      </div>
    </MoneyItem>
  );
}
