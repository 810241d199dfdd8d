import type { IsoDate } from '../../domain/date.ts';

let weekday: Intl.DateTimeFormat | undefined;

/** '2026-11-21' → 'lørdag'. */
export function weekdayOf(date: IsoDate): string {
  weekday ??= new Intl.DateTimeFormat('nb-NO', { weekday: 'long', timeZone: 'UTC' });
  return weekday.format(new Date(date));
}
