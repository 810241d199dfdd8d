import type { Feature } from '../../../domain/api/endpoint.ts';
import type { Sentence } from '../../../domain/api/rules.ts';
import { todayInOslo } from '../../../domain/date.ts';
import { defaultVatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import {
  COMMON_UNITS,
  formatCounted,
  OTHER_UNITS,
  unitName,
} from '../../../domain/invoice/unit-names.ts';
import { isKroner } from '../../../domain/money.ts';
import type { ProductImportResult } from '../../../domain/product/product-import.schema.ts';
import { importProducts } from '../../../domain/product/product.endpoints.ts';
import {
  netOf,
  treatmentOf,
  treatmentOfRate,
  VAT_RATES,
  VAT_TREATMENT_NAMES,
  vatRateOn,
  type VatTreatment,
} from '../../../domain/vat-treatment.ts';
import { callWithProgress } from '../../lib/upload.ts';
import { fieldNumber, formatNumber, NAMES, numberIn, showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { explainRule, type ImportKind, mostAre } from '../import/import-kind.ts';
import { answerIn, oneLine } from '../import/rows.ts';
import type { CompanyVat } from '../editor/draft-values.ts';

/** A product in the API's format, without empty fields; a price that cannot be read is text. */
type ProductRow = Readonly<{
  number?: string;
  name?: string;
  description?: string;
  unit?: string;
  netPrice?: number | string;
  grossPrice?: number | string;
  vatTreatment?: string;
  active?: boolean | string;
}>;

/** In the order of the menu. */
const LABELS = {
  number: 'Nummer',
  name: 'Navn',
  description: 'Beskrivelse',
  unit: 'Enhet',
  netPrice: 'Pris eks. mva.',
  grossPrice: 'Pris inkl. mva.',
  vatTreatment: 'Mva.',
  active: 'I bruk',
};

type Target = keyof typeof LABELS;

const HEADINGS: Readonly<Record<Target, string>> = {
  number:
    'nummer nr no id produktnummer produktnr varenummer varenr artikkelnummer artikkelnr kode varekode ' +
    'produktkode sku number productnumber productno itemnumber itemno code',
  name: 'navn produkt produktnavn vare varenavn tjeneste artikkel behandling tittel name product item title',
  description: 'beskrivelse beskrivelsepåfakturaen fakturatekst tekst varetekst description text',
  unit: 'enhet salgsenhet enh unit',
  netPrice: `pris priser priskr kr enhetspris utpris beløp nettopris netprice price unitprice ${pricesOf(
    'eks eksmva ekskl eksklmva ekskluderende ekskluderendemva utenmva umva netto exvat exclvat',
  )}`,
  grossPrice: `utsalgspris veiledendepris bruttopris grossprice pricewithvat ${pricesOf(
    'inkl inklmva inkludert inkludertmva inklusive inklusivemva medmva mmva brutto incvat inclvat',
  )}`,
  vatTreatment: 'mva mvasats mvakode avgift avgiftskode moms sats vat vattreatment vatrate tax',
  active: 'ibruk aktiv aktivt status active',
};

/** Headings for prices, each with each of the ends: 'utprisinklmva'. Prices of purchase are not among them. */
function pricesOf(ends: string): string {
  const prices =
    'pris priser priskr utpris salgspris utsalgspris enhetspris stykkpris stkpris timepris listepris beløp price';
  return prices
    .split(' ')
    .flatMap((price) => ends.split(' ').map((end) => `${price}${end}`))
    .join(' ');
}

/** The columns and values of a list of products, with these features and this seller. */
export function productKind(
  features: ReadonlySet<Feature>,
  vat: CompanyVat,
): ImportKind<ProductRow, ProductImportResult> {
  const targets = (Object.keys(LABELS) as Target[]).filter(
    (target) =>
      (target !== 'unit' || features.has('units')) &&
      (target !== 'vatTreatment' || features.has('vat')),
  );
  const only = (texts: Readonly<Record<Target, string>>) =>
    Object.fromEntries(targets.map((target) => [target, texts[target]]));
  return {
    words: wordsFor(features),
    columns: {
      labels: only(LABELS),
      headings: only(HEADINGS),
      beside: new Map(),
      isOfRecord,
      guess,
    },
    rows: {
      fields: targets,
      tidy: (cell) => oneLine(cell),
      // A price without VAT is the one that is stored.
      join: (cell) => (cell('netPrice') ? { grossPrice: '' } : NOTHING_JOINED),
      valueOf: (field, text) => valueOf(field, text, vat) ?? text,
    },
    preview: [
      { heading: 'Nummer', numeric: true, cell: ({ number }) => number },
      {
        heading: 'Pris eks. mva.',
        numeric: true,
        align: 'end',
        cell: (row, known) => priceText(known?.netPrice ?? netPriceOf(row, vat)),
      },
      { heading: 'Beskrivelse, enhet og mva.', roomy: true, cell: detailsOf },
    ],
    nameOfKnown: ({ number }) => `Produkt ${number}`,
    explain,
    send: async (request, sending) => callWithProgress(importProducts, request, sending),
    subject: 'product-import',
    changes: 'products',
    list: paths.products,
  };
}

function wordsFor(features: ReadonlySet<Feature>) {
  const more = [
    'beskrivelse på fakturaen',
    ...(features.has('units') ? ['enhet (stk, time, kg)'] : []),
    ...(features.has('vat') ? ['mva.'] : []),
    'om det er i bruk (ja eller nei)',
  ];
  return {
    one: 'produkt',
    many: 'produkter',
    theOne: 'Produktet',
    theMany: 'produktene',
    fresh: 'nytt',
    oneOf: 'Ett',
    programs: 'Excel, Google Regneark eller kassesystemet',
    example: 'Nummer\tNavn\tPris eks. mva.\n1\tKlipp\t480',
    facts: [
      'Kolonner for nummer, navn og pris, med eller uten mva. Du ser og endrer hva som er hva før noe lagres.',
      `Også ${NAMES.format(more)}.`,
      'Produkter du har fra før, kjennes igjen på nummeret.',
    ],
    conflict: {
      title: 'Det er ikke flere ledige numre etter det høyeste.',
      help: 'Ta med en kolonne med produktnumre.',
    },
  } as const;
}

const NOTHING_JOINED = {};

function isOfRecord(cell: string): boolean {
  return numberIn(cell) !== null;
}

/** The number comes before the name, the price after it. */
function guess(cells: readonly string[], taken: ReadonlySet<string>): string | null {
  const most = (is: (cell: string) => boolean) => mostAre(cells, is);
  if (most((cell) => cell.endsWith('%'))) return 'vatTreatment';
  if (most(isOfRecord)) return taken.has('name') ? 'netPrice' : 'number';
  if (most((cell) => unitIn(cell) !== undefined)) return 'unit';
  if (!most((cell) => /\p{L}/u.test(cell))) return null;
  return taken.has('name') ? 'description' : 'name';
}

/** The price without VAT that a new product gets, or what stands in the list when that is no price. */
function netPriceOf(row: ProductRow, vat: CompanyVat): ProductRow['netPrice'] {
  const { netPrice, grossPrice, vatTreatment } = row;
  if (typeof grossPrice !== 'number') return netPrice ?? grossPrice;
  const stated = VAT_TREATMENT_NAMES.find((name) => name === vatTreatment) ?? vat.treatment;
  const rate = stated ? vatRateOn(stated, todayInOslo()) : defaultVatRate(vat.isRegistered);
  return netOf(grossPrice, rate);
}

function valueOf(field: string, text: string, vat: CompanyVat): unknown {
  if (field === 'netPrice' || field === 'grossPrice') return priceIn(text);
  if (field === 'unit') return unitIn(text);
  if (field === 'vatTreatment') return treatmentIn(text, vat.isRegistered);
  return field === 'active' ? (answerIn(text) ?? ACTIVE[text.toLowerCase()]) : text;
}

const ACTIVE: Readonly<Record<string, boolean>> = {
  aktiv: true,
  aktivt: true,
  active: true,
  inaktiv: false,
  utgått: false,
  inactive: false,
};

function priceText(price: ProductRow['netPrice']): string | undefined {
  if (typeof price !== 'number') return price;
  return isKroner(price) ? showKroner(price) : formatNumber(price, 3);
}

function detailsOf({ description, unit, vatTreatment, active }: ProductRow): string {
  const vat = vatTreatment && treatmentOf(vatTreatment as VatTreatment)?.label;
  const parts = [description, unit && unitName(unit), vat, active === false && 'ikke i bruk'];
  return parts.filter(Boolean).join(', ');
}

const PRICE = 'Skriv prisen som et tall, som 480 eller 480,50';

/** The contract's rules for a cell. */
const RULES: Partial<Record<Sentence, string>> = {
  '{0} must be a number': PRICE,
  '{0} must be an amount in kroner': PRICE,
  '{0} must have at most two decimals': PRICE,
  '{0} is too large': 'Prisen er for høy',
  '{0} must be a code of UN/ECE Recommendation 20':
    'Enheten er ikke kjent. Skriv for eksempel stk, time eller kg',
  '{0} must be one of the following values: {1}': 'Skriv mva. som 25 %, 15 %, 12 % eller fritatt',
  '{0} must not contain a slash, nor consist of dots':
    'Nummeret kan ikke ha skråstrek eller bare punktum',
};

function explain(field: string, message: string, text = ''): string | null {
  return explainRule(message, LABELS[field as Target], (sentence) =>
    RULES[sentence] === PRICE ? (thousandsOrOre(text) ?? PRICE) : RULES[sentence],
  );
}

/** Asks which number '12,500' is: English lists part thousands by commas. */
function thousandsOrOre(text: string): string | null {
  const [, kroner = '', decimals = ''] = /^(\d{1,3}),(\d{3})$/.exec(numberIn(text) ?? '') ?? [];
  if (decimals === '') return null;
  const thousands = `${kroner}${decimals}`;
  return decimals.endsWith('0')
    ? `Er prisen ${thousands} eller ${kroner},${decimals.slice(0, 2)}? Skriv den slik du mener den`
    : `Skriv prisen med høyst to desimaler, eller som ${thousands} hvis kommaet skiller tusener`;
}

/** The price in a cell, such as 'kr 480,-'; undefined when there is none, or it may be thousands too ('12,500'). */
export function priceIn(text: string): number | undefined {
  const { value } = fieldNumber(numberIn(text) ?? '', 2);
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

/**
 * The VAT treatment of a rate, such as '25 %', of a standard tax code of SAF-T, such as '6', or of a label or a part of
 * one, such as 'fritatt'. No code that sales may have is a rate of today; '6 %' was a rate.
 */
export function treatmentIn(text: string, isRegistered: boolean): VatTreatment | undefined {
  const words = text.toLowerCase();
  const coded = VAT_TREATMENT_NAMES.find((name) => treatmentOf(name).saftCode === words);
  if (coded) return coded;
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
