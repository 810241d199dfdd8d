import type { IsoDate } from '../../domain/date.ts';
import { once } from '../../domain/once.ts';

const weekday = once(() => new Intl.DateTimeFormat('nb-NO', { weekday: 'long', timeZone: 'UTC' }));

/** '2026-11-21' → 'lørdag'. */
export function weekdayOf(date: IsoDate): string {
  return weekday().format(new Date(date));
}
