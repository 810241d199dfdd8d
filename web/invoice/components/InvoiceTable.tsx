import { Link } from 'react-router';

import { daysBetween, formatDate, todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { canBecome, canChange, isSettled } from '../../../domain/invoice/invoice.status.ts';
import { formatKroner } from '../../../domain/money.ts';
import { paths } from '../../paths.ts';
import { IconAnchor, IconButton, IconLink } from '../../ui/Button.tsx';
import { CheckIcon, ChevronRightIcon, FileIcon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { useUpdateInvoice } from '../invoice.mutations.ts';
import styles from './InvoiceTable.module.css';
import { StatusBadge } from './StatusBadge.tsx';

const COLUMNS = [
  { heading: 'Nummer', width: '104px' },
  { heading: 'Kunde' },
  { heading: 'Fakturadato', width: '132px' },
  { heading: 'Status', width: 'clamp(160px, 24vw, 284px)' },
  { heading: '', label: 'Handlinger', width: '168px' },
];
/** With payments: what is due, and for how long it has been late. */
const OWED_COLUMNS = [
  { heading: 'Nummer', width: '84px' },
  { heading: 'Kunde' },
  { heading: 'Fakturadato', width: '112px' },
  { heading: 'Utestående', align: 'end' as const, width: '108px' },
  { heading: 'Forfalt', align: 'end' as const, width: '96px', roomy: true },
  { heading: 'Status', width: 'clamp(124px, 18vw, 284px)' },
  { heading: '', label: 'Handlinger', width: '156px' },
];
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6];

interface InvoiceTableProps {
  /** Undefined while they are fetched. */
  readonly invoices: readonly Invoice[] | undefined;
  /** Whether it says what is due. */
  readonly hasPayments: boolean;
  /** Whether it says that a customer disputes one. */
  readonly hasReminders: boolean;
  /** Asks how much was paid of one, and when. Absent where payments are not turned on. */
  readonly onPay?: ((invoice: Invoice) => void) | undefined;
}

export function InvoiceTable({ invoices, hasPayments, hasReminders, onPay }: InvoiceTableProps) {
  return (
    <Table label="Fakturaer" columns={hasPayments ? OWED_COLUMNS : COLUMNS} busy={!invoices}>
      {invoices
        ? invoices.map((invoice) => (
            <InvoiceRow key={invoice.uuid} {...{ invoice, hasPayments, hasReminders, onPay }} />
          ))
        : SKELETON_ROWS.map((row) => <SkeletonRow key={row} hasPayments={hasPayments} />)}
    </Table>
  );
}

interface InvoiceRowProps extends Omit<InvoiceTableProps, 'invoices'> {
  readonly invoice: Invoice;
}

function InvoiceRow({ invoice, hasPayments, hasReminders, onPay }: InvoiceRowProps) {
  const detailPath = paths.invoice(invoice.invoiceNumber ?? invoice.uuid);
  const name = nameOf(invoice);
  return (
    <Row>
      <Cell label="Nummer" numeric>
        {invoice.invoiceNumber ?? '–'}
      </Cell>
      <Cell label="Kunde" main>
        <div className={styles.customer}>
          <Link to={detailPath}>{invoice.customerName}</Link>
          <span className={styles.amount}>{formatKroner(invoice.grossAmount)} kr</span>
        </div>
      </Cell>
      <Cell label="Fakturadato" numeric>
        {formatDate(invoice.issueDate)}
      </Cell>
      {hasPayments ? <OwedCells invoice={invoice} /> : null}
      <Cell label="Status">
        <StatusBadge invoice={invoice} showsPayments={hasPayments} showsDisputes={hasReminders} />
      </Cell>
      <Cell actions>
        <MarkPaid {...{ invoice, name, onPay }} />
        <IconAnchor
          href={paths.invoicePdf(invoice.uuid)}
          label={`Vis PDF av ${name}`}
          icon={<FileIcon />}
        />
        <IconLink to={detailPath} label={`Detaljer om ${name}`} icon={<ChevronRightIcon />} />
      </Cell>
    </Row>
  );
}

/** Nothing where nothing is due: on a phone such cells are not there. */
function OwedCells({ invoice }: { invoice: Invoice }) {
  const { kind, status, amountDue, dueDate } = invoice;
  const isOwed = kind === 'INVOICE' && status === 'REGISTERED';
  const daysLate = isOwed ? daysBetween(dueDate, todayInOslo()) : 0;
  const late = daysLate > 0 ? <span className={styles.late}>{inDays(daysLate)}</span> : null;
  return (
    <>
      <Cell label="Utestående" numeric align="end">
        {isOwed ? (
          <div className={styles.owed}>
            {formatKroner(amountDue)}
            <span className={styles.below}>{late}</span>
          </div>
        ) : null}
      </Cell>
      <Cell label="Forfalt" numeric align="end" roomy>
        {late}
      </Cell>
    </>
  );
}

function inDays(count: number): string {
  return count === 1 ? '1 dag' : `${count.toLocaleString('nb-NO')} dager`;
}

/** Its name within a sentence. */
function nameOf({ kind, invoiceNumber, customerName }: Invoice): string {
  if (invoiceNumber === null) return `utkast til ${customerName}`;
  return `${kind === 'CREDIT_NOTE' ? 'kreditnota' : 'faktura'} ${invoiceNumber}`;
}

interface MarkPaidProps extends Pick<InvoiceRowProps, 'invoice' | 'onPay'> {
  readonly name: string;
}

function MarkPaid({ invoice, name, onPay }: MarkPaidProps) {
  const update = useUpdateInvoice();
  if (!canChange(invoice) || isSettled(invoice.status)) return null;
  return (
    <IconButton
      label={`Sett ${name} til betalt`}
      icon={<CheckIcon />}
      disabled={!canBecome(invoice.status, 'PAID')}
      pending={update.isPending}
      onClick={() =>
        onPay && invoice.amountDue > 0
          ? onPay(invoice)
          : update.mutate({ invoiceUuid: invoice.uuid, status: 'PAID' })
      }
    />
  );
}

function SkeletonRow({ hasPayments }: { hasPayments: boolean }) {
  return (
    <Row>
      <Cell>
        <Skeleton width="40px" />
      </Cell>
      <Cell main>
        <Skeleton width="180px" />
      </Cell>
      <Cell>
        <Skeleton width="88px" />
      </Cell>
      {hasPayments ? (
        <>
          <Cell />
          <Cell roomy />
        </>
      ) : null}
      <Cell>
        <Skeleton width="104px" />
      </Cell>
      <Cell />
    </Row>
  );
}
