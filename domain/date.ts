import { z } from 'zod/mini';

import { rule } from './api/rules.ts';

/** A calendar date as YYYY-MM-DD. */
export type IsoDate = string;

const TIME_ZONE = 'Europe/Oslo';
const FIRST_YEAR = 1900;
const LAST_YEAR = 2999;
const DATE = /^\d{4}-\d\d-\d\d$/;

// Made at first use: together they take a browser longer than its first drawing can wait.
let osloDate: Intl.DateTimeFormat | undefined;
// A list asks for the days of the same hours again and again.
const datesOfHours = new Map<number, IsoDate>();
const HOURS_KEPT = 10_000;
let osloHour: Intl.DateTimeFormat | undefined;
let norwegianInstant: Intl.DateTimeFormat | undefined;
let norwegianDayAndTime: Intl.DateTimeFormat | undefined;

/** A real calendar date on the wire. */
export function dateText() {
  return z.iso
    .date()
    .check(
      z.refine(
        (date) => !DATE.test(date) || isOfYears(date),
        rule('{0} must be between {1}-01-01 and {2}-12-31', FIRST_YEAR, LAST_YEAR),
      ),
    );
}

function isOfYears(date: IsoDate): boolean {
  const year = Number(date.slice(0, 4));
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** Today's date in Norway, whatever the machine's own time zone. */
export function todayInOslo(now: Date = new Date()): IsoDate {
  // Oslo's days begin with an hour, in summer and winter.
  const hour = Math.floor(now.getTime() / 3_600_000);
  let date = datesOfHours.get(hour);
  if (date === undefined) {
    // sv-SE writes dates as ISO 8601 does.
    osloDate ??= new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short' });
    date = osloDate.format(now);
    if (datesOfHours.size >= HOURS_KEPT) datesOfHours.clear();
    datesOfHours.set(hour, date);
  }
  return date;
}

/** The hour of the day in Norway, from 0. */
export function hourInOslo(now: Date = new Date()): number {
  osloHour ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: TIME_ZONE,
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return Number(osloHour.format(now));
}

/** The date this many days later, or earlier when negative. */
export function addDays(date: IsoDate, days: number): IsoDate {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}

/** How many days later the second date is (negative when it is earlier). */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** '2026-11-21' → '21.11.2026'. */
export function formatDate(date: IsoDate): string {
  return date.split('-').toReversed().join('.');
}

/** An ISO instant as Norwegian date and 24-hour time in Oslo: '21.11.2026, 14:05'. */
export function formatInstant(instant: string): string {
  norwegianInstant ??= new Intl.DateTimeFormat('nb-NO', {
    timeZone: TIME_ZONE,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return norwegianInstant.format(new Date(instant));
}

/** An ISO instant in running text, in Oslo: '21. november 2026 kl. 14:05'. */
export function dayAndTime(instant: string): string {
  norwegianDayAndTime ??= new Intl.DateTimeFormat('nb-NO', {
    timeZone: TIME_ZONE,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return norwegianDayAndTime.format(new Date(instant));
}
