import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';

import { previewBody, type AssignmentPreview } from '../../../domain/recurring/recurring.schema.ts';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { useDebounced } from '../../ui/SearchField.tsx';
import type { AssignmentDraft, AssignmentFormState } from './assignment-form.ts';
import { intervalText } from './recurring-labels.ts';
import { previewQuery, type PreviewInput } from './recurring.api.ts';
import { DateTiles } from './DateTiles.tsx';

interface PreviewCardProps {
  readonly form: AssignmentFormState;
  /** The assignment being edited: the preview continues after its existing invoices. Undefined for a new one. */
  readonly uuid: string | undefined;
}

export function PeriodPreview({ form, uuid }: PreviewCardProps) {
  const values = useWatch({ control: form.control }) as AssignmentDraft;
  // A string, since every render creates a new object with the same values.
  const asked = useDebounced(JSON.stringify(inputOf(values, uuid)));
  const body = JSON.parse(asked) as PreviewInput;
  const isValid = previewBody.safeParse(body).success;
  const preview = useQuery({ ...previewQuery(body), enabled: isValid });
  return (
    <Card heading="Forhåndsvisning">
      {isValid ? (
        <Fetched query={preview} pending={<Skeleton height="160px" />}>
          {(found) => (
            <div className="preview" data-old={preview.isPlaceholderData || undefined}>
              <Preview values={values} preview={found} />
            </div>
          )}
        </Fetched>
      ) : (
        <p className="soft">Når datoene er fylt ut, ser du de neste fem her.</p>
      )}
    </Card>
  );
}

function inputOf(values: AssignmentDraft, uuid: string | undefined): PreviewInput {
  const { interval, day, firstDate, lastDate, occurrences, templateId, message } = values;
  const description = values.invoiceLines?.[0]?.description ?? '';
  return {
    uuid,
    interval: { unit: interval.unit, count: interval.count ?? 1 },
    day,
    firstDate,
    lastDate,
    occurrences,
    templateId,
    invoiceLines: description.trim() === '' ? [] : [{ description }],
    message,
  };
}

function Preview({ values, preview }: { values: AssignmentDraft; preview: AssignmentPreview }) {
  const { periods, sample } = preview;
  const { interval, day, firstDate } = values;
  return (
    <div className="stack">
      <p className="title" aria-live="polite">
        {intervalText({
          interval: { unit: interval.unit, count: interval.count ?? 1 },
          day: day ?? null,
          firstDate,
        })}
      </p>
      {periods.length === 0 ? (
        <p className="soft">Det blir ikke laget flere med disse datoene.</p>
      ) : (
        <DateTiles periods={periods} />
      )}
      {sample.description ? (
        <div className="box">
          <p className="soft">Første linje på den første fakturaen</p>
          <p className="strong">{sample.description}</p>
        </div>
      ) : null}
      {sample.message ? (
        <div className="box">
          <p className="soft">Meldingen på den første fakturaen</p>
          <p className="lines">{sample.message}</p>
        </div>
      ) : null}
    </div>
  );
}
