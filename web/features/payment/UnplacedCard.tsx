import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { Payment } from '../../../domain/payment/payment.schema.ts';
import { Badge } from '../../ui/Badge.tsx';
import { showCount } from '../../lib/number-text.ts';
import { Alert, Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { MoneyList } from '../../ui/MoneyList.tsx';
import { NextPage, rowsOf } from '../../ui/NextPage.tsx';
import { paymentsQuery, useUndoPayment } from './payment.api.ts';
import { FindInvoiceDialog } from './FindInvoiceDialog.tsx';
import { UnplacedItem, type Done } from './UnplacedItem.tsx';
import { Button } from '../../ui/Button.tsx';

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
