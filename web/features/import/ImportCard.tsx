import type { ComponentType, ReactNode } from 'react';

import { Alert, Card } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { countOf, showCount } from '../../lib/number-text.ts';
import { Checkbox } from '../../ui/Field.tsx';
import type { Found, ImportKind, ListedRow, Words } from './import-kind.ts';
import { type Checked, useImport } from './import.api.ts';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import type { SourcedRow } from './rows.ts';

/** The choice whether known records are saved over. */
interface UpdateWish {
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

/** Questions and notices of one kind of records. */
export interface ImportExtras<R extends ListedRow, F extends Found> {
  readonly Notice?: ComponentType<Checked<R, F>>;
  /** Further fields of the request. */
  readonly more?: object;
  /** Whether something is still to be filled in. */
  readonly isUnfinished?: boolean;
  /** Choices for the rows as they were written in the list. */
  readonly children?: (written: readonly SourcedRow<R>[]) => ReactNode;
}

export interface ImportCardProps<R extends ListedRow, F extends Found> extends ImportExtras<R, F> {
  readonly kind: ImportKind<R, F>;
  readonly checked: Checked<R, F>;
  readonly written: readonly SourcedRow<R>[];
  readonly isChecking: boolean;
  readonly skipped: number;
  readonly update: UpdateWish;
  readonly onTakeBack: () => void;
  readonly onImported: (result: F) => void;
}

export function ImportCard<R extends ListedRow, F extends Found>(props: ImportCardProps<R, F>) {
  const { kind, checked, isChecking, skipped, update, onImported, isUnfinished, Notice } = props;
  const { rows, found } = checked;
  const { words } = kind;
  const { one, many } = words;
  const faulty = new Set(found.faults.map(({ row }) => row)).size;
  const { mutateAsync, isPending, share } = useImport(kind);
  const isReady = found.faults.length === 0 && !isChecking && !isUnfinished;
  const send = () => {
    const body = { rows: rows.map(({ row }) => row), updateKnown: update.isOn, ...props.more };
    // A toast shows the refusal, as for every failed mutation, and the rows are checked again.
    mutateAsync(body).then(onImported, () => undefined);
  };
  return (
    <Card heading="Dette skjer">
      <p aria-live="polite">
        <strong>{countOf(found.created, `${words.fresh} ${one}`, `nye ${many}`)}</strong>
        {found.known.length === 0 ? null : (
          <>
            ,{' '}
            <strong>{countOf(found.updated, `eksisterende ${one}`, `eksisterende ${many}`)}</strong>
          </>
        )}
        {faulty === 0 ? ' og ingen feil.' : ` og ${countOf(faulty, 'rad', 'rader')} med feil.`}
      </p>
      {skipped === 0 ? null : (
        <Alert
          action={
            <Button variant="quiet" onClick={props.onTakeBack}>
              Ta med igjen
            </Button>
          }
        >
          {countOf(skipped, 'rad er utelatt', 'rader er utelatt')}.
        </Alert>
      )}
      {Notice ? <Notice {...checked} /> : null}
      <div className="stack gap-4 unless-empty">
        {found.known.length === 0 ? null : <KnownChoice {...{ words, found, update }} />}
        {props.children?.(props.written)}
      </div>
      {isPending ? (
        <SendingProgress
          label={share < 1 ? 'Sender listen' : `Lagrer ${words.theMany}`}
          share={share}
        />
      ) : null}
      <div className="row">
        <Button variant="primary" wide pending={isPending} disabled={!isReady} onClick={send}>
          Importer {countOf(rows.length, one, many)}
        </Button>
        {found.faults.length > 0 ? (
          <p className="note">Rett eller utelat radene med feil først.</p>
        ) : null}
      </div>
    </Card>
  );
}

/** Sending can be slow on a phone; the server then needs a second or two. */
export function SendingProgress({ label, share }: { label: string; share: number }) {
  const isSending = share < 1;
  return (
    <ProgressBox label={label} share={isSending ? share : undefined}>
      <p>
        <span aria-live="polite">{label}</span>{' '}
        <span aria-hidden="true">{isSending ? `${Math.floor(share * 100)} %` : '…'}</span>
      </p>
    </ProgressBox>
  );
}

function KnownChoice({ words, found, update }: { words: Words; found: Found; update: UpdateWish }) {
  const changed = found.known.filter(({ changes }) => changes.length > 0).length;
  return (
    <Checkbox
      label={`Oppdater ${countOf(found.known.length, words.one, words.many)} som finnes fra før`}
      hint={`${changesText(words, changed, found.known.length)} Tomme celler endrer ingenting.`}
      checked={update.isOn}
      onChange={(event) => update.set(event.target.checked)}
    />
  );
}

function changesText({ theOne, oneOf }: Words, changed: number, known: number): string {
  if (changed === 0) return known === 1 ? `${theOne} endres ikke.` : 'Ingen av dem endres.';
  if (known === 1) return `${theOne} oppdateres.`;
  return `${changed === 1 ? oneOf : showCount(changed)} av dem oppdateres.`;
}
