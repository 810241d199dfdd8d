import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { HOME_COUNTRY } from '../country.ts';
import type { VatTreatment } from '../vat-treatment.ts';

const HINT_CODES = [
  'DATE_BACK',
  'DATE_AHEAD',
  'SERIES_BACK',
  'EXPORT_TO_NORWAY',
  'BUYER_NUMBER_2028',
  'ESTIMATE_EXCEEDED',
  'VAT_BEFORE_DELIVERY',
] as const;

export const hint = z.object({
  code: z.enum(HINT_CODES),
  field: described(z.string(), 'As a body names it'),
  message: z.string(),
});

/** A doubt about a draft that the law leaves to its author (INV-46, VAT-12, QUO-58); it stops nothing. */
export interface Hint {
  readonly code: (typeof HINT_CODES)[number];
  /** As the API names it. */
  readonly field: string;
  readonly words: { readonly en: string; readonly nb: string };
}

export interface HintedLine {
  readonly vatTreatment?: VatTreatment | null | undefined;
}

/**
 * Exports are exempt when they are delivered abroad (merverdiavgiftsloven § 6-21).
 *
 * @param index of the line, from 0
 */
export function hintOfLine(
  line: HintedLine | null | undefined,
  index: number,
  deliveryCountry: string | null | undefined,
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
