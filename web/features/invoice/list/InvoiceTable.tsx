import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import type {
  InvoiceSort,
  InvoiceSortKey,
} from '../../../../domain/invoice/invoice-list.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { classNames } from '../../../lib/class-names.ts';
import { laterCode } from '../../../lib/later-code.ts';
import { paths } from '../../../lib/paths.ts';
import { Card, Skeleton } from '../../../ui/Surface.tsx';
import { Cell, Row, Table, type Column } from '../../../ui/Table.tsx';
import { useIsWide } from '../../../ui/useIsWide.ts';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { PaymentDialog } from '../../payment/PaymentDialog.tsx';
import { useFeature } from '../../session/session.api.ts';
import { countInvoices } from '../invoice-labels.ts';
import type { BulkActionsProps } from './BulkActions.tsx';
import { InvoiceRow, type InvoiceRowProps } from './InvoiceRow.tsx';
import { SelectAll, useSelection, type Selection } from './selection.tsx';
import { keyOf, nextSort, type ListView } from './useListView.ts';
import styles from './InvoiceTable.module.css';

interface ListedInvoicesProps {
  readonly invoices: readonly Invoice[];
  readonly view: ListView;
  /** Whether the phone's selection mode is on; wider screens always show the checkboxes. */
  readonly isSelecting: boolean;
  readonly setSelecting: (isSelecting: boolean) => void;
}

/** The rows of the list, with what can be done with one of them or with those that are selected. */
export function ListedInvoices(props: ListedInvoicesProps) {
  const { invoices } = props;
  const hasPayments = useFeature('payments');
  const [paying, setPaying] = useState<Invoice>();
  const [isOpen, setOpen] = useState(false);
  const pay = (invoice: Invoice) => {
    setPaying(invoice);
    setOpen(true);
  };
  // The current version, or the last known one when the invoice has left the list.
  const payable = invoices.find(({ uuid }) => uuid === paying?.uuid) ?? paying;
  return (
    <>
      <SelectableInvoices {...props} onPay={hasPayments ? pay : undefined} />
      {hasPayments ? (
        <PaymentDialog
          invoice={isOpen ? payable : undefined}
          onClose={() => setOpen(false)}
          // 'Sett til betalt' is gone from a paid invoice: the focus goes on to the next button of its row.
          nextFocus={() =>
            document.querySelector(`a[href="${paths.invoicePdf(payable?.uuid ?? '')}"]`)
          }
        />
      ) : null}
    </>
  );
}

type SelectableInvoicesProps = ListedInvoicesProps & Pick<InvoiceRowProps, 'onPay'>;

function SelectableInvoices(props: SelectableInvoicesProps) {
  const { invoices, view, isSelecting, setSelecting, onPay } = props;
  const { filter, setSort } = view;
  const place = useRef<HTMLDivElement>(null);
  // Another filter clears the selection.
  const selection = useSelection(invoices, JSON.stringify(filter));
  const end = () => {
    flushSync(() => {
      selection.clear();
      setSelecting(false);
    });
    // The focused button was removed: moves the focus to the list for keyboard users.
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  };
  const { length } = selection.chosen;
  return (
    <div ref={place} tabIndex={-1} className="stack gap-4">
      <Card flush>
        <InvoiceTable
          {...{ invoices, selection, isSelecting, onPay }}
          sort={filter.sort}
          onSort={setSort}
        />
      </Card>
      <output className="visually-hidden">
        {length > 0 ? `${countInvoices(length)} valgt` : ''}
      </output>
      <Actions {...{ selection, isSelecting }} onEnd={end} />
    </div>
  );
}

const actions = laterCode(async () => import('./BulkActions.tsx'));

/** Loads its code later, in its own component, so that the list neither waits nor renders again. */
function Actions(props: BulkActionsProps) {
  const isNeeded = props.isSelecting || props.selection.chosen.length > 0;
  const code = useLaterCode(actions, { isNeeded, what: 'Valgene' });
  return code ? <code.BulkActions {...props} /> : null;
}

const NUMBER = { heading: 'Nummer', sort: 'number' };
const CUSTOMER = { heading: 'Kunde', sort: 'customer' };
/** In a narrower window the amount stands with the customer. */
const ROOM_FOR_AMOUNT = '56em';
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
  const hasAmountColumn = useIsWide(ROOM_FOR_AMOUNT);
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
              {...{
                invoice,
                selection,
                isSelecting,
                hasAmountColumn,
                hasPayments,
                hasReminders,
                onPay,
              }}
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
