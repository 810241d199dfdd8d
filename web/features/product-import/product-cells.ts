import {
  COMMON_UNITS,
  formatCounted,
  OTHER_UNITS,
  unitName,
} from '../../../domain/invoice/unit-names.ts';
import {
  treatmentOf,
  treatmentOfRate,
  VAT_RATES,
  VAT_TREATMENT_NAMES,
  type VatTreatment,
} from '../../../domain/vat-treatment.ts';
import { numberIn, readNumber } from '../../lib/number-text.ts';

/** The number in a cell, such as 'kr 480,-'; undefined when there is none. */
export function priceIn(text: string): number | undefined {
  const { value } = readNumber(numberIn(text) ?? text);
  return value === null || Number.isNaN(value) ? undefined : value;
}

/** Other words and abbreviations for units. */
const UNIT_WORDS: Readonly<Record<string, string>> = {
  stykk: 'EA',
  stykker: 'EA',
  pcs: 'EA',
  each: 'EA',
  t: 'HUR',
  h: 'HUR',
  hour: 'HUR',
  hours: 'HUR',
  min: 'MIN',
  mnd: 'MON',
  meter: 'MTR',
  m2: 'MTK',
  kvm: 'MTK',
  m3: 'MTQ',
  kilo: 'KGM',
  l: 'LTR',
  pk: 'XPK',
  pkt: 'XPK',
};

let units: ReadonlyMap<string, string> | undefined;

/** The code of a unit that is named in Norwegian or by its code. */
export function unitIn(text: string): string | undefined {
  units ??= new Map([
    ...Object.entries(UNIT_WORDS),
    ...[...COMMON_UNITS, ...OTHER_UNITS].flatMap((code) => {
      const plural = formatCounted(2, code).slice('2 '.length);
      return [code, unitName(code), plural].map((name) => [name.toLowerCase(), code] as const);
    }),
  ]);
  return units.get(text.toLowerCase().replace(/\.$/, ''));
}

const RATE_WORDS: Readonly<Record<string, VatTreatment>> = {
  høy: 'STANDARD',
  middels: 'FOOD',
  lav: 'REDUCED',
};

/** The VAT treatment of a rate, such as '25 %', or of a label or a part of one, such as 'fritatt'. */
export function treatmentIn(text: string, isRegistered: boolean): VatTreatment | undefined {
  const words = text.toLowerCase();
  const rate = /^(\d{1,2})(?:[,.]0+)? ?%?$/.exec(words)?.[1];
  const known = VAT_RATES.find((other) => rate !== undefined && other === Number(rate));
  if (known !== undefined) return treatmentOfRate(known, isRegistered);
  const [level = ''] = words.split(' ');
  return (
    RATE_WORDS[level] ??
    VAT_TREATMENT_NAMES.find((name) => {
      const label = treatmentOf(name).label.toLowerCase();
      return (
        name.toLowerCase() === words || label === words || label.replace(/^\d+ % /, '') === words
      );
    })
  );
}
