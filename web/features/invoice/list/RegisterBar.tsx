import type { ReactNode } from 'react';

import { May } from '../../session/Allowed.tsx';
import { formatDate } from '../../../../domain/date.ts';
import type { InvoicePage } from '../../../../domain/invoice/invoice-list.schema.ts';
import type { QueueResult } from '../../../../domain/invoice/invoice.schema.ts';
import { formatKroner, isKroner } from '../../../../domain/money.ts';
import { Alert } from '../../../ui/Alert.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog, useQuestion } from '../../../ui/ConfirmDialog.tsx';
import { showCount } from '../../../lib/count.ts';
import { SendIcon } from '../../../ui/icons.tsx';
import { Skeleton } from '../../../ui/Surface.tsx';
import { UnprintableNotice } from '../../../ui/UnprintableNotice.tsx';
import { useQueueInvoices, useSendInvoices } from '../invoice.api.ts';
import { countDrafts } from '../invoice-labels.ts';
import { MendingLink } from '../MendingLink.tsx';
import sums from '../../payment/OwedSums.module.css';
import surface from '../../../ui/Surface.module.css';
import styles from './RegisterBar.module.css';

type Summary = InvoicePage['summary'];

interface RegisterBarProps {
  readonly summary: Summary | undefined;
  readonly isStaff: boolean;
  /** Shown beside the number of sent invoices. */
  readonly children?: ReactNode;
}

/** The number of sent invoices, and the buttons that send more. */
export function RegisterBar({ summary, isStaff, children }: RegisterBarProps) {
  const send = useSendInvoices();
  const queue = useQueueInvoices();
  const { ask, dialog } = useQuestion();
  const drafts = summary?.drafts ?? 0;
  const hinted = summary?.hinted ?? 0;
  const isDoubtful = hinted > 0 || (summary?.unprintable.length ?? 0) > 0;
  // Confirms several drafts, since each takes a credit note to undo, hints, and lost characters, since they cannot be
  // added later.
  const register = async () => {
    if ((drafts <= 1 && !isDoubtful) || (await ask())) queue.mutate({});
  };
  return (
    <section className={`row ${surface.card} ${styles.bar}`} aria-label="Utsending">
      <div className={`row ${styles.stats}`}>
        <SentStat summary={summary} />
        {children}
      </div>
      <div className={`row ${styles.buttons}`}>
        {summary && drafts > 0 ? <Drafts summary={summary} /> : null}
        <May permission="issue">
          <Button
            variant="primary"
            wide
            icon={<SendIcon />}
            disabled={drafts === 0}
            pending={queue.isPending}
            aria-describedby={drafts > 0 ? 'register-plan' : undefined}
            onClick={() => void register()}
          >
            Registrer og send faktura
          </Button>
        </May>
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
      <div className={`unless-empty ${styles.outcome}`} aria-live="polite">
        {queue.isPending ? <Registering drafts={drafts} /> : null}
        {queue.data ? <Skipped result={queue.data} /> : null}
      </div>
      <ConfirmDialog
        title="Registrere og sende?"
        confirmLabel="Registrer og send"
        confirmVariant="primary"
        {...dialog}
      >
        <p>{summary ? `${planOf(summary)}.` : null}</p>
        {hinted > 0 ? <p>{hintOf(hinted)}</p> : null}
        <UnprintableNotice content={summary?.unprintable} />
        <p>Fakturaene får nummer og kan ikke endres eller slettes etterpå, bare krediteres.</p>
      </ConfirmDialog>
    </section>
  );
}

function Drafts({ summary }: { summary: Summary }) {
  return (
    <div className="grow">
      <Alert compact>
        {summary.drafts === 1
          ? 'Du har ett utkast som ikke er registrert og sendt.'
          : `Du har ${showCount(summary.drafts)} utkast som ikke er registrert og sendt.`}{' '}
        <span id="register-plan" className="numeric">
          {planOf(summary)}
        </span>
      </Alert>
    </div>
  );
}

/** For example '3 utkast, 2 på e-post, 1 312,50 kr', then the number of drafts that cannot be registered yet. */
function planOf({ drafts, queueable }: Summary): string {
  if (!queueable) return `${showCount(drafts)} utkast`;
  const left = drafts - queueable.drafts;
  if (queueable.drafts === 0) return 'Ingen utkast kan registreres ennå';
  const { grossAmount } = queueable;
  const sum = isKroner(grossAmount) ? `, ${formatKroner(grossAmount)} kr` : '';
  const plan = `${countDrafts(queueable.drafts, queueable.emails)}${sum}`;
  return left === 0 ? plan : `${plan}. ${showCount(left)} utkast kan ikke registreres ennå`;
}

/** The page of each such draft says what is to be looked over (VAT-12). */
function hintOf(hinted: number): string {
  return hinted === 1
    ? 'Ett utkast har noe å se over før det registreres. Det står på utkastets side.'
    : `${showCount(hinted)} utkast har noe å se over før de registreres. Det står på utkastenes sider.`;
}

function SentStat({ summary }: { summary: Summary | undefined }) {
  return (
    <dl className={`${sums.sum} ${styles.sent}`}>
      <dt className="note">Sendte fakturaer</dt>
      <dd className={`numeric figure ${sums.amount}`}>
        {summary ? showCount(summary.sent) : <Skeleton width="48px" />}
      </dd>
      <dd className="aside numeric">
        {summary ? sentPeriod(summary) : <Skeleton width="168px" />}
      </dd>
    </dl>
  );
}

function sentPeriod({ sentFrom, sentTo }: Summary): string {
  if (!sentFrom || !sentTo) return 'Ingen er sendt ennå';
  return `${formatDate(sentFrom)} – ${formatDate(sentTo)}`;
}

function Registering({ drafts }: { drafts: number }) {
  return (
    <div className="note">
      <p>Registrerer {drafts === 1 ? 'ett utkast' : `${showCount(drafts)} utkast`} …</p>
      <progress aria-label="Registrerer" />
    </div>
  );
}

function Skipped({ result: { skipped } }: { result: QueueResult }) {
  if (skipped.length === 0) return null;
  return (
    <Alert
      tone="warning"
      title={
        skipped.length === 1
          ? 'Ett utkast står igjen'
          : `${showCount(skipped.length)} utkast står igjen`
      }
    >
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
