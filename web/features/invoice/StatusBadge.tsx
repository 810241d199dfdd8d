import type { ComponentType, ReactNode } from 'react';

import { daysBetween, todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { countOf } from '../../lib/count.ts';
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
}

/**
 * The status of an invoice and, while it is registered, of its delivery. Problems come before normal states, because a
 * list on a phone cuts off badges that do not fit.
 */
export function StatusBadge({ invoice, showsPayments, showsDisputes = false }: StatusBadgeProps) {
  const isPart = showsPayments && isPartPaid(invoice);
  const label = isPart ? PART_PAID_LABEL : STATUS_LABELS[invoice.status];
  return (
    <span className="row gap-1">
      <Badge tone={label.tone} icon={<StatusIcon invoice={invoice} />}>
        {invoice.kind === 'CREDIT_NOTE' ? 'Kreditnota' : label.text}
      </Badge>
      {marksOf(invoice, showsDisputes, false).map((mark) => (
        <LabelBadge key={mark.text} label={mark} />
      ))}
    </span>
  );
}

interface Mark extends Label {
  readonly Icon: ComponentType;
  /** After the text where no column says the same. */
  readonly more?: ReactNode;
}

/** One badge with what matters most, and the rest as icons with names: for a list with payments. */
export function StatusPill({
  invoice,
  showsDisputes = false,
}: Omit<StatusBadgeProps, 'showsPayments'>) {
  const isClaim = invoice.status === 'REGISTERED' && invoice.kind === 'INVOICE';
  const [first, ...others] = isClaim ? marksOf(invoice, showsDisputes, true) : [];
  if (!first) return <StatusBadge invoice={invoice} showsPayments />;
  return (
    <span className="row gap-1">
      <Badge tone={first.tone} icon={<first.Icon />}>
        {first.text}
        {first.more}
      </Badge>
      {others.map(({ text, tone, Icon }) => (
        <span key={text} title={text} className={`toned ${styles.mark}`} data-tone={tone}>
          <Icon />
          <span className="visually-hidden">{text}</span>
        </span>
      ))}
    </span>
  );
}

/** The states of an invoice besides its status, the most important first. */
function marksOf(invoice: Shown, showsDisputes: boolean, showsPartPaid: boolean): readonly Mark[] {
  const delivery = deliveryOf(invoice);
  const today = todayInOslo();
  const marks: readonly (Mark | false | undefined)[] = [
    delivery?.tone === 'red' && { ...delivery, Icon: CloseIcon },
    isOverdue(invoice, today) && {
      tone: 'red',
      text: 'Forfalt',
      Icon: WarningIcon,
      more: (
        <span className={styles.days}>
          {countOf(daysBetween(invoice.dueDate, today), 'dag', 'dager')}
        </span>
      ),
    },
    showsDisputes && invoice.disputed && { tone: 'amber', text: 'Bestridt', Icon: InfoIcon },
    showsPartPaid && isPartPaid(invoice) && { ...PART_PAID_LABEL, Icon: CheckIcon },
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
