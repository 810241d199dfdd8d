import { useState } from 'react';
import { Link } from 'react-router';

import { formatKroner, sumKroner } from '../../../../domain/money.ts';
import type { QueueResult } from '../../../../domain/invoice/invoice-bulk.schema.ts';
import type { Invoice } from '../../../../domain/invoice/invoice.schema.ts';
import type { ResponseOf } from '../../../../domain/api/endpoint.ts';
import type { updateInvoices } from '../../../../domain/invoice/invoice.endpoints.ts';
import { useCan, useFeature } from '../../session/session.api.ts';
import { Button } from '../../../ui/Button.tsx';
import { FootBar, FootButtons } from '../../../ui/FootBar.tsx';
import { type LeftOut, Modal, ModalButtons } from '../../../ui/Modal.tsx';
import { showCount } from '../../../lib/number-text.ts';
import { CheckIcon, CloseIcon, SendIcon, UndoIcon } from '../../../ui/icons.tsx';
import { showSuccess } from '../../../lib/toasts.ts';
import {
  undoOf,
  useQueueInvoices,
  useTryQueue,
  useUpdateInvoices,
  type PaidStatus,
} from '../invoice.api.ts';
import { countInvoices, nameOf, STATUS_LABELS } from '../invoice-labels.ts';
import styles from './BulkActions.module.css';
import { SelectAll, type Selection } from './selection.tsx';
import { PaidDialog } from '../PaidDialog.tsx';
import { UnpaidDialog, useUnpaid } from '../UnpaidDialog.tsx';
import { paths } from '../../../lib/paths.ts';
import { MendingLink } from '../MendingLink.tsx';
import { TrialQuestion } from './TrialQuestion.tsx';

export interface BulkActionsProps {
  readonly selection: Selection;
  readonly isSelecting: boolean;
  readonly onEnd: () => void;
}

type Asked = 'paid' | 'register';

export function BulkActions({ selection, isSelecting, onEnd }: BulkActionsProps) {
  const update = useUpdateInvoices();
  const queue = useQueueInvoices();
  const trial = useTryQueue();
  const hasPayments = useFeature('payments');
  const [asked, setAsked] = useState<Asked>();
  const [result, setResult] = useState<BulkOutcome>();
  const chosen = Object.groupBy(selection.chosen, ({ status }) => status);
  const { DRAFT: drafts = [], REGISTERED: registered = [], PAID: paid = [] } = chosen;
  const done = () => {
    setAsked(undefined);
    onEnd();
  };
  const mark = (status: PaidStatus, before: readonly Invoice[], paidDate: string | null = null) =>
    update.mutate(
      { markings: [{ uuids: before.map(({ uuid }) => uuid), status, paidDate }] },
      {
        onSuccess: ({ updated, skipped }) => {
          done();
          const undone = before.filter(({ uuid }) => updated.includes(uuid));
          const undoing = undoOf(undone, hasPayments);
          const undo = undoing ? () => update.mutate(undoing) : undefined;
          const title = `${countInvoices(updated.length)} satt til ${status === 'PAID' ? 'betalt' : 'ikke betalt'}`;
          if (skipped.length === 0) showSuccess(title, { onUndo: undo });
          else setResult({ title, skipped: named(skipped, before), undo });
        },
      },
    );
  const unpaid = useUnpaid((invoices) => mark('REGISTERED', invoices));
  const uuids = drafts.map(({ uuid }) => uuid);
  const register = () =>
    queue.mutate(
      { some: uuids },
      {
        onSuccess: ({ registered, skipped }) => {
          done();
          if (skipped.length === 0) return;
          const title = `${countInvoices(registered.length)} registrert`;
          setResult({ title, skipped: named(skipped, drafts) });
        },
      },
    );
  return (
    <>
      {isSelecting || selection.chosen.length > 0 ? (
        <Bar
          {...{ selection, onEnd }}
          pending={update.isPending || queue.isPending || trial.isPending || unpaid.isPending}
          onPaid={registered.length > 0 ? () => setAsked('paid') : undefined}
          onUnpaid={paid.length > 0 ? () => unpaid.start(paid) : undefined}
          onRegister={
            drafts.length > 0
              ? () => trial.mutate(uuids, { onSuccess: () => setAsked('register') })
              : undefined
          }
        />
      ) : null}
      <PaidDialog
        open={asked === 'paid'}
        invoices={registered}
        leftOut={othersThan(registered, selection.chosen)}
        pending={update.isPending}
        onClose={() => setAsked(undefined)}
        onPaid={(date) => mark('PAID', registered, date)}
      />
      <TrialQuestion
        trial={trial.data}
        open={asked === 'register'}
        pending={queue.isPending}
        onClose={() => setAsked(undefined)}
        onConfirm={register}
      />
      <UnpaidDialog {...unpaid.dialog} leftOut={othersThan(paid, selection.chosen)} />
      <BulkResult result={result} onClose={() => setResult(undefined)} />
    </>
  );
}

