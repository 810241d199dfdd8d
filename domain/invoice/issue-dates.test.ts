import { describe, expect, test } from 'vitest';

import { hintsOfDate } from './draft-hints.ts';
import { issueDatesOn } from './issue-dates.ts';

describe('INV-46: within 15 working days the last day of the month before', () => {
  test.each([
    // 1 November is a Sunday.
    ['2026-11-01', '2026-10-31', '2026-11-18'],
    ['2026-11-18', '2026-10-31', '2026-11-18'],
    // New Year's Day is a Friday.
    ['2027-01-01', '2026-12-31', '2027-01-19'],
    // Easter is at the end of the month before, so all of its holidays but Easter Monday are there.
    ['2027-04-10', '2027-03-31', '2027-04-17'],
    // 1 May is a Saturday; Ascension Day is the 6th, Whit Monday and Constitution Day are the 17th.
    ['2027-05-21', '2027-04-30', '2027-05-21'],
    ['2028-03-01', '2028-02-29', '2028-03-17'],
  ])('may be used on %s', (today, date, until) => {
    expect(issueDatesOn(today)).toEqual({ today, monthEnd: { date, until } });
  });

  test.each(['2026-11-19', '2026-11-30', '2027-01-20', '2027-05-22'])(
    'may not be used on %s',
    (today) => {
      expect(issueDatesOn(today)).toEqual({ today, monthEnd: null });
    },
  );

  test('ends on one day of each month, after which it is not offered again', () => {
    for (let month = 0; month < 1200; month += 1) {
      const first = new Date(Date.UTC(2020, month, 1));
      const days = Array.from({ length: 28 }, (_, day) =>
        new Date(first.getTime() + day * 86_400_000).toISOString().slice(0, 10),
      );
      const allowed = days.map((day) => issueDatesOn(day).monthEnd);
      const last = allowed.findLastIndex((end) => end !== null);
      // The 15th is always within it, and the 24th never.
      expect(last).toBeGreaterThanOrEqual(14);
      expect(last).toBeLessThan(23);
      expect(allowed.slice(0, last).every((end) => end?.until === days[last])).toBe(true);
    }
  });
});

describe('INV-46: hints of dates', () => {
  const early = { ...issueDatesOn('2026-11-10'), lastIssued: null };
  const late = { ...issueDatesOn('2026-11-28'), lastIssued: null };
  const codes = (...call: Parameters<typeof hintsOfDate>) =>
    hintsOfDate(...call).map(({ code }) => code);

  test.each([
    ['today', '2026-11-10', null, early, []],
    ['tomorrow', '2026-11-11', null, early, ['DATE_AHEAD']],
    ['yesterday', '2026-11-09', null, early, ['DATE_BACK']],
    ['the month end', '2026-10-31', '', early, []],
    ['the month end of what was delivered then', '2026-10-31', '2026-10-31', early, []],
    ['the month end of what was delivered later', '2026-10-31', '2026-11-01', early, ['DATE_BACK']],
    ['the month end, too late', '2026-10-31', '2026-10-31', late, ['DATE_BACK']],
    ['an earlier month end', '2026-09-30', null, early, ['DATE_BACK']],
  ])('%s', (_, issueDate, deliveryDate, dates, expected) => {
    expect(codes({ issueDate, deliveryDate }, dates)).toEqual(expected);
  });

  test('a registered document with a later date', () => {
    const after = { ...early, lastIssued: '2026-11-10' };
    expect(codes({ issueDate: '2026-11-10' }, after)).toEqual([]);
    expect(codes({ issueDate: '2026-11-09' }, after)).toEqual(['DATE_BACK', 'SERIES_BACK']);
    expect(codes({ issueDate: '2026-10-31' }, after)).toEqual([]);
    expect(codes({ issueDate: '2026-11-10' }, { ...after, lastIssued: '2026-12-01' })).toEqual([
      'SERIES_BACK',
    ]);
  });
});
