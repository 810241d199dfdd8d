import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';

import { May } from '../../session/Allowed.tsx';
import { formatDate } from '../../../../domain/date.ts';
import type { InvoicePage, ListedStatus } from '../../../../domain/invoice/invoice-list.schema.ts';
import type { QueueResult } from '../../../../domain/invoice/invoice-bulk.schema.ts';
import { formatKroner, isKroner } from '../../../../domain/money.ts';
import { Alert, Skeleton } from '../../../ui/Surface.tsx';
import { Button } from '../../../ui/Button.tsx';
import { laterCode } from '../../../lib/later-code.ts';
import { showCount } from '../../../lib/number-text.ts';
import { paths } from '../../../lib/paths.ts';
import { SendIcon } from '../../../ui/icons.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';
import { useQueueInvoices, useSendInvoices, useTryQueue } from '../invoice.api.ts';
import { MendingLink } from '../MendingLink.tsx';
import { NotArrived } from '../NotArrived.tsx';
import { OwedSums } from '../../payment/OwedSums.tsx';
import sums from '../../payment/OwedSums.module.css';
import surface from '../../../ui/Surface.module.css';
import styles from './RegisterBar.module.css';

type Summary = InvoicePage['summary'];

interface Registering {
  /** 'Registrer og send faktura', and for staff 'Send fakturaer'. */
  readonly buttons: ReactNode;
  /** How far it is, and what stayed. */
  readonly outcome: ReactNode;
}

const questionCode = laterCode(async () => import('./TrialQuestion.tsx'));

/** Registers and sends all drafts. @param isWide whether there is room for a second prominent button */
export function useRegistering(
  summary: Summary | undefined,
  isStaff: boolean,
  isWide: boolean,
): Registering {
  const send = useSendInvoices();
  const queue = useQueueInvoices();
  const trial = useTryQueue();
  const [isAsking, setAsking] = useState(false);
  const question = useLaterCode(questionCode, {
    isNeeded: isAsking,
    what: 'Dialogen',
    onFailure: () => setAsking(false),
  });
  const drafts = summary?.drafts ?? 0;
  // Confirms several drafts, since each takes a credit note to undo, hints, another way than the draft's, and lost
  // characters, since they cannot be added later.
  const register = () =>
    trial.mutate(null, {
      onSuccess: ({ unprintable, hinted, changed, otherWay }) => {
        const isPlain = !hinted && !unprintable?.length && !changed?.length && !otherWay;
        if (drafts <= 1 && isPlain) queue.mutate({});
        else setAsking(true);
      },
    });
  const confirm = () => {
    setAsking(false);
    queue.mutate({});
  };
  return {
    buttons: (
      <>
        <May permission="issue">
          <Button
            variant={isWide ? 'primary' : 'secondary'}
            icon={<SendIcon />}
            disabled={drafts === 0 || summary?.queueable?.drafts === 0}
            pending={queue.isPending || trial.isPending}
            aria-describedby={drafts > 0 ? 'register-plan' : undefined}
            onClick={register}
          >
            Registrer og send faktura
          </Button>
        </May>
        {isStaff ? (
          <Button
            disabled={(summary?.registered ?? 0) === 0}
            pending={send.isPending}
            onClick={() => send.mutate()}
          >
            Send fakturaer
          </Button>
        ) : null}
      </>
    ),
    outcome: (
      <>
        <div className="unless-empty" aria-live="polite">
          {queue.isPending ? (
            <div className="note">
              <p>Registrerer {countOr('ett', drafts)} utkast …</p>
              <progress aria-label="Registrerer" />
            </div>
          ) : null}
          {queue.data ? <Skipped result={queue.data} /> : null}
        </div>
        {question ? (
          <question.TrialQuestion
            trial={trial.data}
            open={isAsking}
            onClose={() => setAsking(false)}
            onConfirm={confirm}
          />
        ) : null}
      </>
    ),
  };
}

/** The sums owed, the number sent, and the drafts. */
export function ListFigures({
  summary,
  onStatus,
  notArrived,
  children,
}: {
  readonly summary: Summary | undefined;
  readonly onStatus?: (status: ListedStatus) => void;
  /** How many to say that they did not arrive. */
  readonly notArrived?: number | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <section className={`row ${surface.card} ${styles.bar}`} aria-label="Utsending">
      <OwedSums summary={summary} onStatus={onStatus}>
        <div className={`${sums.sum} ${styles.sent}`}>
          <dt className="note">Sendte fakturaer</dt>
          <dd className={`numeric figure ${sums.amount}`}>
            {summary ? showCount(summary.sent) : <Skeleton width="48px" />}
          </dd>
          <dd className="aside numeric">
            {summary ? sentPeriod(summary) : <Skeleton width="168px" />}
          </dd>
        </div>
      </OwedSums>
      <div className={`grow stack gap-0 unless-empty ${styles.notices}`}>
        {summary && summary.drafts > 0 ? (
          <Alert compact>
            <span id="register-plan" className="numeric">
              {planOf(summary)}
            </span>
          </Alert>
        ) : null}
        <NotArrived count={notArrived} />
      </div>
      {children}
    </section>
  );
}

/** For example '3 utkast kan sendes (1 312,50 kr). Ett mangler noe' */
function planOf({ drafts, queueable }: Summary): ReactNode {
  if (!queueable) return `${showCount(drafts)} utkast er ikke registrert og sendt.`;
  const { drafts: ready, emails, grossAmount } = queueable;
  const left = drafts - ready;
  const sum = isKroner(grossAmount) ? ` (${formatKroner(grossAmount)} kr)` : '';
  const some = emails > 0 && emails < ready ? `, ${showCount(emails)} av dem på e-post` : '';
  return (
    <>
      {ready > 0
        ? `${countOr('Ett', ready)} utkast kan ${emails > 0 ? 'sendes' : 'registreres'}${sum}${some}. `
        : null}
      {left > 0 ? (
        <Link to={paths.invoicesWhere({ status: 'DRAFT' })}>
          {`${countOr('Ett', left)}${ready > 0 ? '' : ' utkast'} mangler noe`}
        </Link>
      ) : null}
    </>
  );
}

function countOr(one: string, count: number): string {
  return count === 1 ? one : showCount(count);
}

function sentPeriod({ sentFrom, sentTo }: Summary): string {
  if (!sentFrom || !sentTo) return 'Ingen er sendt ennå';
  return `${formatDate(sentFrom)} – ${formatDate(sentTo)}`;
}

function Skipped({ result: { skipped } }: { result: QueueResult }) {
  if (skipped.length === 0) return null;
  return (
    <Alert tone="warning" title={`${countOr('Ett', skipped.length)} utkast står igjen`}>
      <ul className="stack gap-1">
        {skipped.map((draft) => (
          <li key={draft.uuid}>
            {draft.customerName}: {draft.message}. <MendingLink draft={draft} />
          </li>
        ))}
      </ul>
    </Alert>
  );
}
