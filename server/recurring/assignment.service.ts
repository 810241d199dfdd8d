import { addDays, todayInOslo } from '../../domain/date.ts';
import { fillIn } from '../../domain/recurring/placeholders.ts';
import { nextPeriods, type Progress } from '../../domain/recurring/recurring-dates.ts';
import {
  LISTED_CUSTOMERS_MAX,
  PREVIEWED_PERIODS,
  toSeries,
  type AssignmentForm,
  type AssignmentPreview,
  type AssignmentUpdate,
  type PreviewBody,
} from '../../domain/recurring/recurring.schema.ts';
import type { Actor, Context } from '../context.ts';
import { lockCustomersByNumbers } from '../customer/customer.service.ts';
import { lockGroup } from '../customer/customer-group.service.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { getTemplate, lockTemplate } from '../invoice/invoice-template.service.ts';
import { findDefaultMessage } from '../company/profile.service.ts';
import { readLines } from '../invoice/unit.service.ts';
import * as repository from './assignment.repository.ts';
import {
  requireWholeAssignment,
  type AssignmentRow,
  type AssignmentValues,
  type WholeAssignment,
} from './assignment.repository.ts';
import { findUnfinished } from './run.repository.ts';
import { columnsOf, standingOf } from './series.ts';

export { requireWholeAssignment } from './assignment.repository.ts';

const YEAR = 366;
const NEW: Pick<AssignmentRow, 'state' | 'owedFrom' | 'madeThrough' | 'timesMade'> = {
  state: 'ACTIVE',
  owedFrom: null,
  madeThrough: null,
  timesMade: 0,
};

/** Every assignment of the company, or those of which a customer is a recipient, by name. */
export async function listAssignments(
  { db }: Context,
  { companyId }: Actor,
  customerNumber: number | null,
): Promise<WholeAssignment[]> {
  const wish = { customers: LISTED_CUSTOMERS_MAX, customerNumber };
  return repository.findWholeAssignments(db, companyId, wish);
}

/**
 * Adds an assignment. What begins before today is made as soon as the jobs get to it.
 * @throws AppError first_date_too_early, unknown_customer, unknown_group, unknown_template
 */
export async function createAssignment(
  { db }: Context,
  { companyId }: Actor,
  form: AssignmentForm,
): Promise<WholeAssignment> {
  return db.transaction().execute(async (trx) => {
    requireRecent(form.firstDate);
    const named = await findNamed(trx, companyId, form);
    const message = await messageOf(trx, companyId, form);
    const values = { ...toValues(form, named, NEW), message };
    const { id, uuid } = await repository.insertAssignment(trx, companyId, values);
    await saveParts(trx, companyId, id, form, named);
    return requireWholeAssignment(trx, companyId, uuid);
  });
}

/**
 * Saves an assignment. What it has made stays as it is, and dates that are new begin after it; one that
 * had ended owes nothing of before today.
 * @throws AppError not_found, changed_meanwhile, first_date_fixed, assignment_running, and as
 * `createAssignment`
 */
export async function updateAssignment(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  form: AssignmentUpdate,
): Promise<WholeAssignment> {
  return db.transaction().execute(async (trx) => {
    // Lock order: deleting a group or template locks that first, and then its assignments.
    const named = await findNamed(trx, companyId, form);
    const before = await repository.lockAssignment(trx, companyId, uuid);
    await requireNoRun(trx, companyId, before.id);
    if (form.firstDate !== before.firstDate) {
      if (before.timesMade > 0) throw new AppError('first_date_fixed', { field: 'firstDate' });
      requireRecent(form.firstDate);
    }
    const progress = before.state === 'ENDED' ? revived(before) : before;
    const message = await messageOf(trx, companyId, form);
    const values = { ...toValues(form, named, progress), message };
    const { version } = form;
    const isSaved = await repository.saveAssignment(trx, companyId, before.id, values, version);
    if (!isSaved) throw changedMeanwhile();
    await saveParts(trx, companyId, before.id, form, named);
    return requireWholeAssignment(trx, companyId, uuid);
  });
}

/** The assignment as it continues today, after a pause or an end. */
function revived(row: AssignmentRow): AssignmentRow {
  return { ...row, state: 'ACTIVE', owedFrom: todayInOslo() };
}

/** Deletes an assignment; its invoices stay. @throws AppError not_found, assignment_running */
export async function deleteAssignment(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id } = await repository.lockAssignment(trx, companyId, uuid);
    await requireNoRun(trx, companyId, id);
    await repository.deleteAssignment(trx, companyId, id);
  });
}

