import { useEffect, useRef, useState } from 'react';

import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { Page } from '../../ui/Page.tsx';
import { ImportDraft } from './ImportDraft.tsx';
import { SourceCard } from './SourceCard.tsx';
import type { Source } from './useList.ts';
import { paths } from '../../lib/paths.ts';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { countOf } from '../../lib/count.ts';
import { CheckCircleIcon } from '../../ui/icons.tsx';
import { Card, EmptyState } from '../../ui/Surface.tsx';

export function CustomerImportPage() {
  const [source, setSource] = useState<Source | null>(null);
  const [result, setResult] = useState<CustomerImportResult | null>(null);
  const restart = () => {
    setSource(null);
    setResult(null);
  };
  const step = useStep(result ? 'done' : source ? 'draft' : 'source');
  return (
    <Page heading="Importer kunder">
      <div ref={step} tabIndex={-1} className="stack">
        {result ? (
          <ImportDone result={result} onRestart={restart} />
        ) : source ? (
          <ImportDraft source={source} onRestart={restart} onImported={setResult} />
        ) : (
          <SourceCard onSource={setSource} />
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

interface ImportDoneProps {
  readonly result: CustomerImportResult;
  readonly onRestart: () => void;
}

function ImportDone({ result, onRestart }: ImportDoneProps) {
  const { created, updated, known, groupUuid } = result;
  const incomplete = useIsProfileIncomplete();
  const changed = updated > 0 ? known.filter(({ changes }) => changes.length > 0).length : 0;
  const kept = known.length - changed;
  return (
    <div aria-live="polite">
      <Card>
        <EmptyState
          icon={<CheckCircleIcon />}
          title={`${countOf(created + known.length, 'kunde', 'kunder')} er importert!`}
          action={
            <div className="row gap-2 centred">
              <ButtonLink to={paths.customers} variant="primary">
                Se kundene
              </ButtonLink>
              {groupUuid === null ? null : (
                <>
                  <ButtonLink to={paths.invoiceCreateTo(groupUuid)} disabled={incomplete}>
                    Fakturer gruppen
                  </ButtonLink>
                  <ButtonLink to={paths.groupEdit(groupUuid)}>Åpne gruppen</ButtonLink>
                </>
              )}
              <Button variant="quiet" onClick={onRestart}>
                Importer flere
              </Button>
            </div>
          }
        >
          {countOf(created, 'ny', 'nye')}, {countOf(changed, 'oppdatert', 'oppdaterte')}
          {kept === 0 ? '' : ` og ${countOf(kept, 'uendret', 'uendrede')}`}.
          {groupUuid === null ? '' : ' Alle er i gruppen.'}
        </EmptyState>
      </Card>
    </div>
  );
}
