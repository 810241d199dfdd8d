import { useEffect, useRef, useState } from 'react';

import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { Page } from '../../ui/Page.tsx';
import { ImportDone } from './ImportDone.tsx';
import { ImportDraft } from './ImportDraft.tsx';
import styles from './Import.module.css';
import { SourceCard } from './SourceCard.tsx';
import type { Source } from './useList.ts';

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
      <div ref={step} tabIndex={-1} className={styles.step}>
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
