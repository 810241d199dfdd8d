import { formatDate } from '../../../domain/date.ts';
import type {
  OverviewLink,
  RunningPeriod,
  Shown,
} from '../../../domain/overview/overview-link.schema.ts';

export const SHOWN_NAMES: Readonly<Record<Shown, string>> = {
  TURNOVER: 'Omsetning',
  VAT: 'Mva',
  OUTSTANDING: 'Utestående',
  OVERDUE: 'Forfalt',
  CUSTOMERS: 'Kundenavn',
};

export const PERIOD_NAMES: Readonly<Record<RunningPeriod, string>> = {
  THIS_YEAR: 'I år',
  LAST_YEAR: 'I fjor',
  LAST_12_MONTHS: 'Siste 12 måneder',
};

export function periodText({ from, to, period }: OverviewLink): string {
  if (period) return PERIOD_NAMES[period];
  return from && to ? `${formatDate(from)}–${formatDate(to)}` : '';
}
