import {
  LAST_DAY,
  nextPeriod,
  type Progress,
  type Series,
} from '../../domain/recurring/recurring-dates.ts';
import type { AssignmentRow, AssignmentValues, Standing } from './assignment.repository.ts';

type SeriesColumns = Pick<
  AssignmentRow,
  'intervalUnit' | 'intervalCount' | 'day' | 'isLastDay' | 'firstDate' | 'lastDate' | 'occurrences'
>;

/** The dates of a stored assignment. */
export function seriesOf(row: SeriesColumns): Series {
  return {
    interval: { unit: row.intervalUnit, count: row.intervalCount },
    day: row.isLastDay ? LAST_DAY : row.day,
    firstDate: row.firstDate,
    lastDate: row.lastDate,
    occurrences: row.occurrences,
  };
}

/** Dates as they are stored. */
export function columnsOf({ interval, day, ...dates }: Series): SeriesColumns {
  return {
    intervalUnit: interval.unit,
    intervalCount: interval.count,
    day: day === LAST_DAY ? null : day,
    isLastDay: day === LAST_DAY,
    firstDate: dates.firstDate,
    lastDate: dates.lastDate,
    occurrences: dates.occurrences,
  };
}

type Behind = SeriesColumns & Pick<AssignmentRow, 'state'> & Progress;

/**
 * Where an assignment that has got so far stands: at its next period, or at its end. A paused one stays
 * paused.
 */
export function standingOf(
  row: Behind,
): Pick<AssignmentValues, 'state' | 'nextDate' | 'obstacle'> & Standing {
  if (row.state === 'PAUSED') return { state: 'PAUSED', nextDate: null, obstacle: null };
  const next = nextPeriod(seriesOf(row), row);
  return { state: next ? 'ACTIVE' : 'ENDED', nextDate: next?.from ?? null, obstacle: null };
}
