import { WITHOUT_NUMBER, type DutyReason } from '../einvoice/einvoice-duty.ts';
import { formatDate, type IsoDate } from '../date.ts';
import { hintOfLine, type Hint, type HintedLine } from './invoice-hint.ts';
import type { IssueDates } from './issue-dates.ts';

/** About a draft that was made of a quote. */
export interface QuoteOfDraft {
  /** Whether the invoices of an estimate to a private customer are more than `MOST_OF_ESTIMATE`. */
  readonly isAboveEstimate: boolean;
  /** Whether a line has VAT. */
  readonly hasVat: boolean;
}

/** Percent of an estimate that a private customer pays at most (håndverkertjenesteloven § 32). */
export const MOST_OF_ESTIMATE = 115;

/** A draft, or the values of its form. */
interface HintedDraft {
  readonly issueDate: IsoDate;
  /** Empty: the issue date. */
  readonly deliveryDate?: IsoDate | null | undefined;
  readonly deliveryCountry?: string | null | undefined;
  /** With the feature `einvoice`. */
  readonly einvoiceReason?: DutyReason | undefined;
  /** Absent when the draft was made of no quote. */
  readonly ofQuote?: QuoteOfDraft | null | undefined;
  readonly lines: readonly (HintedLine | null | undefined)[];
}

/** The days by which a draft's dates are judged. */
export interface HintDates extends IssueDates {
  /** The latest date of a registered document; null without one, and where it is not known. */
  readonly lastIssued: IsoDate | null;
}

/** The hints about a draft, in the order of its fields. */
export function findHints(draft: HintedDraft, dates: HintDates): Hint[] {
  const { deliveryCountry, lines, einvoiceReason } = draft;
  return [
    ...hintsOfBuyer(einvoiceReason, dates.today),
    ...hintsOfDate(draft, dates),
    ...hintsOfQuote(draft),
    ...lines.flatMap((line, index) => hintOfLine(line, index, deliveryCountry) ?? []),
  ];
}

/** From this day on the number of a business is required (bokføringsforskriften § 5-1-2). */
const NUMBER_FROM: IsoDate = '2028-01-01';

/** A Norwegian buyer without a number is a person, or a business whose number is missing (EINV-10). */
function hintsOfBuyer(reason: DutyReason | undefined, today: IsoDate): Hint[] {
  if (reason !== 'BUYER_WITHOUT_NUMBER' || today < NUMBER_FROM) return [];
  const words = {
    en: 'The customer is neither private nor has an organisation number',
    nb: WITHOUT_NUMBER,
  };
  return [{ code: 'BUYER_NUMBER_2028', field: 'customer_number', words }];
}

/** The law on invoices of quotes: the limit of an estimate, and VAT before the delivery (QUO-58). */
function hintsOfQuote({ issueDate, deliveryDate, ofQuote }: HintedDraft): Hint[] {
  const hints: Hint[] = [];
  if (ofQuote?.isAboveEstimate) {
    hints.push({
      code: 'ESTIMATE_EXCEEDED',
      field: 'invoice_lines',
      words: {
        en: 'The invoices of the quote are more than 15 % above its estimate (håndverkertjenesteloven § 32)',
        nb: 'Fakturaene av tilbudet er mer enn 15 prosent over prisoverslaget (håndverkertjenesteloven § 32)',
      },
    });
  }
  if (ofQuote?.hasVat && deliveryDate && deliveryDate > issueDate) {
    hints.push({
      code: 'VAT_BEFORE_DELIVERY',
      field: 'delivery_date',
      words: {
        en: 'An invoice with VAT may be sent once the goods or services are delivered (merverdiavgiftsloven § 15-10)',
        nb: 'Faktura med mva kan først sendes når varen eller tjenesten er levert (merverdiavgiftsloven § 15-10)',
      },
    });
  }
  return hints;
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
