import type {
  BankFileBrief,
  BankFileFormat,
  EntryOutcome,
} from '../../../domain/bank-file/bank-file.schema.ts';
import { formatDate } from '../../../domain/date.ts';
import { sumKroner } from '../../../domain/money.ts';
import type { Label } from '../../ui/Badge.tsx';
import { countOf, showKroner } from '../../lib/number-text.ts';

export const FORMAT_LABELS: Readonly<Record<BankFileFormat, string>> = {
  OCR: 'OCR giro',
  CAMT054: 'camt.054',
  CAMT053: 'camt.053',
};

export const FILE_STATE_LABELS: Readonly<Record<BankFileBrief['state'], Label>> = {
  PREVIEW: { text: 'Ikke bokført', tone: 'amber' },
  BOOKING: { text: 'Bokføres', tone: 'blue' },
  BOOKED: { text: 'Bokført', tone: 'green' },
  UNDOING: { text: 'Angres', tone: 'blue' },
  UNDONE: { text: 'Angret', tone: 'gray' },
};

interface OutcomeLabel extends Label {
  /** Explains the outcome, for all its entries. */
  readonly help: string;
  /** Replaces the text once the file is booked. */
  readonly booked?: string;
}

/** In display order. */
export const OUTCOME_LABELS: Readonly<Record<EntryOutcome, OutcomeLabel>> = {
  EXACT: {
    text: 'Klare',
    booked: 'Ført',
    tone: 'green',
    help: 'KID og beløp stemmer med fakturaen.',
  },
  PART: { text: 'Delvis', tone: 'blue', help: 'KID stemmer, men det er betalt for lite.' },
  OVER: { text: 'For mye', tone: 'purple', help: 'KID stemmer, men det er betalt for mye.' },
  SUGGESTED: {
    text: 'Ikke koblet, med forslag',
    tone: 'amber',
    help: 'Vi tror vi vet hva det gjelder, men du må si det.',
  },
  SETTLED: {
    text: 'Ikke koblet, gjort opp fra før',
    tone: 'amber',
    help: 'Fakturaen er betalt eller kreditert.',
  },
  UNPLACED: {
    text: 'Ikke koblet til faktura',
    tone: 'amber',
    help: 'Vi fant ikke fakturaen. Velg den selv.',
  },
  REVERSAL: {
    text: 'Tilbakeført',
    tone: 'red',
    help: 'Banken har tilbakeført en innbetaling.',
  },
  POSSIBLE_COPY: {
    text: 'Mulig kopi',
    tone: 'amber',
    help: 'Ligner på noe som er bokført fra før.',
  },
  KNOWN: { text: 'Allerede lest', tone: 'gray', help: 'Bokføres ikke en gang til.' },
};

export function outcomeText(outcome: EntryOutcome, state: BankFileBrief['state']): string {
  const { text, booked = text } = OUTCOME_LABELS[outcome];
  return state === 'BOOKED' ? booked : text;
}

export interface Total {
  readonly count: number;
  /** Kroner. */
  readonly sum: number;
}

/** Outcomes that are placed on invoices automatically. */
export const AUTOMATIC: readonly EntryOutcome[] = ['EXACT', 'PART', 'OVER'];

/** The outcomes present in a file, in the order of the labels. */
export function outcomesOf(file: Pick<BankFileBrief, 'outcomes'>) {
  return (Object.keys(OUTCOME_LABELS) as EntryOutcome[]).flatMap((outcome) =>
    file.outcomes.filter((found) => found.outcome === outcome && found.count > 0),
  );
}

/** Sums of a file: placed automatically, placed by hand, reversals, and already known. */
export function totalsOf(file: Pick<BankFileBrief, 'outcomes'>) {
  const total = (wanted: (outcome: EntryOutcome) => boolean): Total => {
    const found = file.outcomes.filter(({ outcome }) => wanted(outcome));
    return {
      count: found.reduce((all, { count }) => all + count, 0),
      sum: sumKroner(found.map(({ sum }) => sum)),
    };
  };
  const isAutomatic = (outcome: EntryOutcome) => AUTOMATIC.includes(outcome);
  return {
    automatic: total(isAutomatic),
    reversals: total((outcome) => outcome === 'REVERSAL'),
    byHand: total(
      (outcome) => !isAutomatic(outcome) && outcome !== 'KNOWN' && outcome !== 'REVERSAL',
    ),
    known: total((outcome) => outcome === 'KNOWN'),
    toBook: total((outcome) => outcome !== 'KNOWN'),
  };
}

/** '1 innbetaling', '1 234 innbetalinger'. */
export function countPayments(count: number): string {
  return countOf(count, 'innbetaling', 'innbetalinger');
}

/** '12 innbetalinger, 14 250,00 kr'. */
export function showTotal({ count, sum }: Total): string {
  return `${countPayments(count)}, ${showKroner(sum)}`;
}

export function periodOf({ from, to }: Pick<BankFileBrief, 'from' | 'to'>): string {
  if (from === null || to === null) return '–';
  return from === to ? formatDate(from) : `${formatDate(from)} – ${formatDate(to)}`;
}
