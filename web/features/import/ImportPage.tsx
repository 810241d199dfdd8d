import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';

import { Page } from '../../ui/Page.tsx';
import { ImportDraft, type ImportDraftProps } from './ImportDraft.tsx';
import type { ColumnKind, Found, ImportKind, ListedRow, Words } from './import-kind.ts';
import { readList, type Source } from './useList.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { countOf } from '../../lib/number-text.ts';
import { CheckCircleIcon } from '../../ui/icons.tsx';
import { Alert, Card, EmptyState } from '../../ui/Surface.tsx';
import { FileDrop } from '../../ui/FileDrop.tsx';
import { bytesOf, UnreadableFile } from './list-file.ts';
import { leave, useLeaveGuard } from '../../forms/unsaved-input.tsx';
import fieldStyles from '../../ui/Field.module.css';
import styles from './Import.module.css';

/** Text and links of one kind of records after an import. */
interface Done<F> {
  readonly doneText?: (result: F) => string;
  readonly DoneLinks?: ComponentType<{ readonly result: F }>;
}

interface ImportPageProps<R extends ListedRow, F extends Found> extends Done<F> {
  readonly kind: ImportKind<R, F>;
  readonly Draft?: ComponentType<ImportDraftProps<R, F>>;
}

/** A screen that imports a list in three steps: the list, its columns and faults, the result. */
export function ImportPage<R extends ListedRow, F extends Found>(props: ImportPageProps<R, F>) {
  const { kind, Draft = ImportDraft, ...done } = props;
  const [source, setSource] = useState<Source | null>(null);
  const [result, setResult] = useState<F | null>(null);
  const onRestart = () => {
    setSource(null);
    setResult(null);
  };
  const step = useStep(result ? 'done' : source ? 'draft' : 'source');
  return (
    <Page heading={`Importer ${kind.words.many}`}>
      <div ref={step} tabIndex={-1} className="stack">
        {result ? (
          <ImportDone {...{ kind, result, onRestart }} {...done} />
        ) : source ? (
          <Draft {...{ kind, source, onRestart }} onImported={setResult} />
        ) : (
          <SourceCard words={kind.words} columns={kind.columns} onSource={setSource} />
        )}
      </div>
    </Page>
  );
}

/** Moves the focus to the new step, since the button that had it is gone. */
function useStep(step: string) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    place.current?.focus({ preventScroll: true });
  }, [step]);
  return place;
}

interface ImportDoneProps<R extends ListedRow, F extends Found> extends Done<F> {
  readonly kind: ImportKind<R, F>;
  readonly result: F;
  readonly onRestart: () => void;
}

function ImportDone<R extends ListedRow, F extends Found>(props: ImportDoneProps<R, F>) {
  const { kind, result, doneText, DoneLinks, onRestart } = props;
  const { words } = kind;
  const { created, updated, known } = result;
  const changed = updated > 0 ? known.filter(({ changes }) => changes.length > 0).length : 0;
  const kept = known.length - changed;
  return (
    <div aria-live="polite">
      <Card>
        <EmptyState
          icon={<CheckCircleIcon />}
          title={`${countOf(created + known.length, words.one, words.many)} er importert!`}
          action={
            <div className="row gap-2 centred">
              <ButtonLink to={kind.list} variant="primary">
                Se {words.theMany}
              </ButtonLink>
              {DoneLinks ? <DoneLinks result={result} /> : null}
              <Button variant="quiet" onClick={onRestart}>
                Importer flere
              </Button>
            </div>
          }
        >
          {countOf(created, words.fresh, 'nye')}, {countOf(changed, 'oppdatert', 'oppdaterte')}
          {kept === 0 ? '' : ` og ${countOf(kept, 'uendret', 'uendrede')}`}.{doneText?.(result)}
        </EmptyState>
      </Card>
    </div>
  );
}

interface SourceCardProps {
  readonly words: Words;
  readonly columns: ColumnKind;
  readonly onSource: (source: Source) => void;
}

function SourceCard({ words, columns, onSource }: SourceCardProps) {
  const [fault, setFault] = useState<string | null>(null);
  const [text, setText] = useState('');
  useLeaveGuard({ isUnsaved: () => text.trim() !== '', discard: () => setText('') });
  const take = async (name: string, read: Promise<Uint8Array> | string) => {
    try {
      const source = { name, content: await read };
      readList(columns, source);
      onSource(source);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      setFault(`${name}: ${error.message}`);
    }
  };
  const takeFiles = ([file, ...others]: readonly File[]) => {
    if (others.length > 0) setFault('Velg én fil om gangen.');
    else if (file) leave(() => void take(file.name, bytesOf(file)));
  };
  const paste = (content: string) => void take('Det du limte inn', content);
  usePaste((content) => leave(() => paste(content)));
  return (
    <>
      {fault === null ? null : (
        <div role="alert">
          <Alert tone="error" title="Listen kan ikke leses">
            {fault}
          </Alert>
        </div>
      )}
      <FileDrop
        title="Slipp en CSV-fil her"
        label="Velg fil"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        onFiles={takeFiles}
      >
        Lagre listen fra {words.programs} som CSV.
      </FileDrop>
      <Card heading="Eller lim inn fra et regneark">
        <p className="note lead" id="paste-help">
          Merk cellene i regnearket, gjerne med overskriftene, og kopier dem. {words.oneOf}{' '}
          {words.one} på hver rad.
        </p>
        <textarea
          className={`note ${fieldStyles.input} ${styles.paste}`}
          aria-label="Rader fra et regneark"
          aria-describedby="paste-help"
          rows={5}
          spellCheck={false}
          placeholder={words.example}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button disabled={text.trim() === ''} onClick={() => paste(text)}>
          Les radene
        </Button>
      </Card>
      <Card heading="Dette leser vi">
        <ul className={`stack gap-2 note ${styles.facts}`}>
          {words.facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
          <li>Inntil 10 000 rader om gangen. Enten lagres alle, eller ingen.</li>
        </ul>
      </Card>
    </>
  );
}

/** Handles text pasted anywhere on the screen except into a field, or into a text that is being typed. */
function usePaste(onText: (text: string) => void): void {
  const take = useEffectEvent(onText);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const fields = 'input, select, textarea:not(:placeholder-shown)';
      const isField = event.target instanceof Element && event.target.closest(fields);
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (isField || text.trim() === '') return;
      event.preventDefault();
      take(text);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}
