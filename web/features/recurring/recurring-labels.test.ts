import { expect, test } from 'vitest';

import type { Assignment, AssignmentRun } from '../../../domain/recurring/recurring.schema.ts';
import {
  endText,
  intervalText,
  leftText,
  obstacleText,
  recipientsText,
  runText,
} from './recurring-labels.ts';

test('recipients are shown by name when the name is known', () => {
  const names = { group: 'Leietakere', customer: undefined };
  const group = '8f7f5b3e-0000-4000-8000-000000000000';
  expect(recipientsText({ customerCount: 0, groupUuid: group }, names)).toBe('Leietakere');
  expect(recipientsText({ customerCount: 2, groupUuid: group }, names)).toBe(
    'Leietakere og 2 kunder',
  );
  expect(recipientsText({ customerCount: 1, groupUuid: null }, names)).toBe('1 kunde');
  expect(
    recipientsText(
      { customerCount: 1, groupUuid: null },
      { ...names, customer: 'Nordnes Kaffebar' },
    ),
  ).toBe('Nordnes Kaffebar');
  // The group was deleted.
  expect(recipientsText({ customerCount: 0, groupUuid: null }, names)).toBe('Ingen');
});

test('the end of an assignment in words', () => {
  expect(endText({ lastDate: null, occurrences: null })).toBe('Aldri');
  expect(endText({ lastDate: '2027-12-31', occurrences: null })).toBe('Etter 31.12.2027');
  expect(endText({ lastDate: null, occurrences: 1 })).toBe('Etter én gang');
  expect(endText({ lastDate: null, occurrences: 12 })).toBe('Etter 12 ganger');
});

test('the result of a run, with the invoices that could not be sent', () => {
  const run: AssignmentRun = {
    periodFrom: '2026-12-01',
    periodTo: '2026-12-31',
    date: '2026-12-01',
    invoices: [],
    made: [],
    failures: [],
    lostCustomers: [],
    invoiceCount: 3,
    recipientCount: 3,
    mode: 'DRAFT',
    state: 'DONE',
  };
  expect(runText(run)).toBe('3 utkast er laget.');
  expect(runText({ ...run, invoiceCount: 0 })).toBe('Det var ingen å fakturere.');
  expect(runText({ ...run, state: 'RUNNING' })).toBe('Fakturaene lages nå.');
  const failures = [
    {
      customerNumber: 1,
      customerDeleted: false,
      customerName: 'Ola',
      message: 'Kunden mangler e-postadresse',
    },
  ];
  expect(runText({ ...run, mode: 'SEND', failures })).toBe(
    '3 fakturaer er laget. Én ble ikke sendt.',
  );
});

test('the invoices left from a run, also after its drafts were deleted', () => {
  const run: AssignmentRun = {
    periodFrom: '2026-12-01',
    periodTo: '2026-12-31',
    date: '2026-12-01',
    invoices: [],
    made: [],
    failures: [],
    lostCustomers: [],
    invoiceCount: 2,
    recipientCount: 3,
    mode: 'DRAFT',
    state: 'DONE',
  };
  expect(leftText(run)).toBe('2 utkast');
  expect(leftText({ ...run, invoiceCount: 0 })).toBe('Ingen fakturaer igjen');
  expect(leftText({ ...run, invoiceCount: 0, state: 'RUNNING' })).toBe('0 utkast');
  expect(leftText({ ...run, invoiceCount: 0, recipientCount: 0 })).toBe('Ingen mottakere');
});

const ASSIGNMENT: Assignment = {
  uuid: '8f7f5b3e-0000-4000-8000-000000000000',
  name: 'Husleie',
  customerNumbers: [1],
  customerCount: 1,
  groupUuid: null,
  templateId: 7,
  deliveryType: null,
  dueDays: null,
  invoiceLines: null,
  message: null,
  interval: { unit: 'MONTH', count: 1 },
  day: 1,
  firstDate: '2026-12-01',
  lastDate: null,
  occurrences: null,
  mode: 'DRAFT',
  state: 'ACTIVE',
  nextDate: '2026-12-01',
  hasRun: false,
  waitingReason: null,
  version: 1,
};

test('missing recipients are an obstacle, and a reason of the server comes first', () => {
  expect(obstacleText(ASSIGNMENT)).toBe(null);
  const deserted: Assignment = { ...ASSIGNMENT, customerCount: 0 };
  expect(obstacleText(deserted)).toBe('Oppdraget har ingen mottakere lenger. Velg noen.');
  expect(obstacleText({ ...deserted, waitingReason: 'Profilen må fullføres først' })).toBe(
    'Profilen må fullføres først.',
  );
});

test('a paused or ended assignment has no obstacle', () => {
  const deserted: Assignment = {
    ...ASSIGNMENT,
    customerCount: 0,
    waitingReason: 'Profilen må fullføres først',
  };
  expect(obstacleText({ ...deserted, state: 'PAUSED' })).toBe(null);
  expect(obstacleText({ ...deserted, state: 'ENDED' })).toBe(null);
});

const WEEKS = [
  [1, '2026-11-23', 'Hver mandag'],
  [2, '2026-11-23', 'Hver 2. uke på mandager'],
  [4, '2026-11-29', 'Hver 4. uke på søndager'],
] as const;

test.each(WEEKS)('every %i weeks from %s is «%s»', (count, firstDate, text) => {
  const rhythm = { interval: { unit: 'WEEK', count }, day: null } as const;
  expect(intervalText({ ...rhythm, firstDate })).toBe(text);
});

const MONTHS = [
  [1, 1, 'Hver måned den 1.'],
  [1, 31, 'Hver måned den 31.'],
  [2, 15, 'Hver 2. måned den 15.'],
  [6, 'LAST', 'Siste dag i hver 6. måned'],
  [1, 'LAST', 'Siste dag i hver måned'],
  [3, 'LAST', 'Siste dag i hver 3. måned'],
] as const;

test.each(MONTHS)('every %i months on day %s is «%s»', (count, day, text) => {
  const rhythm = { interval: { unit: 'MONTH', count }, day } as const;
  expect(intervalText({ ...rhythm, firstDate: '2026-11-23' })).toBe(text);
});

const YEARS = [
  ['2026-11-01', 15, 'Hvert år den 15. november'],
  ['2026-11-23', 15, 'Hvert år den 15. desember'],
  ['2026-12-31', 15, 'Hvert år den 15. januar'],
  ['2027-02-10', 30, 'Hvert år siste dag i februar'],
  ['2028-02-10', 29, 'Hvert år siste dag i februar'],
  ['2027-04-01', 31, 'Hvert år siste dag i april'],
  ['2027-02-10', 'LAST', 'Hvert år siste dag i februar'],
] as const;

test.each(YEARS)('once a year from %s on day %s is «%s»', (firstDate, day, text) => {
  const rhythm = { interval: { unit: 'MONTH', count: 12 }, day } as const;
  expect(intervalText({ ...rhythm, firstDate })).toBe(text);
});

test('while the first date is being typed, its words are left out', () => {
  const weeks = { interval: { unit: 'WEEK', count: 2 }, day: null } as const;
  for (const firstDate of ['2', '12', '23.1', '1.12', '01.12.202', '2026-02-31']) {
    expect(intervalText({ ...weeks, firstDate })).toBe('Hver 2. uke');
  }
  const years = { interval: { unit: 'MONTH', count: 12 }, day: 1 } as const;
  expect(intervalText({ ...years, firstDate: '' })).toBe('Hvert år');
});
