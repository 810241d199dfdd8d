import type { ExportKind, ExportTrial } from '../../../domain/export/export.schema.ts';
import { countOf, showCount, showKroner } from '../../lib/number-text.ts';
import { Alert, LoadFailure, Skeleton } from '../../ui/Surface.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import type { Preview } from '../../ui/usePreview.ts';
import { contentsText, exportedText } from './export-labels.ts';

const EXPORTED_SHOWN = 3;

interface ExportContentsProps {
  readonly kind: ExportKind;
  readonly preview: Preview<ExportTrial>;
  /** Whether what is chosen can be asked for. */
  readonly isChosen: boolean;
  /** How many the list shows, when only those are exported. */
  readonly listed: number | undefined;
}

/** The contents of the export that is chosen, before it is made (EXP-85). */
export function ExportContents({ kind, preview, isChosen, listed }: ExportContentsProps) {
  const { shown: trial, isSettled, refusal, retry } = preview;
  return (
    <section
      className="stack gap-2"
      aria-label="Dette blir med"
      aria-live="polite"
      aria-busy={isChosen && !isSettled}
    >
      <h2>Dette blir med</h2>
      {isChosen ? null : <p className="soft">Velg datoene, så ser du det her.</p>}
      {refusal === undefined ? null : (
        <Alert tone="warning">
          {refusal} <Explanation of={refusal} />
        </Alert>
      )}
      {retry ? <LoadFailure onRetry={retry} /> : null}
      {trial ? (
        <div className="stack gap-3 preview" data-old={!isSettled || undefined}>
          <Counts kind={kind} trial={trial} listed={listed} />
        </div>
      ) : isChosen && refusal === undefined && !retry ? (
        <Skeleton height="72px" />
      ) : null}
    </section>
  );
}

interface CountsProps extends Pick<ExportContentsProps, 'kind' | 'listed'> {
  readonly trial: ExportTrial;
}

function Counts({ kind, trial, listed }: CountsProps) {
  const { invoices, creditNotes, draftsLeftOut, exportedBefore } = trial;
  const count = invoices + creditNotes;
  const more = exportedBefore.length - EXPORTED_SHOWN;
  return (
    <>
      <p className="numeric strong">
        {count === 0 ? 'Ingen fakturaer eller kreditnotaer.' : contentsText(trial)}
      </p>
      {count > 0 ? <p className="soft numeric">Inkl. {showKroner(trial.vat)} mva.</p> : null}
      {kind === 'ARCHIVE' ? (
        <p className="soft">
          Hver faktura som PDF, og som EHF der det går. Også utkast, kunder, innbetalinger, vedlegg
          og historikk. Arkivet kan leses inn i en annen Faktur, og «LESMEG.html» i det viser alt
          uten nett.
        </p>
      ) : null}
      {draftsLeftOut > 0 && kind !== 'ARCHIVE' ? (
        <p className="soft">
          {countOf(draftsLeftOut, 'utkast er ikke med, for det', 'utkast er ikke med, for de')} er
          ikke registrert.
        </p>
      ) : null}
      {listed !== undefined && listed > count + draftsLeftOut ? (
        <p className="soft">Resten av listen har fakturadato utenfor perioden.</p>
      ) : null}
      {exportedBefore.length > 0 && kind !== 'ARCHIVE' ? (
        <Alert tone="warning">
          <ul className="numeric">
            {exportedBefore.slice(0, EXPORTED_SHOWN).map((before) => (
              <li key={before.uuid}>{exportedText(before)}</li>
            ))}
          </ul>
          {more > 0 ? <p>… og {showCount(more)} ganger til.</p> : null}
        </Alert>
      ) : null}
    </>
  );
}
