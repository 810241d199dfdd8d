import type { KeyboardEvent } from 'react';

import { May } from '../../session/Allowed.tsx';
import { daysBetween, formatDate, todayInOslo } from '../../../../domain/date.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import { canChange } from '../../../../domain/invoice/invoice.status.ts';
import { formatKroner } from '../../../../domain/money.ts';
import { paths } from '../../../lib/paths.ts';
import { IconAnchor, IconButton, IconLink } from '../../../ui/Button.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { countOf } from '../../../lib/number-text.ts';
import { CheckIcon, ChevronRightIcon, FileIcon, UndoIcon } from '../../../ui/icons.tsx';
import { Cell, Row } from '../../../ui/Table.tsx';
import { nameOf } from '../invoice-labels.ts';
import { isOverdue, isOwed, isPartCredited, isPartPaid } from '../overdue.ts';
import { useCanChoose, type Selection } from './selection.tsx';
import styles from './InvoiceTable.module.css';
import { StatusBadge, StatusPill } from '../StatusBadge.tsx';
import { useUpdateInvoice } from '../invoice.api.ts';
import { UnpaidDialog, usePaidButton } from '../UnpaidDialog.tsx';

export interface InvoiceRowProps {
  readonly invoice: Invoice;
  readonly selection: Selection;
  /** Whether a press selects, on a phone. */
  readonly isSelecting: boolean;
  readonly hasAmountColumn: boolean;
  readonly hasPayments: boolean;
  readonly hasReminders: boolean;
  readonly onPay?: ((invoice: Invoice) => void) | undefined;
}

