import type { ComponentType } from 'react';

import { daysBetween, todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { formatKroner } from '../../../domain/money.ts';
import { countOf } from '../../lib/number-text.ts';
import { Badge, LabelBadge, type Label } from '../../ui/Badge.tsx';
import {
  CheckCircleIcon,
  CheckIcon,
  ClockIcon,
  CloseIcon,
  InfoIcon,
  SendIcon,
  UndoIcon,
  WarningIcon,
} from '../../ui/icons.tsx';
import {
  deliveryLabel,
  DELIVERY_STATUS_LABELS,
  PART_PAID_LABEL,
  STATUS_LABELS,
} from './invoice-labels.ts';
import { isOverdue, isPartCredited, isPartPaid } from './overdue.ts';
import styles from './StatusBadge.module.css';

const PART_CREDITED_LABEL: Label = { text: 'Delvis kreditert', tone: 'gray' };

type Shown = Pick<
  Invoice,
  | 'kind'
  | 'status'
  | 'deliveryStatus'
  | 'dueDate'
  | 'grossAmount'
  | 'paidAmount'
  | 'creditedAmount'
  | 'disputed'
> & { readonly deliveries: readonly Parameters<typeof deliveryLabel>[0][] };

interface StatusBadgeProps {
  readonly invoice: Shown;
  readonly showsPayments: boolean;
  readonly showsDisputes?: boolean;
  /** False where a sentence says them. */
  readonly showsMarks?: boolean;
}

/**
 * The status of an invoice and, while it is registered, of its delivery. Problems come before normal states, because a
 * list on a phone cuts off badges that do not fit.
 */
export function StatusBadge(props: StatusBadgeProps) {
  const { invoice, showsPayments, showsDisputes = false, showsMarks = true } = props;
  const isPart = showsPayments && isPartPaid(invoice);
  const label = isPart ? PART_PAID_LABEL : STATUS_LABELS[invoice.status];
  return (
    <span className="row gap-1">
      <Badge tone={label.tone} icon={<StatusIcon invoice={invoice} />}>
        {invoice.kind === 'CREDIT_NOTE' ? 'Kreditnota' : label.text}
      </Badge>
      {showsMarks
        ? marksOf(invoice, showsDisputes, null).map((mark) => (
            <LabelBadge key={mark.text} label={mark} />
          ))
        : null}
    </span>
  );
}

interface Mark extends Label {
  readonly Icon: ComponentType;
  /** After the text where no column says the same. */
  readonly more?: string;
}

/** One badge with what matters most, and the rest in words: for a list with payments. */
export function StatusPill({
  invoice,
  showsDisputes = false,
}: {
  readonly invoice: Shown & Pick<Invoice, 'amountDue'>;
  readonly showsDisputes?: boolean;
}) {
  const isClaim = invoice.status === 'REGISTERED' && invoice.kind === 'INVOICE';
  const [first, ...others] = isClaim ? marksOf(invoice, showsDisputes, invoice.amountDue) : [];
  if (!first) return <StatusBadge invoice={invoice} showsPayments />;
  return (
    <span className="row gap-1">
      <Badge tone={first.tone} icon={<first.Icon />}>
        <Words mark={first} />
      </Badge>
      {others.map((mark) => (
        <span key={mark.text} className="aside">
          <Words mark={mark} />
        </span>
      ))}
    </span>
  );
}

function Words({ mark: { text, more } }: { mark: Mark }) {
  return (
    <>
      {text}
      {more ? <span className={styles.more}>{more}</span> : null}
    </>
  );
}

/**
 * The states of an invoice besides its status, the most important first.
 *
 * @param owed in kroner, for a list that shows what is paid of it; null for others
 */
function marksOf(invoice: Shown, showsDisputes: boolean, owed: number | null): readonly Mark[] {
  const delivery = deliveryOf(invoice);
  const today = todayInOslo();
  const marks: readonly (Mark | false | undefined)[] = [
    delivery?.tone === 'red' && { ...delivery, Icon: CloseIcon },
    isOverdue(invoice, today) && {
      tone: 'red',
      text: 'Forfalt',
      Icon: WarningIcon,
      more: ` ${countOf(daysBetween(invoice.dueDate, today), 'dag', 'dager')}`,
    },
    showsDisputes && invoice.disputed && { tone: 'amber', text: 'Bestridt', Icon: InfoIcon },
    owed !== null &&
      isPartPaid(invoice) && {
        ...PART_PAID_LABEL,
        Icon: CheckIcon,
        more: `, rest ${formatKroner(owed)}`,
      },
    isPartCredited(invoice) && { ...PART_CREDITED_LABEL, Icon: UndoIcon },
    delivery &&
      delivery.tone !== 'red' && {
        ...delivery,
        Icon: delivery.tone === 'green' ? SendIcon : ClockIcon,
      },
  ];
  return marks.filter((mark) => mark !== undefined && mark !== false);
}

function deliveryOf({ status, deliveryStatus, deliveries }: Shown): Label | undefined {
  if (status !== 'REGISTERED') return undefined;
  const last = deliveries.at(-1);
  if (last) return deliveryLabel(last);
  return deliveryStatus ? DELIVERY_STATUS_LABELS[deliveryStatus] : undefined;
}

/** Icons for paid, sent and overdue, sent, and waiting (INV-22). */
function StatusIcon({ invoice }: { invoice: Shown }) {
  const { status, deliveryStatus } = invoice;
  if (status === 'PAID') return <CheckCircleIcon />;
  if (status !== 'REGISTERED' || invoice.kind === 'CREDIT_NOTE') return null;
  if (deliveryStatus !== 'SENT') return <ClockIcon />;
  return isOverdue(invoice, todayInOslo()) ? <WarningIcon /> : <SendIcon />;
}
