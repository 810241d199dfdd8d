import { formatDate, type IsoDate } from '../../../domain/date.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { monthName } from '../../../domain/recurring/placeholders.ts';
import { firstDateOf, LAST_DAY, type Series } from '../../../domain/recurring/recurring-dates.ts';
import type { Assignment, AssignmentRun } from '../../../domain/recurring/recurring.schema.ts';
import type { Label } from '../../ui/Badge.tsx';
import { countOf, showCount } from '../../lib/number-text.ts';
import { parseDate, weekdayOf } from '../../lib/date-text.ts';
import type { End } from './assignment-form.ts';

export const STATE_LABELS: Readonly<Record<Assignment['state'], Label>> = {
  ACTIVE: { text: 'Aktiv', tone: 'green' },
  PAUSED: { text: 'Pauset', tone: 'amber' },
  ENDED: { text: 'Avsluttet', tone: 'gray' },
};

export const MODE_LABELS: Readonly<Record<Assignment['mode'], string>> = {
  DRAFT: 'Lag utkast',
  SEND: 'Send',
};

export const END_LABELS: Readonly<Record<End, string>> = {
  NEVER: 'Aldri',
  DATE: 'Etter en dato',
  TIMES: 'Etter et antall ganger',
};

export const FIELD_LABELS = {
  name: 'Navn',
  customerNumbers: 'Kunder',
  groupUuid: 'Gruppe',
  templateId: 'Mal',
  deliveryType: 'Leveringsmetode',
  dueDays: 'Dager til forfall',
  invoiceLines: 'Linjer',
  message: 'Melding til kunden',
  mode: 'På datoen',
  interval: 'Hvor ofte',
  day: 'Dag i måneden',
  firstDate: 'Første dato',
  end: 'Slutter',
  lastDate: 'Siste dato',
  occurrences: 'Antall ganger',
};

export const LAST_DAY_LABEL = 'Siste dag i måneden';

type Interval = Series['interval'];

/** The repetition of an assignment. `firstDate` may be invalid while the user types. */
type Rhythm = Pick<Series, 'interval' | 'day' | 'firstDate'>;

const YEAR = 12;

/** 'Hver uke', 'Hver 3. måned', 'Hvert år'. */
export function intervalName({ unit, count }: Interval): string {
  if (unit === 'MONTH' && count === YEAR) return 'Hvert år';
  const name = unit === 'WEEK' ? 'uke' : 'måned';
  return count === 1 ? `Hver ${name}` : `Hver ${count}. ${name}`;
}

/** 'Hver 2. uke på mandager', 'Hver 3. måned den 15.', 'Hvert år siste dag i februar'. */
export function intervalText({ interval, day, firstDate }: Rhythm): string {
  const name = intervalName(interval);
  // Another text is a date that is still being typed.
  const isDate = parseDate(firstDate) === firstDate;
  if (interval.unit === 'WEEK') return isDate ? weekText(interval, firstDate) : name;
  if (interval.count === YEAR) {
    return isDate ? `${name} ${dayOfYear({ interval, day, firstDate })}` : name;
  }
  if (typeof day === 'number') return `${name} den ${day}.`;
  return `Siste dag i ${name.toLowerCase()}`;
}

function weekText(interval: Interval, first: IsoDate): string {
  const weekday = weekdayOf(first);
  return interval.count === 1 ? `Hver ${weekday}` : `${intervalName(interval)} på ${weekday}er`;
}

/** 'den 15. november'. In a month without that day, it is the last day. */
function dayOfYear({ interval, day, firstDate }: Rhythm): string {
  const first = firstDateOf({ interval, day, firstDate, lastDate: null, occurrences: null });
  const month = monthName(first);
  const isCut = day === 29 ? first.slice(5, 7) === '02' : day !== Number(first.slice(8));
  return day === LAST_DAY || isCut ? `siste dag i ${month}` : `den ${day}. ${month}`;
}

/** Formats a field that another user changed. Lists, groups and templates show only their label. */
export function showField(field: string, value: unknown): string | undefined {
  if (field === 'interval') return intervalName(value as Interval);
  if (typeof value === 'number') return field === 'day' ? `${value}.` : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  if (field === 'deliveryType') return DELIVERY_TYPE_NAMES[value as DeliveryType];
  if (field === 'mode') return MODE_LABELS[value as keyof typeof MODE_LABELS];
  if (field === 'end') return END_LABELS[value as End];
  if (field === 'day') return LAST_DAY_LABEL;
  return field === 'firstDate' || field === 'lastDate' ? formatDate(value) : undefined;
}

/** '1 faktura', '5 000 utkast'. */
function madeText({ invoiceCount, mode }: Pick<AssignmentRun, 'invoiceCount' | 'mode'>) {
  if (mode === 'DRAFT') return `${showCount(invoiceCount)} utkast`;
  return countOf(invoiceCount, 'faktura', 'fakturaer');
}

/** The invoices left from a run, since drafts may have been deleted. */
export function leftText(run: AssignmentRun): string {
  if (run.invoiceCount > 0 || run.state === 'RUNNING') return madeText(run);
  return run.recipientCount === 0 ? 'Ingen mottakere' : 'Ingen fakturaer igjen';
}

export function runText(run: AssignmentRun): string {
  if (run.state === 'RUNNING') return 'Fakturaene lages nå.';
  if (run.invoiceCount === 0) return 'Det var ingen å fakturere.';
  const failed = run.failures.length;
  if (failed === 0) return `${madeText(run)} er laget.`;
  return `${madeText(run)} er laget. ${failed === 1 ? 'Én' : failed} ble ikke sendt.`;
}

/** 'Aldri', 'Etter 31.12.2027', 'Etter 12 ganger'. */
export function endText({ lastDate, occurrences }: Pick<Assignment, 'lastDate' | 'occurrences'>) {
  if (lastDate !== null) return `Etter ${formatDate(lastDate)}`;
  if (occurrences === null) return 'Aldri';
  return occurrences === 1 ? 'Etter én gang' : `Etter ${occurrences} ganger`;
}

/** 'Kor og korps', 'Nordnes Kaffebar', 'Kor og korps og 2 kunder'; 'Ingen' when the group was deleted. */
export function recipientsText(
  { customerCount, groupUuid }: Pick<Assignment, 'customerCount' | 'groupUuid'>,
  names: { readonly group: string | undefined; readonly customer: string | undefined },
): string {
  const one = customerCount === 1 ? names.customer : undefined;
  const customers = one ?? countOf(customerCount, 'kunde', 'kunder');
  if (groupUuid === null) return customerCount === 0 ? 'Ingen' : customers;
  const group = names.group ?? 'En gruppe';
  return customerCount === 0 ? group : `${group} og ${customers}`;
}

/**
 * The reason why no invoices can be made, found by the server or expected on the next date. Null when there is none,
 * and for paused and ended assignments, which make no invoices.
 */
export function obstacleText(assignment: Assignment): string | null {
  const { state, waitingReason, customerCount, groupUuid } = assignment;
  if (state !== 'ACTIVE') return null;
  // Some of the server's reasons end without a full stop.
  if (waitingReason !== null) return waitingReason.replace(/\.?$/, '.');
  if (customerCount === 0 && groupUuid === null) {
    return 'Oppdraget har ingen mottakere lenger. Velg noen.';
  }
  return null;
}
