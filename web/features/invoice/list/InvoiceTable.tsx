import { useSyncExternalStore } from 'react';

import type {
  InvoiceSort,
  InvoiceSortKey,
} from '../../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { classNames } from '../../../lib/class-names.ts';
import { Skeleton } from '../../../ui/Surface.tsx';
import { Cell, Row, Table, type Column } from '../../../ui/Table.tsx';
import { useFeature } from '../../session/session.api.ts';
import { SelectAll, type Selection } from './selection.tsx';
import { keyOf, nextSort } from './useListView.ts';
import { InvoiceRow, type InvoiceRowProps } from './InvoiceRow.tsx';
import styles from './InvoiceTable.module.css';

const NUMBER = { heading: 'Nummer', sort: 'number' };
const CUSTOMER = { heading: 'Kunde', sort: 'customer' };
/** In a narrower window the amount stands with the customer. */
const ROOM_FOR_AMOUNT = '(min-width: 56em)';
const AMOUNT: Column = { heading: 'Beløp', align: 'end', width: '104px', sort: 'amount' };
const ACTIONS = { heading: '', label: 'Handlinger', width: '132px' };

const COLUMNS: readonly Column[] = [
  { ...NUMBER, width: '92px' },
  CUSTOMER,
  { heading: 'Fakturadato', width: '120px', sort: 'issue_date' },
  { heading: 'Forfallsdato', width: '120px', roomy: true, sort: 'due_date' },
  AMOUNT,
  { heading: 'Status', width: 'clamp(132px, 16vw, 196px)' },
  ACTIONS,
];
/** The columns when payments are on: also the amount due and the days overdue. */
const OWED_COLUMNS: readonly Column[] = [
  { ...NUMBER, width: '72px' },
  CUSTOMER,
  { heading: 'Fakturadato', width: '96px', sort: 'issue_date' },
  { heading: 'Forfallsdato', width: '96px', roomy: true, sort: 'due_date' },
  AMOUNT,
  { heading: 'Utestående', align: 'end', width: '88px', roomy: true },
  { heading: 'Forfalt', align: 'end', width: '68px', roomy: true },
  { heading: 'Status', width: 'clamp(116px, 11vw, 148px)' },
  ACTIONS,
];
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

interface InvoiceTableProps extends Pick<InvoiceRowProps, 'onPay'> {
  readonly invoices: readonly Invoice[] | undefined;
  readonly sort: InvoiceSort | undefined;
  readonly onSort?: (sort: InvoiceSort | undefined) => void;
  readonly selection?: Selection;
  /** Whether the phone's selection mode is on; wider screens always show the checkboxes. */
  readonly isSelecting?: boolean;
}

export function InvoiceTable(props: InvoiceTableProps) {
  const { invoices, sort, onSort, selection, isSelecting = false, onPay } = props;
  const hasPayments = useFeature('payments');
  const hasReminders = useFeature('reminders');
  const hasAmountColumn = useRoomForAmount();
  const columns = (hasPayments ? OWED_COLUMNS : COLUMNS).filter(
    (column) => hasAmountColumn || column !== AMOUNT,
  );
  return (
    <Table
      label="Fakturaer"
      columns={[selectColumn(selection), ...columns]}
      busy={!invoices}
      className={classNames(styles.table, isSelecting && styles.selecting)}
      sorting={{
        by: sort && keyOf(sort),
        isDescending: sort?.startsWith('-') === true,
        onSort: (key) => onSort?.(nextSort(sort, key as InvoiceSortKey)),
      }}
    >
      {invoices && selection
        ? invoices.map((invoice) => (
            <InvoiceRow
              key={invoice.uuid}
              {...{ invoice, selection, hasAmountColumn, hasPayments, hasReminders, onPay }}
            />
          ))
        : SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={columns} />)}
    </Table>
  );
}

function selectColumn(selection: Selection | undefined): Column {
  const label = 'Velg';
  if (!selection || selection.possible === 0) return { heading: '', label, width: '48px' };
  return { heading: '', label, width: '48px', control: <SelectAll selection={selection} /> };
}

function SkeletonRow({ columns }: { columns: readonly Column[] }) {
  return (
    <Row className={styles.row}>
      <Cell className={styles.select} />
      {columns.map(({ heading, roomy = false }) => (
        <Cell
          key={heading}
          main={heading === 'Kunde'}
          roomy={roomy}
          className={classNames(SKELETON_AREAS[heading])}
        >
          {SKELETON_WIDTHS[heading] ? <Skeleton width={SKELETON_WIDTHS[heading]} /> : null}
        </Cell>
      ))}
    </Row>
  );
}

const SKELETON_WIDTHS: Readonly<Record<string, string>> = {
  Nummer: '32px',
  Kunde: '160px',
  Fakturadato: '80px',
  Status: '104px',
};
const SKELETON_AREAS: Readonly<Record<string, string | undefined>> = {
  Nummer: styles.number,
  Kunde: styles.customer,
  Fakturadato: styles.issued,
  Status: styles.status,
};

/** Whether there is room for the amount's column, also after the window changed. */
function useRoomForAmount(): boolean {
  return useSyncExternalStore(onWidth, () => window.matchMedia(ROOM_FOR_AMOUNT).matches);
}

function onWidth(onChange: () => void): () => void {
  const list = window.matchMedia(ROOM_FOR_AMOUNT);
  list.addEventListener('change', onChange);
  return () => list.removeEventListener('change', onChange);
}
