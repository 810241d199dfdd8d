import { todayInOslo } from '../../../domain/date.ts';
import type { Invoice } from '../../../domain/invoice/invoice.schema.ts';
import { Badge } from '../../ui/Badge.tsx';
import { CheckCircleIcon, ClockIcon, SendIcon, WarningIcon } from '../../ui/icons.tsx';
import {
  deliveryLabel,
  DELIVERY_STATUS_LABELS,
  PART_PAID_LABEL,
  STATUS_LABELS,
} from './invoice-labels.ts';
import { isOverdue } from './overdue.ts';
import { isPartPaid } from './part-paid.ts';
import styles from './StatusBadge.module.css';

type Shown = Pick<
  Invoice,
  'kind' | 'status' | 'deliveryStatus' | 'dueDate' | 'grossAmount' | 'paidAmount' | 'disputed'
> & { readonly deliveries: readonly Parameters<typeof deliveryLabel>[0][] };

interface StatusBadgeProps {
  readonly invoice: Shown;
  /** Whether to show that a part is paid. */
  readonly showsPayments: boolean;
  /** Whether to show that the customer disputes the invoice. */
  readonly showsDisputes?: boolean;
}

/**
 * The status of an invoice and, while it is registered, of its delivery. Problems come before normal states, because a
 * list on a phone cuts off badges that do not fit.
 */
export function StatusBadge({ invoice, showsPayments, showsDisputes = false }: StatusBadgeProps) {
  const isPart = showsPayments && isPartPaid(invoice);
  const label = isPart ? PART_PAID_LABEL : STATUS_LABELS[invoice.status];
  const delivery = invoice.status === 'REGISTERED' ? deliveryOf(invoice) : undefined;
  const overdue = isOverdue(invoice, todayInOslo());
  return (
    <span className={styles.badges}>
      <Badge tone={label.tone} icon={<StatusIcon invoice={invoice} overdue={overdue} />}>
        {invoice.kind === 'CREDIT_NOTE' ? 'Kreditnota' : label.text}
      </Badge>
      {delivery?.tone === 'red' ? <Badge tone="red">{delivery.text}</Badge> : null}
      {overdue ? <Badge tone="red">Forfalt</Badge> : null}
      {showsDisputes && invoice.disputed ? <Badge tone="amber">Bestridt</Badge> : null}
      {delivery && delivery.tone !== 'red' ? (
        <Badge tone={delivery.tone}>{delivery.text}</Badge>
      ) : null}
    </span>
  );
}

function deliveryOf({ deliveryStatus, deliveries }: Shown) {
  const last = deliveries.at(-1);
  if (last) return deliveryLabel(last);
  return deliveryStatus ? DELIVERY_STATUS_LABELS[deliveryStatus] : undefined;
}

/** Icons for paid, sent and overdue, sent, and waiting (INV-22). */
function StatusIcon({ invoice, overdue }: { invoice: Shown; overdue: boolean }) {
  const { status, deliveryStatus } = invoice;
  if (status === 'PAID') return <CheckCircleIcon size={16} />;
  if (status !== 'REGISTERED' || invoice.kind === 'CREDIT_NOTE') return null;
  if (deliveryStatus !== 'SENT') return <ClockIcon size={16} />;
  return overdue ? <WarningIcon size={16} /> : <SendIcon size={16} />;
}