/** Stops an assignment for a while; again is no error. @throws AppError not_found, assignment_ended */
export async function pauseAssignment(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<WholeAssignment> {
  return change(context, actor, uuid, async (trx, { id, state }) => {
    if (state === 'ENDED') throw new AppError('assignment_ended');
    const paused = { state: 'PAUSED', nextDate: null, obstacle: null } as const;
    await repository.saveStanding(trx, actor.companyId, id, paused);
  });
}

/**
 * Goes on with the first period that begins today or later: what was due before, though it was not made
 * before the pause, is not owed. Again is no error. @throws AppError not_found, assignment_ended
 */
export async function resumeAssignment(
  context: Context,
  actor: Actor,
  uuid: string,
): Promise<WholeAssignment> {
  return change(context, actor, uuid, async (trx, before) => {
    if (before.state === 'ENDED') throw new AppError('assignment_ended');
    if (before.state === 'ACTIVE') return;
    const resumed = revived(before);
    const { owedFrom } = resumed;
    const standing = { ...standingOf(resumed), owedFrom };
    await repository.saveStanding(trx, actor.companyId, before.id, standing);
  });
}

/** The next periods of a form, or of an assignment that is being changed to it, and its first text. */
export async function previewAssignment(
  context: Context,
  actor: Actor,
  body: PreviewBody,
): Promise<AssignmentPreview> {
  const today = todayInOslo();
  const progress = await progressOf(context.db, actor.companyId, body.uuid ?? null);
  const periods = nextPeriods(toSeries(body), PREVIEWED_PERIODS, progress);
  const description = await firstDescription(context, actor, body);
  const [first] = periods;
  const sample = (text: string | null) => (text !== null && first ? fillIn(text, first) : text);
  return {
    periods: periods.map(({ from, to }) => ({
      periodFrom: from,
      periodTo: to,
      date: from < today ? today : from,
      invoices: [],
      failures: [],
    })),
    sample: { description: sample(description), message: sample(body.message ?? null) },
  };
}

/** The facts that bound the dates of a changed assignment. @throws AppError not_found */
async function progressOf(
  db: Db,
  companyId: number,
  uuid: string | null,
): Promise<Progress | undefined> {
  if (uuid === null) return undefined;
  const row = await repository.requireAssignment(db, companyId, uuid);
  // A paused one goes on when it is resumed, and that may be today at the earliest.
  return row.state === 'ACTIVE' ? row : revived(row);
}

async function firstDescription(
  context: Context,
  actor: Actor,
  { templateId, invoiceLines }: PreviewBody,
): Promise<string | null> {
  if (typeof templateId !== 'number') return invoiceLines?.[0]?.description ?? null;
  const template = await getTemplate(context, actor, templateId);
  return template.lines[0]?.description ?? null;
}

/** Changes a locked assignment, and returns it. */
async function change(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  work: (trx: Trx, before: AssignmentRow) => Promise<void>,
): Promise<WholeAssignment> {
  return db.transaction().execute(async (trx) => {
    await work(trx, await repository.lockAssignment(trx, companyId, uuid));
    return requireWholeAssignment(trx, companyId, uuid);
  });
}

async function requireNoRun(trx: Trx, companyId: number, id: number): Promise<void> {
  if (await findUnfinished(trx, companyId, id)) throw new AppError('assignment_running');
}

/** Refuses a first date more than a year ago, which is a typing error. */
function requireRecent(firstDate: string): void {
  if (firstDate < addDays(todayInOslo(), -YEAR)) {
    throw new AppError('first_date_too_early', { field: 'firstDate' });
  }
}

/** The rows that a form names, locked until the transaction ends. */
interface Named {
  readonly groupId: number | null;
  readonly customerIds: readonly number[];
}

async function findNamed(trx: Trx, companyId: number, form: AssignmentForm): Promise<Named> {
  const { groupUuid, templateId } = form;
  const numbers = [...new Set(form.customerNumbers)];
  const customers = await lockCustomersByNumbers(trx, companyId, numbers, 'customerNumbers');
  if (typeof templateId === 'number' && !(await lockTemplate(trx, companyId, templateId))) {
    throw new AppError('unknown_template', { field: 'templateId' });
  }
  const customerIds = customers.map(({ id }) => id);
  if (typeof groupUuid !== 'string') return { groupId: null, customerIds };
  const { id: groupId } = await lockGroup(trx, companyId, groupUuid);
  return { groupId, customerIds };
}

/** The message on the invoices: the form's or, if the form omits it, the profile's default. */
async function messageOf(
  trx: Trx,
  companyId: number,
  { message }: AssignmentForm,
): Promise<string | null> {
  return message === undefined ? findDefaultMessage(trx, companyId) : message;
}

/** A form as it is stored for an assignment that has got so far. */
function toValues(
  form: AssignmentForm,
  { groupId }: Named,
  progress: Pick<AssignmentRow, 'state'> & Progress,
): Omit<AssignmentValues, 'message'> {
  const columns = columnsOf(toSeries(form));
  const byTemplate = typeof form.templateId === 'number';
  return {
    name: form.name,
    byGroup: groupId !== null,
    groupId,
    byTemplate,
    templateId: form.templateId ?? null,
    deliveryType: byTemplate ? null : (form.deliveryType ?? null),
    dueDays: byTemplate ? null : (form.dueDays ?? null),
    ...columns,
    mode: form.mode,
    owedFrom: progress.owedFrom,
    ...standingOf({ ...progress, ...columns }),
  };
}

async function saveParts(
  trx: Trx,
  companyId: number,
  id: number,
  { templateId, invoiceLines }: AssignmentForm,
  { customerIds }: Named,
): Promise<void> {
  const ownLines = typeof templateId === 'number' ? [] : (invoiceLines ?? []);
  const before = await repository.findLines(trx, companyId, id);
  const lines = readLines(ownLines, 'invoiceLines', before);
  await repository.replaceParts(trx, companyId, id, { lines, customerIds });
}
