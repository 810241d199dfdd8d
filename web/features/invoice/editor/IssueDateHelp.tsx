import { useFormContext, useWatch } from 'react-hook-form';

import { type IsoDate, todayInOslo } from '../../../../domain/date.ts';
import { findHints, hintsOfDate, type HintDates } from '../../../../domain/invoice/draft-hints.ts';
import type { InvoiceForm } from '../../../../domain/invoice/invoice.schema.ts';
import { issueDatesOn } from '../../../../domain/invoice/issue-dates.ts';
import { Button } from '../../../ui/Button.tsx';
import type { InvoiceDraft } from '../../editor/draft-values.ts';
import { isDate } from '../../editor/due-date.ts';

/** Below the issue date: the other date that the law allows today, and what is doubtful about the typed one (INV-46). */
export function IssueDateHelp() {
  const form = useFormContext<InvoiceDraft, unknown, InvoiceForm>();
  const [issueDate, deliveryDate] = useWatch({
    control: form.control,
    name: ['issueDate', 'deliveryDate'],
  });
  const dates = datesOfToday();
  const { monthEnd } = dates;
  const hints = isDate(issueDate) ? hintsOfDate({ issueDate, deliveryDate }, dates) : [];
  return (
    <div className="stack gap-1">
      {monthEnd && issueDate !== monthEnd.date ? (
        <div>
          <Button
            variant="quiet"
            onClick={() =>
              form.setValue('issueDate', monthEnd.date, {
                shouldDirty: true,
                shouldValidate: form.formState.isSubmitted,
              })
            }
          >
            {`Bruk ${dayAndMonth(monthEnd.date)}`}
          </Button>
        </div>
      ) : null}
      <div aria-live="polite" className="note unless-empty">
        {hints.map(({ words }) => (
          <p key={words.nb}>{words.nb}.</p>
        ))}
      </div>
    </div>
  );
}

/** The hints about a draft that is typed. */
export function hintsOf(draft: InvoiceDraft): readonly string[] {
  const hints = findHints({ ...draft, lines: draft.invoiceLines ?? [] }, datesOfToday());
  return hints.map(({ words }) => words.nb);
}

/** Only the page of a stored draft knows the dates of registered invoices. */
function datesOfToday(): HintDates {
  return { ...issueDatesOn(todayInOslo()), lastIssued: null };
}

/** '2026-10-31' → '31. oktober'. */
function dayAndMonth(date: IsoDate): string {
  return new Date(date).toLocaleDateString('nb-NO', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
}