export function InvoiceRow(props: InvoiceRowProps) {
  const { invoice, selection, isSelecting, hasAmountColumn, hasPayments, hasReminders } = props;
  const { onPay } = props;
  const canChoose = useCanChoose() && canChange(invoice);
  const detailPath = paths.invoice(invoice.invoiceNumber ?? invoice.uuid);
  const name = nameOf(invoice);
  const isLate = isOverdue(invoice, todayInOslo());
  const isChosen = selection.isChosen(invoice);
  return (
    <Row
      className={classNames(styles.row, isChosen && styles.chosen)}
      to={detailPath}
      onPress={isSelecting && canChoose ? () => selection.toggle(invoice, false) : undefined}
    >
      <Cell className={styles.select}>
        {canChoose ? <SelectBox {...{ invoice, name, selection }} /> : null}
      </Cell>
      <Cell label="Nummer" numeric className={styles.number}>
        {invoice.invoiceNumber ?? '–'}
      </Cell>
      <Cell label="Kunde" main className={styles.customer}>
        <div className={`stack gap-0 ${styles.what}`}>
          <span className={styles.name}>{invoice.customerName}</span>
          {hasAmountColumn ? null : <Amount {...{ invoice, hasPayments }} />}
        </div>
      </Cell>
      <Cell label="Fakturadato" numeric className={styles.issued}>
        {formatDate(invoice.issueDate)}
        <span className={`aside ${styles.below}`}>
          <DueDate {...{ invoice, isLate }} before="Forfall " />
        </span>
      </Cell>
      <Cell label="Forfallsdato" numeric roomy className={styles.due}>
        {invoice.kind === 'CREDIT_NOTE' ? null : (
          <span className={styles.dueWord} aria-hidden="true">
            Forfall
          </span>
        )}
        <DueDate {...{ invoice, isLate }} />
      </Cell>
      {hasAmountColumn ? (
        <Cell label="Beløp" numeric align="end">
          {formatKroner(invoice.grossAmount)} kr
          {isLessOwed(invoice, hasPayments) ? (
            <span className={`aside ${hasPayments ? styles.below : styles.owedBelow}`}>
              Igjen {formatKroner(invoice.amountDue)}
            </span>
          ) : null}
        </Cell>
      ) : null}
      {hasPayments ? <OwedCells invoice={invoice} /> : null}
      <Cell label="Status" className={styles.status}>
        {hasPayments ? (
          <StatusPill invoice={invoice} showsDisputes={hasReminders} />
        ) : (
          <StatusBadge invoice={invoice} showsPayments={false} showsDisputes={hasReminders} />
        )}
      </Cell>
      <Cell actions className={styles.actions}>
        <May permission="payments">
          <PaidButton {...{ invoice, name, onPay }} />
        </May>
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

interface SelectBoxProps extends Pick<InvoiceRowProps, 'invoice' | 'selection'> {
  readonly name: string;
}

/** Selects one row, or with Shift all rows from the last one. The arrow keys move between checkboxes. */
function SelectBox({ invoice, name, selection }: SelectBoxProps) {
  return (
    <label className="check centred">
      <input
        type="checkbox"
        data-select={invoice.uuid}
        aria-label={`Velg ${name}`}
        checked={selection.isChosen(invoice)}
        onChange={({ nativeEvent }) =>
          selection.toggle(invoice, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        onKeyDown={(event) => moveBetween(event)}
      />
    </label>
  );
}

/** Moves the focus to the next checkbox. With Shift, copies the state of this one to it. */
function moveBetween(event: KeyboardEvent<HTMLInputElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const box = event.currentTarget;
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-select]')];
  const next = boxes[boxes.indexOf(box) + step];
  next?.focus();
  if (event.shiftKey && next && next.checked !== box.checked) next.click();
}

/** Whether less than the invoice's sum is owed: a part is credited or, with payments, paid. */
function isLessOwed(invoice: Invoice, hasPayments: boolean): boolean {
  return isOwed(invoice) && ((hasPayments && isPartPaid(invoice)) || isPartCredited(invoice));
}

/** The amount when its column is hidden, with what remains when that is less. */
function Amount({ invoice, hasPayments }: Pick<InvoiceRowProps, 'invoice' | 'hasPayments'>) {
  const gross = formatKroner(invoice.grossAmount);
  return (
    <span className={`aside ${styles.amount}`}>
      {isLessOwed(invoice, hasPayments) ? <>{formatKroner(invoice.amountDue)} av </> : null}
      {gross} kr
    </span>
  );
}

interface DueDateProps {
  readonly invoice: Invoice;
  readonly isLate: boolean;
  readonly before?: string;
}

/** Empty for a credit note, which nobody pays. */
function DueDate({ invoice: { kind, dueDate }, isLate, before = '' }: DueDateProps) {
  if (kind === 'CREDIT_NOTE') return null;
  return (
    <span className={classNames(isLate && styles.late)}>
      {before}
      {formatDate(dueDate)}
    </span>
  );
}

/** The cells are empty when nothing is owed. */
function OwedCells({ invoice }: { invoice: Invoice }) {
  const { amountDue, dueDate } = invoice;
  const hasDue = isOwed(invoice);
  const daysLate = hasDue ? daysBetween(dueDate, todayInOslo()) : 0;
  const late =
    daysLate > 0 ? <span className={styles.late}>{countOf(daysLate, 'dag', 'dager')}</span> : null;
  return (
    <>
      <Cell label="Utestående" numeric align="end" roomy className={styles.wide}>
        {hasDue ? formatKroner(amountDue) : null}
      </Cell>
      <Cell label="Forfalt" numeric align="end" roomy className={styles.wide}>
        {late}
      </Cell>
    </>
  );
}

interface PaidButtonProps extends Pick<InvoiceRowProps, 'invoice' | 'onPay'> {
  readonly name: string;
}

function PaidButton({ invoice, name, onPay }: PaidButtonProps) {
  const update = useUpdateInvoice();
  const pay = onPay && (() => onPay(invoice));
  const { isPaid, button, dialog } = usePaidButton(invoice, update, pay);
  if (!canChange(invoice)) return null;
  return (
    <>
      <IconButton
        key={isPaid ? 'unpaid' : 'paid'}
        label={`Sett ${name} til ${isPaid ? 'ikke betalt' : 'betalt'}`}
        icon={isPaid ? <UndoIcon /> : <CheckIcon />}
        {...button}
      />
      {isPaid ? <UnpaidDialog {...dialog} /> : null}
    </>
  );
}
