import { useEffect, useRef, useState, type ComponentType } from 'react';

import { Page } from '../../ui/Page.tsx';
import { ImportDraft, type ImportDraftProps } from './ImportDraft.tsx';
import type { Found, ImportKind, ListedRow } from './import-kind.ts';
import { SourceCard } from './SourceCard.tsx';
import type { Source } from './useList.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { countOf } from '../../lib/count.ts';
import { CheckCircleIcon } from '../../ui/icons.tsx';
import { Card, EmptyState } from '../../ui/Surface.tsx';

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
          <SourceCard kind={kind} onSource={setSource} />
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