function named(skipped: readonly Skipped[], invoices: readonly Invoice[]): BulkOutcome['skipped'] {
  return skipped.flatMap((left) => {
    const invoice = invoices.find(({ uuid }) => uuid === left.uuid);
    return invoice ? [{ invoice, left }] : [];
  });
}

/** The chosen invoices that an action does not change, because of their status. */
function othersThan(changed: readonly Invoice[], chosen: readonly Invoice[]): LeftOut | undefined {
  const others = chosen.filter((invoice) => !changed.includes(invoice));
  if (others.length === 0) return undefined;
  return {
    text: `${showCount(others.length)} av de valgte blir ikke endret.`,
    items: others.map((invoice) => ({
      key: invoice.uuid,
      name: `${titleOf(invoice)}: ${STATUS_LABELS[invoice.status].text.toLowerCase()}`,
    })),
  };
}

/** The amount due, such as '123 625,75 kr'; adds 'å betale' when it differs from the gross amount. */
function dueOf(invoices: readonly Invoice[]): string {
  const due = sumKroner(invoices.map(({ amountDue }) => amountDue));
  const gross = sumKroner(invoices.map(({ grossAmount }) => grossAmount));
  return due === gross ? `${formatKroner(due)} kr` : `${formatKroner(due)} kr å betale`;
}

/** The actions are undefined when no selected invoice has the status for them. */
interface BarProps extends Pick<BulkActionsProps, 'selection' | 'onEnd'> {
  readonly pending: boolean;
  readonly onPaid: (() => void) | undefined;
  readonly onUnpaid: (() => void) | undefined;
  readonly onRegister: (() => void) | undefined;
}

function Bar(props: BarProps) {
  const { selection, pending, onEnd, onPaid, onUnpaid, onRegister } = props;
  const { chosen } = selection;
  const canPay = useCan('payments');
  const canIssue = useCan('issue');
  return (
    <FootBar label="Valgte fakturaer">
      <div className={styles.all}>
        <SelectAll selection={selection} label="Velg alle" />
      </div>
      <p className="row gap-2 numeric">
        <span className="strong">{`${showCount(chosen.length)} valgt`}</span>
        {chosen.length > 0 ? <span className="soft">{dueOf(chosen)}</span> : null}
      </p>
      <FootButtons>
        {canPay && onPaid ? (
          <Button icon={<CheckIcon />} pending={pending} onClick={onPaid}>
            Sett til betalt
          </Button>
        ) : null}
        {canPay && onUnpaid ? (
          <Button icon={<UndoIcon />} pending={pending} onClick={onUnpaid}>
            Ikke betalt
          </Button>
        ) : null}
        {canIssue && onRegister ? (
          <Button icon={<SendIcon />} pending={pending} onClick={onRegister}>
            Registrer valgte
          </Button>
        ) : null}
        <Button variant="quiet" icon={<CloseIcon />} onClick={onEnd}>
          Avbryt valg
        </Button>
      </FootButtons>
    </FootBar>
  );
}

type Skipped =
  | ResponseOf<typeof updateInvoices>['skipped'][number]
  | QueueResult['skipped'][number];

interface BulkOutcome {
  readonly title: string;
  readonly skipped: readonly { readonly invoice: Invoice; readonly left: Skipped }[];
  /** Undoes the change. Absent when that is not possible. */
  readonly undo?: (() => void) | undefined;
}

function BulkResult({ result, onClose }: { result: BulkOutcome | undefined; onClose: () => void }) {
  const { title = '', skipped = [], undo } = result ?? {};
  return (
    <Modal
      title={title}
      description={`${skipped.length} ble ikke endret:`}
      open={result !== undefined}
      onClose={onClose}
    >
      <ul className="stack gap-2 scrolls">
        {skipped.map(({ invoice, left }) => (
          <li key={invoice.uuid}>
            <Link to={paths.invoice(invoice.invoiceNumber ?? invoice.uuid)}>
              {titleOf(invoice)}
            </Link>
            <p className="note">
              {left.message.replace(/\.?$/, '. ')}
              {'mendedAt' in left ? <MendingLink draft={left} /> : null}
            </p>
          </li>
        ))}
      </ul>
      <ModalButtons>
        {undo ? (
          <Button
            onClick={() => {
              onClose();
              undo();
            }}
          >
            Angre
          </Button>
        ) : null}
        <Button variant="primary" onClick={onClose}>
          Lukk
        </Button>
      </ModalButtons>
    </Modal>
  );
}

/** For example 'Faktura 12, Nordnes Kaffebar'. */
function titleOf(invoice: Invoice): string {
  const name = nameOf(invoice);
  const start = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return invoice.invoiceNumber === null ? start : `${start}, ${invoice.customerName}`;
}
