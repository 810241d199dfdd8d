import { formatDate } from '../../../domain/date.ts';
import type { InvoicePage, QueueResult } from '../../../domain/invoice/invoice.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { SendIcon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { useQueueInvoices, useSendInvoices } from '../invoice.mutations.ts';
import styles from './RegisterBar.module.css';

type Summary = InvoicePage['summary'];

interface RegisterBarProps {
  /** Undefined while it is being fetched. */
  readonly summary: Summary | undefined;
  readonly isStaff: boolean;
}

/** How many have been sent, and what sends more. */
export function RegisterBar({ summary, isStaff }: RegisterBarProps) {
  const queue = useQueueInvoices();
  const send = useSendInvoices();
  const drafts = summary?.drafts ?? 0;
  return (
    <section className={styles.bar} aria-label="Utsending">
      <SentStat summary={summary} />
      <div className={styles.buttons}>
        <Button
          variant="primary"
          wide
          icon={<SendIcon />}
          disabled={drafts === 0}
          pending={queue.isPending}
          onClick={() => queue.mutate(undefined)}
        >
          Registrer og send faktura
        </Button>
        {isStaff ? (
          <Button
            wide
            disabled={(summary?.registered ?? 0) === 0}
            pending={send.isPending}
            onClick={() => send.mutate()}
          >
            Send fakturaer
          </Button>
        ) : null}
      </div>
      <div className={styles.outcome} aria-live="polite">
        {queue.isPending ? <Registering drafts={drafts} /> : null}
        {queue.data ? <Skipped result={queue.data} /> : null}
      </div>
    </section>
  );
}

function SentStat({ summary }: { summary: Summary | undefined }) {
  return (
    <dl className={styles.stat}>
      <dt className={styles.statLabel}>Sendte fakturaer</dt>
      <dd className={styles.statValue}>
        {summary ? summary.sent.toLocaleString('nb-NO') : <Skeleton width="48px" />}
      </dd>
      <dd className={styles.statHelp}>
        {summary ? <SentPeriod summary={summary} /> : <Skeleton width="168px" />}
      </dd>
    </dl>
  );
}

function SentPeriod({ summary: { sentFrom, sentTo } }: { summary: Summary }) {
  if (!sentFrom || !sentTo) return 'Ingen er sendt ennå';
  return `${formatDate(sentFrom)} – ${formatDate(sentTo)}`;
}

function Registering({ drafts }: { drafts: number }) {
  return (
    <div className={styles.progress}>
      <p>
        Registrerer {drafts === 1 ? 'ett utkast' : `${drafts.toLocaleString('nb-NO')} utkast`} …
      </p>
      <progress aria-label="Registrerer" className={styles.track} />
    </div>
  );
}

function Skipped({ result: { skipped } }: { result: QueueResult }) {
  if (skipped.length === 0) return null;
  return (
    <Alert
      tone="warning"
      title={skipped.length === 1 ? 'Ett utkast står igjen' : `${skipped.length} utkast står igjen`}
    >
      <ul className={styles.skipped}>
        {skipped.map((draft) => (
          <li key={draft.uuid}>
            {draft.customerName}: {draft.message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
