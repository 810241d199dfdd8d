import { z } from 'zod/mini';

import { described } from './api/described.ts';
import type { Feature } from './api/endpoint.ts';
import { rule } from './api/rules.ts';
import { todayInOslo, type IsoDate } from './date.ts';
import { divideRounded, isKroner, kronerToOre, ore, oreToKroner } from './money.ts';

/** Why a line has its rate of VAT, and what follows from that in books, on paper and in EHF. */
interface Treatment {
  /** On screens and paper. */
  readonly label: string;
  /** The standard tax code of SAF-T Financial. */
  readonly saftCode: string;
  /** The default account of its income. */
  readonly incomeAccount: string;
  /** The VAT category of EHF (UNCL 5305). */
  readonly category: 'S' | 'Z' | 'G' | 'E' | 'AE' | 'O';
  /** Why no VAT is charged, as printed; null where nothing is. */
  readonly reason: string | null;
  /** Whether EHF has the reason too. BR-Z-10 forbids it for Z, and BR-S-10 for S. */
  readonly ehfReason: string | null;
  /** The code of that reason (VATEX); null where the list has none that fits. */
  readonly ehfReasonCode: string | null;
  /** The requirement of a document with such a line (VAT-6). */
  readonly needs: 'FOREIGN_COUNTRY' | 'BUYER_VAT_NUMBER' | null;
}

const TAXED = { category: 'S', reason: null, ehfReason: null, ehfReasonCode: null } as const;
const ABROAD = 'Utførsel, fritatt for merverdiavgift (merverdiavgiftsloven §§ 6-21 og 6-22)';
const OUTSIDE_THE_ACT = 'Unntatt fra merverdiavgiftsloven (kapittel 3)';
const REVERSED =
  'Omvendt avgiftsplikt: kjøperen beregner merverdiavgiften (merverdiavgiftsloven § 11-1)';

/** The VAT treatments (VAT-1), in the order in which they are offered. */
const VAT_TREATMENTS = {
  STANDARD: { label: '25 %', saftCode: '3', incomeAccount: '3000', ...TAXED, needs: null },
  FOOD: {
    label: '15 % næringsmidler',
    saftCode: '31',
    incomeAccount: '3030',
    ...TAXED,
    needs: null,
  },
  REDUCED: { label: '12 %', saftCode: '33', incomeAccount: '3050', ...TAXED, needs: null },
  EXEMPT: {
    label: '0 % fritatt',
    saftCode: '5',
    incomeAccount: '3100',
    category: 'Z',
    reason: 'Fritatt for merverdiavgift (merverdiavgiftsloven kapittel 6)',
    ehfReason: null,
    ehfReasonCode: null,
    needs: null,
  },
  EXPORT: {
    label: '0 % utførsel',
    saftCode: '52',
    incomeAccount: '3105',
    category: 'G',
    reason: ABROAD,
    ehfReason: ABROAD,
    ehfReasonCode: 'VATEX-EU-G',
    needs: 'FOREIGN_COUNTRY',
  },
  OUTSIDE: {
    label: '0 % utenfor mva-loven',
    saftCode: '6',
    incomeAccount: '3200',
    category: 'E',
    reason: OUTSIDE_THE_ACT,
    ehfReason: OUTSIDE_THE_ACT,
    ehfReasonCode: null,
    needs: null,
  },
  REVERSE: {
    label: '0 % omvendt avgiftsplikt',
    saftCode: '51',
    incomeAccount: '3005',
    category: 'AE',
    reason: REVERSED,
    ehfReason: REVERSED,
    ehfReasonCode: 'VATEX-EU-AE',
    needs: 'BUYER_VAT_NUMBER',
  },
  NOT_REGISTERED: {
    label: 'Ingen mva',
    saftCode: '7',
    incomeAccount: '3200',
    category: 'O',
    reason: null,
    ehfReason: 'Selger er ikke registrert i Merverdiavgiftsregisteret',
    ehfReasonCode: 'VATEX-EU-O',
    needs: null,
  },
} as const satisfies Readonly<Record<string, Treatment>>;

export type VatTreatment = keyof typeof VAT_TREATMENTS;
export const VAT_TREATMENT_NAMES = Object.keys(VAT_TREATMENTS) as VatTreatment[];

/** The properties of a treatment. */
export function treatmentOf(name: VatTreatment): Treatment {
  return VAT_TREATMENTS[name];
}

/** Every rate that a line may have, in percent: today's, and those of earlier days. */
export const VAT_RATES = [0, 6, 12, 15, 25] as const;
export type VatRate = (typeof VAT_RATES)[number];

/**
 * The rates from each day on, the latest first. Source: the Storting's yearly resolutions on value added tax, §§ 2 to 4
 * (skatteetaten.no/satser). The low rate was 6 % from 1 April 2020 through 30 September 2021.
 */
