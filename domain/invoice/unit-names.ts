import { formatQuantity } from './invoice-line.schema.ts';

type Words = readonly [one: string, others: string];

/** Singular and plural. Most invoices use these units. */
const COMMON: Readonly<Record<string, Words>> = {
  EA: same('stk'),
  HUR: ['time', 'timer'],
  DAY: ['dag', 'dager'],
  WEE: ['uke', 'uker'],
  MON: ['måned', 'måneder'],
  ANN: same('år'),
  MTR: same('m'),
  MTK: same('m²'),
  MTQ: same('m³'),
  KGM: same('kg'),
  TNE: same('tonn'),
  LTR: same('liter'),
  KMT: same('km'),
};

/** Codes of UN/ECE Recommendation 20, and those of Recommendation 21 with the prefix X. */
const OTHER: Readonly<Record<string, Words>> = {
  MIN: ['minutt', 'minutter'],
  E49: ['arbeidsdag', 'arbeidsdager'],
  QAN: same('kvartal'),
  LS: same('fast pris'),
  E51: same('oppdrag'),
  E54: ['tur', 'turer'],
  IE: ['person', 'personer'],
  ZP: ['side', 'sider'],
  SET: same('sett'),
  PR: same('par'),
  DZN: same('dusin'),
  XPK: ['pakke', 'pakker'],
  XBX: ['eske', 'esker'],
  XCT: ['kartong', 'kartonger'],
  XCR: ['kasse', 'kasser'],
  XBG: ['pose', 'poser'],
  XSA: ['sekk', 'sekker'],
  XPX: ['pall', 'paller'],
  XRO: ['rull', 'ruller'],
  XBE: ['bunt', 'bunter'],
  XBO: ['flaske', 'flasker'],
  XCX: ['boks', 'bokser'],
  MMT: same('mm'),
  CMT: same('cm'),
  CMK: same('cm²'),
  DAA: same('dekar'),
  H18: same('hektar'),
  GRM: same('g'),
  MLT: same('ml'),
  DLT: same('dl'),
  KWH: same('kWh'),
  MWH: same('MWh'),
  E34: same('GB'),
};

function same(word: string): Words {
  return [word, word];
}

const WORDS: ReadonlyMap<string, Words> = new Map(Object.entries({ ...COMMON, ...OTHER }));

export const COMMON_UNITS: readonly string[] = Object.keys(COMMON);
export const OTHER_UNITS: readonly string[] = Object.keys(OTHER);

/** The Norwegian name of a unit, or its code when it has no name here. */
export function unitName(unit: string): string {
  return WORDS.get(unit)?.[0] ?? unit;
}

/**
 * A quantity with its unit in Norwegian: '1 time', '0,5 timer', '12 m²'. Decimals take the plural, also below one
 * (Språkrådet). Without a unit, the number alone.
 */
export function formatCounted(quantity: number, unit: string | null | undefined): string {
  const number = formatQuantity(quantity);
  if (!unit) return number;
  const [one, others] = WORDS.get(unit) ?? same(unit);
  return `${number}\u00A0${quantity === 1 ? one : others}`;
}
