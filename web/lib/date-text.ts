import { formatDate, type IsoDate, todayInOslo } from '../../domain/date.ts';

const ISO = /^(\d{4})-(\d{2})-(\d{2})$/;
/** 21.11.2026, 1.2.26, 21/11/2026, 21112026 and 211126. */
const NORWEGIAN = /^(\d{1,2})[./\s-]+(\d{1,2})[./\s-]+(\d{4}|\d{2})$|^(\d{2})(\d{2})(\d{4}|\d{2})$/;

/** Parses a typed date; null when the text is not an existing date. */
export function parseDate(text: string): IsoDate | null {
  const trimmed = text.trim();
  const iso = ISO.exec(trimmed);
  if (iso) return realDate(iso[1], iso[2], iso[3]);
  const parts = NORWEGIAN.exec(trimmed);
  if (!parts) return null;
  const [day, month, year] = [parts[1] ?? parts[4], parts[2] ?? parts[5], parts[3] ?? parts[6]];
  return realDate(year?.length === 2 ? `20${year}` : year, month, day);
}

/** '2026-11-21' → '21.11.2026'. Other text is returned unchanged. */
export function showDate(value: string): string {
  const parts = ISO.exec(value);
  return parts ? `${parts[3]}.${parts[2]}.${parts[1]}` : value;
}

/** The day of an ISO instant in Oslo: '21.11.2026'. */
export function showDay(instant: string): string {
  return formatDate(todayInOslo(new Date(instant)));
}

function realDate(year = '', month = '', day = ''): IsoDate | null {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const instant = new Date(`${date}T00:00:00Z`);
  // JavaScript turns 31 February into 3 March.
  const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date);
  return isReal ? date : null;
}

let weekday: Intl.DateTimeFormat | undefined;

/** '2026-11-21' → 'lørdag'. */
export function weekdayOf(date: IsoDate): string {
  weekday ??= new Intl.DateTimeFormat('nb-NO', { weekday: 'long', timeZone: 'UTC' });
  return weekday.format(new Date(date));
}