const DATED_RATES: readonly {
  readonly from: IsoDate;
  readonly rates: Partial<Readonly<Record<VatTreatment, VatRate>>>;
}[] = [
  { from: '2021-10-01', rates: { STANDARD: 25, FOOD: 15, REDUCED: 12 } },
  { from: '2020-04-01', rates: { STANDARD: 25, FOOD: 15, REDUCED: 6 } },
  { from: '2018-01-01', rates: { STANDARD: 25, FOOD: 15, REDUCED: 12 } },
];

/** The rate of a treatment for what is delivered on this day; null before the rates are known. */
export function vatRateOn(treatment: VatTreatment, date: IsoDate): VatRate | null {
  const dated = DATED_RATES.find(({ from }) => from <= date);
  return dated ? (dated.rates[treatment] ?? 0) : null;
}

/**
 * Converts a price with VAT to the nearest price without VAT. Both are in kroner, rounded to whole øre. Returns an
 * invalid price unchanged, for the schema to refuse.
 */
export function netOf<Price extends number | null>(gross: Price, rate: VatRate | null): Price {
  return scaled(gross, 100, 100 + (rate ?? 0));
}

/** Converts a price without VAT to one with VAT. Both are in kroner, rounded to whole øre. */
export function grossOf<Price extends number | null>(net: Price, rate: VatRate | null): Price {
  return scaled(net, 100 + (rate ?? 0), 100);
}

function scaled<Price extends number | null>(price: Price, factor: number, divisor: number): Price {
  if (price === null || !isKroner(price)) return price;
  const amount = divideRounded(BigInt(kronerToOre(price)) * BigInt(factor), BigInt(divisor));
  return Number.isSafeInteger(Number(amount)) ? (oreToKroner(ore(Number(amount))) as Price) : price;
}

/** The treatment of a line that states its rate alone (VAT-1). */
export function treatmentOfRate(rate: VatRate, vatRegistered: boolean): VatTreatment {
  if (rate === 25) return 'STANDARD';
  if (rate === 15) return 'FOOD';
  if (rate > 0) return 'REDUCED';
  return vatRegistered ? 'EXEMPT' : 'NOT_REGISTERED';
}

/** Whether the seller may use a treatment: NOT_REGISTERED is for those outside of the VAT register, and all they have. */
export function maySellerUse(treatment: VatTreatment, vatRegistered: boolean): boolean {
  return (treatment === 'NOT_REGISTERED') !== vatRegistered;
}

/** The treatment of a new line, with the default that the company has chosen. The country of the buyer never chooses it. */
export function treatmentOfNew(chosen: VatTreatment | null, vatRegistered: boolean): VatTreatment {
  if (chosen !== null && maySellerUse(chosen, vatRegistered)) return chosen;
  return vatRegistered ? 'STANDARD' : 'NOT_REGISTERED';
}

export const vatTreatment = z.enum(VAT_TREATMENT_NAMES);

// Made once: making a schema takes longer than checking all lines of an invoice with it.
const vatRate = z.literal(VAT_RATES);
const day = z.iso.date();

/** The VAT of a line in an answer. The treatment is shown while `vat` is on. */
export const vatOfLine = {
  vatRatePercentage: vatRate,
  vatTreatment: described(z.optional(vatTreatment), 'With the feature vat'),
};

/** A line's VAT as answers have it. */
export function presentVat(
  line: { readonly vatRate: VatRate; readonly vatTreatment: VatTreatment },
  features: ReadonlySet<Feature>,
) {
  const { vatRate: vatRatePercentage } = line;
  return features.has('vat')
    ? { vatRatePercentage, vatTreatment: line.vatTreatment }
    : { vatRatePercentage };
}

/** A form with lines, whose fields may have values of any type. */
interface UncheckedForm {
  readonly templateId?: unknown;
  readonly issueDate?: unknown;
  readonly deliveryDate?: unknown;
  readonly invoiceLines?: unknown;
  readonly lines?: unknown;
}

interface UncheckedLine {
  readonly vatRatePercentage?: unknown;
  readonly vatTreatment?: unknown;
}

/**
 * Refuses rates that are not those of their treatments on the form's day of delivery, or today where it has none
 * (VAT-3). The lines of a template are not the form's own.
 */
export function judgeRates(form: UncheckedForm, context: z.core.$RefinementCtx): void {
  const { templateId, deliveryDate, issueDate = todayInOslo() } = form;
  const field = 'lines' in form ? 'lines' : 'invoiceLines';
  const lines = form[field];
  const date = day.safeParse(deliveryDate ?? issueDate).data;
  if (typeof templateId === 'number' || !Array.isArray(lines) || date === undefined) return;
  for (const [index, line] of (lines as (UncheckedLine | null)[]).entries()) {
    const stated = vatRate.safeParse(line?.vatRatePercentage).data;
    if (stated === undefined) continue;
    // Registered or not, a rate of 0 stays 0.
    const named = vatTreatment.safeParse(line?.vatTreatment).data;
    const treatment = named ?? treatmentOfRate(stated, true);
    const rate = vatRateOn(treatment, date);
    if (rate === null || rate === stated) continue;
    const path = [field, index, 'vatRatePercentage'];
    context.addIssue({
      code: 'custom',
      path,
      ...rule('{0} must be {1} % for {2}', rate, treatment),
    });
  }
}
