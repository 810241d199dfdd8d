import { todayInOslo, type IsoDate } from '../../../../domain/date.ts';
import { ore, type Ore } from '../../../../domain/money.ts';

const DECIMAL = /^\+?(?=\.?\d)(\d*)(?:\.(\d*))?$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/;
const DATE = /^(\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)?$/;
const KID = /^\d{1,24}[\d-]$/;
const NORWEGIAN_IBAN = /^NO\d{2}(\d{11})$/;

/** An unsigned decimal as exact øre; null when it is not a number, has more than two decimals, or is too large. */
export function decimalToOre(text: string): Ore | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > 2) return null;
  return digitsToOre(whole + fraction.padEnd(2, '0'));
}

/** As `decimalToOre` for sums: ISO 20022 allows more decimals there; they must be zeros. */
export function sumToOre(text: string): Ore | null {
  return decimalToOre(text.replace(/(\.\d\d)0+$/, '$1'));
}

/** Digits that count øre; null for other characters or too large a number. */
export function digitsToOre(digits: string): Ore | null {
  if (!/^\d+$/.test(digits)) return null;
  const amount = Number(digits);
  return Number.isSafeInteger(amount) ? ore(amount) : null;
}

/** DDMMYY of this century; null when there is no such day. */
export function parseShortDate(text: string): IsoDate | null {
  if (!/^\d{6}$/.test(text)) return null;
  return realDate(`20${text.slice(4, 6)}-${text.slice(2, 4)}-${text.slice(0, 2)}`);
}

/** The day of an ISO date, ignoring its time zone; null when there is no such day. */
export function parseDate(text: string): IsoDate | null {
  const [, date] = DATE.exec(text) ?? [];
  return date === undefined ? null : realDate(date);
}

/** The day in Norway of an instant; without a time zone the day as written. */
export function parseDateTime(text: string): IsoDate | null {
  const [, date, , , zone] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || realDate(date) === null) return null;
  if (zone === undefined) return date;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? null : realDate(todayInOslo(instant));
}

function realDate(date: string): IsoDate | null {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  const day = Number(date.slice(8, 10));
  if (year < 1900 || year > 2999 || month < 1 || month > 12) return null;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate() ? date : null;
}

/** A KID without blanks; null when it is none. With MOD11 it may end in '-'. */
export function parseKid(text: string): string | null {
  const kid = text.replaceAll(/\s/g, '');
  return KID.test(kid) ? kid : null;
}

/** An account from a file: the 11 digits of a Norwegian one, else the text without blanks. */
export function parseAccount(text: string): string {
  const account = text.replaceAll(/[\s.]/g, '').toUpperCase();
  return NORWEGIAN_IBAN.exec(account)?.[1] ?? account;
}

/** Text on one line, without control characters; null when nothing is left. */
export function cleanText(text: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const line = text.replaceAll(/[\s\u0000-\u001F\u007F-\u009F]+/g, ' ').trim();
  return line === '' ? null : line;
}
