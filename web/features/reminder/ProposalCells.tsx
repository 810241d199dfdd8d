import { Link } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import type { Proposal } from '../../../domain/reminder/reminder.schema.ts';
import { paths } from '../../lib/paths.ts';
import { countOf } from '../../lib/count.ts';
import { Cell } from '../../ui/Table.tsx';

export function InvoiceLink({ proposal: { invoiceNumber } }: { proposal: Proposal }) {
  return (
    <Link to={paths.invoice(invoiceNumber)} aria-label={`Faktura ${invoiceNumber}`}>
      {invoiceNumber}
    </Link>
  );
}

export function DueCell({ proposal: { dueDate, daysLate } }: { proposal: Proposal }) {
  return (
    <Cell label="Forfalt" numeric>
      <div className="stack gap-0">
        {formatDate(dueDate)}
        <span className="aside">{countOf(daysLate, 'dag', 'dager')} siden</span>
      </div>
    </Cell>
  );
}
