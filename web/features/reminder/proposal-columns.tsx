import { Link } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import { formatKroner } from '../../../domain/money.ts';
import type { Proposal } from '../../../domain/reminder/reminder.schema.ts';
import { countOf } from '../../lib/count.ts';
import { paths } from '../../lib/paths.ts';
import type { ListColumn } from '../../ui/ListTable.tsx';

export const INVOICE: ListColumn<Proposal> = {
  heading: 'Faktura',
  width: '92px',
  numeric: true,
  cell: ({ invoiceNumber }) => (
    <Link to={paths.invoice(invoiceNumber)} aria-label={`Faktura ${invoiceNumber}`}>
      {invoiceNumber}
    </Link>
  ),
};

export const DUE: ListColumn<Proposal> = {
  heading: 'Forfalt',
  width: '132px',
  numeric: true,
  cell: ({ dueDate, daysLate }) => (
    <div className="stack gap-0">
      {formatDate(dueDate)}
      <span className="aside">{countOf(daysLate, 'dag', 'dager')} siden</span>
    </div>
  ),
};

export const LEFT: ListColumn<Proposal> = {
  heading: 'Gjenstår',
  width: '116px',
  align: 'end',
  cell: ({ amountDue }) => formatKroner(amountDue),
};
