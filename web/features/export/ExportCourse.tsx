import { deletionNeeds } from '../../../domain/export/export-file.ts';
import type { CompanyExport } from '../../../domain/export/export.schema.ts';
import { ConnectionLost, reasonsOf } from '../../lib/api-error.ts';
import { Alert } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { ProgressBox } from '../../ui/ProgressBox.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { useCan } from '../session/session.api.ts';
import { isUnderWay, useDeleteExport } from './export.api.ts';
import { countDocuments, KIND_LABELS } from './export-labels.ts';

/** The progress of the export that a job makes now, or that the last one failed. */
export function ExportCourse({ exports }: { exports: readonly CompanyExport[] }) {
  const current = exports.find(isUnderWay);
  const [last] = exports;
  return (
    <>
      {/* Always rendered: screen readers announce only changes to an existing live region. */}
      <p className="visually-hidden" aria-live="polite">
        {current ? `Lager eksporten: ${KIND_LABELS[current.kind]}` : null}
      </p>
      {current ? <UnderWay made={current} /> : null}
      {last?.state === 'FAILED' ? (
        <Alert tone="error" live title={`${KIND_LABELS[last.kind]} ble ikke laget`}>
          Den ble avbrutt, eller noe gikk galt hos oss. Det er ingen fil, så prøv igjen.
        </Alert>
      ) : null}
    </>
  );
}

function UnderWay({ made }: { made: CompanyExport }) {
  const { uuid, kind, state, progress, sentTo } = made;
  const cancel = useDeleteExport('Eksporten er avbrutt.');
  const canCancel = useCan(deletionNeeds(made));
  const percent = Math.floor(progress * 100);
  return (
    <ProgressBox
      label="Framdrift"
      share={progress > 0 ? progress : undefined}
      action={
        canCancel ? (
          <Button pending={cancel.isPending} onClick={() => cancel.mutate(uuid)}>
            Avbryt
          </Button>
        ) : null
      }
    >
      <p>
        <span className="strong">
          {KIND_LABELS[kind]}, {countDocuments(made)}:
        </span>{' '}
        {state === 'WAITING' ? 'venter på tur' : `lages, ${percent} %`}
      </p>
      <p>
        Du kan gå videre så lenge.{' '}
        {sentTo
          ? `Lenken sendes til ${sentTo} når filen er klar.`
          : 'Filen ligger her når den er klar.'}
      </p>
    </ProgressBox>
  );
}

/** Why nothing was exported, such as another export that is under way. */
export function Refused({ error }: { error: Error | null }) {
  if (!error) return null;
  const reason = reasonsOf(error) ?? error.message;
  return (
    <Alert tone="error" live title="Ingenting ble eksportert">
      {reason} <Explanation of={reason} />
      {error instanceof ConnectionLost ? '. Prøv igjen når nettet er tilbake.' : null}
    </Alert>
  );
}
