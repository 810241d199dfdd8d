import { useState } from 'react';
import { Link } from 'react-router';

import { May } from '../session/Allowed.tsx';
import { formatDate } from '../../../domain/date.ts';
import { REMINDER_NAMES } from '../../../domain/document/reminder-document.ts';
import { differenceKroner, formatKroner, sumKroner } from '../../../domain/money.ts';
import type { Proposal, SentReminders } from '../../../domain/reminder/reminder.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Modal.tsx';
import { countOf, showCount, showKroner } from '../../lib/number-text.ts';
import { SendIcon } from '../../ui/icons.tsx';
import { paths } from '../../lib/paths.ts';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { Pages } from '../../ui/Pager.tsx';
import { Card } from '../../ui/Surface.tsx';
import { useSendReminders } from './reminder.api.ts';
import styles from './ReadyCard.module.css';

export const INVOICE: ListColumn<Proposal> = {
  heading: 'Faktura',
  width: '92px',
  numeric: true,
  cell: ({ invoiceNumber }) => (
    <Link to={paths.invoice(invoiceNumber)} aria-label={`Faktura ${invoiceNumber}`}>
      {invoiceNumber}
    </Link>
  ),
};

export const DUE: ListColumn<Proposal> = {
  heading: 'Forfalt',
  width: '132px',
  numeric: true,
  cell: ({ dueDate, daysLate }) => (
    <div className="stack gap-0">
      {formatDate(dueDate)}
      <span className="aside">{countOf(daysLate, 'dag', 'dager')} siden</span>
    </div>
  ),
};

export const LEFT: ListColumn<Proposal> = {
  heading: 'Gjenstår',
  width: '116px',
  align: 'end',
  cell: ({ amountDue }) => formatKroner(amountDue),
};

const COLUMNS: readonly ListColumn<Proposal>[] = [
  INVOICE,
  DUE,
  {
    heading: 'Sendes nå',
    width: '190px',
    cell: ({ kind, newDueDate, recipient }) => (
      <div className="stack gap-0">
        {REMINDER_NAMES[kind]}
        <span className="aside">
          Frist {formatDate(newDueDate)}
          {recipient === null ? ', til utskrift' : null}
        </span>
      </div>
    ),
  },
  LEFT,
  {
    heading: 'Gebyr og rente',
    width: '128px',
    align: 'end',
    cell: (proposal) => formatKroner(extraOf(proposal)),
  },
  {
    heading: 'Å betale',
    width: '126px',
    align: 'end',
    cell: ({ amount, amountDue }) => <strong>{formatKroner(amount ?? amountDue)}</strong>,
  },
];

/** The customer, with a checkbox that selects the reminder. */
function choiceColumn(
  chosen: ReadonlySet<string>,
  onToggle: (proposal: Proposal, isChosen: boolean) => void,
): ListColumn<Proposal> {
  return {
    heading: 'Kunde',
    kind: 'main',
    cell: (proposal) => (
      <label className="check">
        <input
          type="checkbox"
          checked={chosen.has(proposal.invoiceUuid)}
          onChange={(event) => onToggle(proposal, event.target.checked)}
        />
        <span>
          {proposal.customerName}
          <span className="visually-hidden">, faktura {proposal.invoiceNumber}</span>
        </span>
      </label>
    ),
  };
}

export interface Sending {
  readonly result: SentReminders;
  /** As they were when selected. */
  readonly proposals: readonly Proposal[];
}

interface ReadyCardProps {
  readonly proposals: readonly Proposal[];
  readonly onSent: (sending: Sending) => void;
}

export function ReadyCard({ proposals, onSent }: ReadyCardProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // Reminders that can no longer be sent are not selected.
  const picked = proposals.filter(({ invoiceUuid }) => chosen.has(invoiceUuid));
  const toggle = ({ invoiceUuid }: Proposal, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(invoiceUuid);
    else next.delete(invoiceUuid);
    setChosen(next);
  };
  if (proposals.length === 0) return null;
  return (
    <Card flush heading="Kan sendes nå">
      {proposals.length > 1 ? (
        <div className={styles.all}>
          <label className="check">
            <input
              ref={(box) => {
                if (box) box.indeterminate = picked.length > 0 && picked.length < proposals.length;
              }}
              type="checkbox"
              checked={picked.length === proposals.length}
              onChange={({ target }) => {
                const all = target.checked ? proposals : [];
                setChosen(new Set(all.map(({ invoiceUuid }) => invoiceUuid)));
              }}
            />
            Velg alle {showCount(proposals.length)}
          </label>
        </div>
      ) : null}
      <Pages items={proposals}>
        {(items) => (
          <ListTable
            label="Kan sendes nå"
            columns={[choiceColumn(chosen, toggle), ...COLUMNS]}
            keyOf={({ invoiceUuid }) => invoiceUuid}
            items={items}
          />
        )}
      </Pages>
      <May permission="payments">
        <SendBar proposals={picked} onSent={onSent} />
      </May>
    </Card>
  );
}

/** The amount asked for beyond the invoice's amount due, in kroner. */
function extraOf({ amount, amountDue }: Proposal): number {
  return differenceKroner(amount ?? amountDue, amountDue);
}

/** 'Én purring', '3 purringer'. */
export function countReminders(count: number): string {
  return count === 1 ? 'Én purring' : `${showCount(count)} purringer`;
}

function SendBar({ proposals: picked, onSent }: ReadyCardProps) {
  const send = useSendReminders();
  const [isAsking, setAsking] = useState(false);
  const sum = sumKroner(picked.map(({ amount }) => amount ?? 0));
  const extra = sumKroner(picked.map(extraOf));
  const count = countReminders(picked.length);
  const total = showKroner(sum);
  const printed = picked.filter(({ recipient }) => recipient === null).length;
  // `mutateAsync`, since this bar unmounts with the last reminder and `mutate` callbacks would not run.
  const confirm = () => {
    send
      .mutateAsync(picked.map(({ invoiceUuid }) => invoiceUuid))
      .then((result) => onSent({ result, proposals: picked }))
      .catch(() => undefined)
      .finally(() => setAsking(false));
  };
  return (
    <div className={`row ends foot ${styles.bar}`} data-foot>
      <p className="numeric" aria-live="polite">
        {picked.length === 0 ? 'Velg hvem som skal purres.' : `${count}, ${total}`}
      </p>
      <Button
        variant="primary"
        icon={<SendIcon />}
        disabled={picked.length === 0}
        onClick={() => setAsking(true)}
      >
        Send valgte
      </Button>
      <ConfirmDialog
        title={`Sende ${count.toLowerCase()}, ${total}?`}
        confirmLabel={send.isPending ? `Sender ${count.toLowerCase()} …` : 'Send'}
        confirmVariant="primary"
        open={isAsking}
        pending={send.isPending}
        onClose={() => setAsking(false)}
        onConfirm={confirm}
      >
        {extra > 0 ? <p>{showKroner(extra)} av det er gebyr og rente.</p> : null}
        {printed > 0 ? (
          <p>{countReminders(printed)} blir til utskrift, for kunden mangler e-post.</p>
        ) : null}
        <p>Det som er betalt i mellomtiden, blir ikke purret.</p>
      </ConfirmDialog>
    </div>
  );
}
