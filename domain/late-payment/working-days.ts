import { addDays, daysBetween, type IsoDate } from '../date.ts';

const SATURDAY = 6;
const SUNDAY = 0;

/** The same every year, as MM-DD: lov om 1. og 17. mai, and helligdagsfredloven § 2. */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set(['01-01', '05-01', '05-17', '12-25', '12-26']);

/**
 * Days after Easter Sunday: Maundy Thursday, Good Friday, Easter Sunday and Monday, Ascension Day, Whit
 * Sunday and Monday (helligdagsfredloven § 2).
 */
const EASTER_HOLIDAYS: ReadonlySet<number> = new Set([-3, -2, 0, 1, 39, 49, 50]);

/** Whether a day is neither a Saturday, a Sunday nor a public holiday in Norway. */
export function isWorkingDay(date: IsoDate): boolean {
  return weekdayOf(date) !== SATURDAY && isDayOfWork(date);
}

/** Whether a day is neither a Sunday nor a public holiday in Norway. */
export function isDayOfWork(date: IsoDate): boolean {
  if (weekdayOf(date) === SUNDAY) return false;
  return !FIXED_HOLIDAYS.has(date.slice(5)) && !EASTER_HOLIDAYS.has(daysAfterEaster(date));
}

function weekdayOf(date: IsoDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** The day itself if it is a working day, otherwise the next working day (gjeldsbrevloven § 5). */
export function workingDayFrom(date: IsoDate): IsoDate {
  let day = date;
  while (!isWorkingDay(day)) day = addDays(day, 1);
  return day;
}

/** Number of working days after the first date, through the second; 0 when the second is not later. */
export function workingDaysBetween(after: IsoDate, through: IsoDate): number {
  let count = 0;
  for (let day = addDays(after, 1); day <= through; day = addDays(day, 1)) {
    if (isWorkingDay(day)) count += 1;
  }
  return count;
}

/** Easter Sunday of a year by the Gregorian calendar (Meeus, Jones and Butcher). */
export function easterSunday(year: number): IsoDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const epact =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30;
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const sinceMarch = epact + weekday - 7 * correction + 114;
  const month = String(Math.floor(sinceMarch / 31)).padStart(2, '0');
  const day = String((sinceMarch % 31) + 1).padStart(2, '0');
  return `${year}-${month}-${day}`;
}

function daysAfterEaster(date: IsoDate): number {
  return daysBetween(easterSunday(Number(date.slice(0, 4))), date);
}
