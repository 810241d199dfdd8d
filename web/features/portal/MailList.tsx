import { formatInstant } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import type { StatementDelivery } from '../../../domain/portal/statement.schema.ts';
import { type Label, LabelBadge } from '../../ui/Badge.tsx';

/** The latest of them. */
const SHOWN = 5;

const LABELS: Readonly<Record<StatementDelivery['status'], Label>> = {
  QUEUED: { tone: 'amber', text: 'Sendes' },
  SENT: { tone: 'green', text: 'Sendt' },
  FAILED: { tone: 'red', text: 'Kom ikke fram' },
};

interface MailListProps {
  readonly label: string;
  /** The latest first. */
  readonly deliveries: readonly StatementDelivery[];
}

/** Mails of a document that is no invoice, and what became of them. */
export function MailList({ label, deliveries }: MailListProps) {
  if (deliveries.length === 0) return null;
  return (
    <ul className="divided" aria-label={label}>
      {deliveries.slice(0, SHOWN).map((delivery) => (
        <li key={delivery.uuid} className="row between gap-2">
          <div>
            {delivery.recipients.map(({ address, reason }) => (
              <div key={address}>
                {readableEmail(address)}
                {reason ? <p className="note">{reason}</p> : null}
              </div>
            ))}
            {delivery.sentTime ? <p className="note">{formatInstant(delivery.sentTime)}</p> : null}
          </div>
          <LabelBadge label={LABELS[delivery.status]} />
        </li>
      ))}
    </ul>
  );
}
