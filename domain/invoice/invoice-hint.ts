import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { HOME_COUNTRY } from '../country.ts';
import { formatDate, type IsoDate } from '../date.ts';
import type { VatTreatment } from '../vat-treatment.ts';
import type { IssueDates } from './issue-dates.ts';

const HINT_CODES = ['DATE_BACK', 'DATE_AHEAD', 'SERIES_BACK', 'EXPORT_TO_NORWAY'] as const;

export const hint = z.object({
  code: z.enum(HINT_CODES),
  field: described(z.string(), 'As a body names it'),
  message: z.string(),
});

/** A doubt about a draft that the law leaves to its author (INV-46, VAT-12); it stops nothing. */
interface Hint {
  readonly code: (typeof HINT_CODES)[number];
  /** As the API names it. */
  readonly field: string;
  readonly words: { readonly en: string; readonly nb: string };
}

interface HintedLine {
  readonly vatTreatment?: VatTreatment | null | undefined;
}

/** A draft, or the values of its form. */
interface HintedDraft {
  readonly issueDate: IsoDate;
  /** Empty: the issue date. */
  readonly deliveryDate?: IsoDate | null | undefined;
  readonly deliveryCountry?: string | null | undefined;
  readonly lines: readonly (HintedLine | null | undefined)[];
}

/** The days by which a draft's dates are judged. */
export interface HintDates extends IssueDates {
  /** The latest date of a registered document; null without one, and where it is not known. */
  readonly lastIssued: IsoDate | null;
}

/** The hints about a draft, in the order of its fields. */
export function findHints(draft: HintedDraft, dates: HintDates): Hint[] {
  const { deliveryCountry, lines } = draft;
  return [
    ...hintsOfDate(draft, dates),
    ...lines.flatMap((line, index) => hintOfLine(line, index, deliveryCountry) ?? []),
  ];
}

/**
 * Whether the date is one that the invoice may carry when it is registered today (`issueDatesOn`), and not before the
 * date of a document with a lower number.
 */
export function hintsOfDate(
  { issueDate, deliveryDate }: Pick<HintedDraft, 'issueDate' | 'deliveryDate'>,
  { today, monthEnd, lastIssued }: HintDates,
): Hint[] {
  const isMonthEnd = issueDate === monthEnd?.date;
  const hints: Hint[] = [];
  const add = (code: Hint['code'], words: Hint['words']) =>
    hints.push({ code, field: 'issue_date', words });
  if (isMonthEnd && deliveryDate && deliveryDate > issueDate) {
    add('DATE_BACK', {
      en: 'issue_date is the last day of the month before, but delivery_date is after it',
      nb: `Fakturadatoen ${formatDate(issueDate)} kan bare brukes for det som var levert da, og leveringsdatoen er ${formatDate(deliveryDate)}`,
    });
  } else if (issueDate < today && !isMonthEnd) {
    add('DATE_BACK', {
      en: 'issue_date is before today',
      nb: 'Fakturadatoen er før i dag. En faktura skal ha datoen den blir registrert',
    });
  } else if (issueDate > today) {
    add('DATE_AHEAD', {
      en: 'issue_date is after today',
      nb: 'Fakturadatoen er ikke kommet ennå. En faktura skal ha datoen den blir registrert',
    });
  }
  if (lastIssued !== null && issueDate < lastIssued && !isMonthEnd) {
    add('SERIES_BACK', {
      en: `A registered document has a later date, ${lastIssued}`,
      nb: `En faktura eller kreditnota med lavere nummer har en senere dato, ${formatDate(lastIssued)}`,
    });
  }
  return hints;
}

/**
 * Exports are exempt when they are delivered abroad (merverdiavgiftsloven § 6-21).
 *
 * @param index of the line, from 0
 */
export function hintOfLine(
  line: HintedLine | null | undefined,
  index: number,
  deliveryCountry: HintedDraft['deliveryCountry'],
): Hint | undefined {
  if (line?.vatTreatment !== 'EXPORT' || deliveryCountry !== HOME_COUNTRY) return undefined;
  return {
    code: 'EXPORT_TO_NORWAY',
    field: `invoice_lines[${index}].vat_treatment`,
    words: {
      en: `Line ${index + 1} is an export, but delivery_country is NO`,
      nb: `Linje ${index + 1} er utførsel, men leveringslandet er Norge. Utførsel er for det som leveres i utlandet`,
    },
  };
}
