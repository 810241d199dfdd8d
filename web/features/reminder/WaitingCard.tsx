import { useState } from 'react';

import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import type { Proposal } from '../../../domain/reminder/reminder.schema.ts';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { Card } from '../../ui/Surface.tsx';
import { DUE, INVOICE, LEFT } from './proposal-columns.tsx';

const COLUMNS: readonly ListColumn<Proposal>[] = [
  { heading: 'Kunde', kind: 'main', cell: ({ customerName }) => customerName },
  INVOICE,
  DUE,
  { heading: 'Neste', width: '190px', cell: ({ kind }) => REMINDER_NAMES[kind] },
  LEFT,
  { heading: 'Hvorfor den venter', label: 'Hvorfor', width: '340px', cell: ({ waits }) => waits },
];

export function WaitingCard({ proposals }: { proposals: readonly Proposal[] }) {
  const [page, setPage] = useState(1);
  return (
    <Card flush heading="Venter">
      <Pages items={proposals} page={page} onPage={setPage}>
        {(items) => (
          <ListTable
            label="Venter"
            columns={COLUMNS}
            keyOf={({ invoiceUuid }) => invoiceUuid}
            items={items}
          />
        )}
      </Pages>
    </Card>
  );
}
