import { describe, expect, test } from 'vitest';

import { daysBetween } from '../date.ts';
import { easterSunday, isWorkingDay, workingDayFrom, workingDaysBetween } from './working-days.ts';

// REM-2
describe('Norwegian working days', () => {
  test.each([
    ['2000', '2000-04-23'],
    ['2008', '2008-03-23'],
    ['2011', '2011-04-24'],
    ['2019', '2019-04-21'],
    ['2024', '2024-03-31'],
    ['2025', '2025-04-20'],
    ['2026', '2026-04-05'],
    ['2027', '2027-03-28'],
    ['2038', '2038-04-25'],
    ['2285', '2285-03-22'],
  ])('Easter Sunday of %s is %s', (year, date) => {
    expect(easterSunday(Number(year))).toBe(date);
  });

  test('Easter is a Sunday from 22 March through 25 April in every year', () => {
    for (let year = 1900; year < 3000; year += 1) {
      const date = easterSunday(year);
      expect(daysBetween('1900-01-07', date) % 7).toBe(0);
      expect(date >= `${year}-03-22` && date <= `${year}-04-25`).toBe(true);
    }
  });

  test('the holidays of 2026 that are not a Saturday or Sunday', () => {
    const holidays = [];
    for (let day = 0; day < 365; day += 1) {
      const date = new Date(Date.UTC(2026, 0, 1 + day));
      const isWeekend = date.getUTCDay() % 6 === 0;
      const text = date.toISOString().slice(0, 10);
      if (!isWeekend && !isWorkingDay(text)) holidays.push(text);
    }
    expect(holidays).toEqual([
      '2026-01-01',
      '2026-04-02',
      '2026-04-03',
      '2026-04-06',
      '2026-05-01',
      '2026-05-14',
      '2026-05-25',
      '2026-12-25',
    ]);
  });

  test.each([
    ['2026-05-15', '2026-05-15'],
    ['2026-05-16', '2026-05-18'],
    ['2026-04-02', '2026-04-07'],
    // Ascension Day and 17 May on a Thursday, and Whit Monday on 17 May.
    ['2012-05-17', '2012-05-18'],
    ['2032-05-15', '2032-05-18'],
    ['2026-12-25', '2026-12-28'],
    ['2027-01-01', '2027-01-04'],
  ])('%s counts as %s', (date, counted) => {
    expect(workingDayFrom(date)).toBe(counted);
  });

  test('working days are counted after the first day, through the last', () => {
    expect(workingDaysBetween('2026-11-20', '2026-11-23')).toBe(1);
    expect(workingDaysBetween('2026-04-01', '2026-04-07')).toBe(1);
    expect(workingDaysBetween('2026-11-16', '2026-11-20')).toBe(4);
    expect(workingDaysBetween('2026-11-20', '2026-11-20')).toBe(0);
    expect(workingDaysBetween('2026-11-20', '2026-11-16')).toBe(0);
  });
});
