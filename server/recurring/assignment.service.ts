import { addDays, todayInOslo } from '../../domain/date.ts';
import { presentLine } from '../../domain/invoice/invoice.totals.ts';
import { standingOf, type Progress } from '../../domain/recurring/recurring-dates.ts';
import {
  assignmentNeeds,
  LISTED_CUSTOMERS_MAX,
  type Assignment,
  type AssignmentForm,
  type AssignmentUpdate,
} from '../../domain/recurring/recurring.schema.ts';
import { toSeries } from '../../domain/recurring/series.schema.ts';
import { demand } from '../account/permissions.ts';
import type { Actor, Context } from '../context.ts';
import {
  lockByNumbers as lockCustomersByNumbers,
  type CustomerRow,
} from '../customer/customer.repository.ts';
import { lockGroup } from '../customer/customer-group.service.ts';
import type { Trx } from '../platform/db/database.ts';
import {
  AppError,
  changedMeanwhile,
  sentenceOf,
  type ErrorCode,
  type Language,
} from '../errors.ts';
import type { Config } from '../config.ts';
import { lockTemplate } from '../invoice/invoice-template.service.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import { findDefaultMessage, isVatRegistered } from '../company/profile.service.ts';
import { readLines } from '../invoice/lines.service.ts';
import * as repository from './assignment.repository.ts';
import {
  type AssignmentRow,
  type AssignmentValues,
  type WholeAssignment,
} from './assignment.repository.ts';
import { findUnfinished, noteLost } from './run.repository.ts';

const YEAR = 366;
const NEW: Pick<AssignmentRow, 'state' | 'owedFrom' | 'madeThrough' | 'timesMade'> = {
  state: 'ACTIVE',
  owedFrom: null,
  madeThrough: null,
  timesMade: 0,
};

/** Every assignment of the company, or those of which a customer is a recipient, by name. */
export async function listAssignments(
  { config, db }: Context,
  { companyId }: Actor,
  customerNumber: number | null,
  language: Language,
): Promise<Assignment[]> {
  const wish = { customers: LISTED_CUSTOMERS_MAX, customerNumber };
  const rows = await repository.findWholeAssignments(db, companyId, wish);
  return rows.map((row) => present(row, config, language));
}

/** An assignment with all its customers. @throws AppError not_found */
export async function getAssignment(
  { config, db }: Context,
  { companyId }: Actor,
  uuid: string,
  language: Language,
): Promise<Assignment> {
  return present(await repository.requireWholeAssignment(db, companyId, uuid), config, language);
}

/**
 * Adds an assignment. The jobs make periods that began before today as soon as they run.
 * @throws AppError profile_incomplete, first_date_too_early, unknown_customer, unknown_group, unknown_template
 */
export async function createAssignment(
  { config, db }: Context,
  actor: Actor,
  form: AssignmentForm,
  language: Language,
): Promise<Assignment> {
  demand(actor, assignmentNeeds(form));
  return db.transaction().execute(async (trx) => {
    // Its invoices need a seller (REC-13).
    const { companyId } = await requireIssuer(trx, actor.companyId);
    requireRecent(form.firstDate);
    const named = await findNamed(trx, companyId, form);
    const message = await messageOf(trx, companyId, form);
    const values = { ...toValues(form, named, NEW), message };
    const { id, uuid } = await repository.insertAssignment(trx, companyId, values);
    await saveParts(config, trx, { companyId, id }, form, named);
    const saved = await repository.requireWholeAssignment(trx, companyId, uuid);
    return present(saved, config, language);
  });
}

/**
 * Saves an assignment. Invoices that it has made stay as they are, and new dates begin after the last period made. An
 * assignment that had ended owes nothing from before today.
 * @throws AppError not_found, changed_meanwhile, first_date_fixed, assignment_running, and as
 * `createAssignment`
 */
export async function updateAssignment(
  { config, db }: Context,
  actor: Actor,
  uuid: string,
  form: AssignmentUpdate,
  language: Language,
): Promise<Assignment> {
  const { companyId } = actor;
  demand(actor, assignmentNeeds(form));
  return db.transaction().execute(async (trx) => {
    // Lock order: deleting a group or template locks that first, and then its assignments.
    const named = await findNamed(trx, companyId, form);
    const before = await lockAssignment(trx, companyId, uuid);
    // A change to drafts stops what is sent for others.
    demand(actor, assignmentNeeds(before));
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
    await saveParts(config, trx, { companyId, id: before.id }, form, named);
    const saved = await repository.requireWholeAssignment(trx, companyId, uuid);
    return present(saved, config, language);
  });
}

/** The assignment as it continues today, after a pause or an end. */
export function revived(row: AssignmentRow): AssignmentRow {
  return { ...row, state: 'ACTIVE', owedFrom: todayInOslo() };
}

/** Deletes an assignment; its invoices stay. @throws AppError not_found, assignment_running */
export async function deleteAssignment(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { id } = await lockAssignment(trx, companyId, uuid);
    await requireNoRun(trx, companyId, id);
    await repository.deleteAssignment(trx, companyId, id);
  });
}

/** Pauses an assignment; repeating it is no error. @throws AppError not_found, assignment_ended */
export async function pauseAssignment(
  context: Context,
  actor: Actor,
  uuid: string,
  language: Language,
): Promise<Assignment> {
  return change(context, actor, { uuid, language }, async (trx, { id, state }) => {
    if (state === 'ENDED') throw new AppError('assignment_ended');
    const paused = { state: 'PAUSED', nextDate: null, obstacle: null } as const;
    await repository.saveStanding(trx, actor.companyId, id, paused);
  });
}

/**
 * Resumes an assignment with the first period that begins today or later. Periods that were due before and were not
 * made are not owed. Repeating it is no error. @throws AppError not_found, assignment_ended
 */
export async function resumeAssignment(
  context: Context,
  actor: Actor,
  uuid: string,
  language: Language,
): Promise<Assignment> {
  return change(context, actor, { uuid, language }, async (trx, before) => {
    if (before.state === 'ENDED') throw new AppError('assignment_ended');
    if (before.state === 'ACTIVE') return;
    demand(actor, assignmentNeeds(before));
    const resumed = revived(before);
    const standing = { ...standingOf(resumed), obstacle: null, owedFrom: resumed.owedFrom };
    await repository.saveStanding(trx, actor.companyId, before.id, standing);
  });
}

/** Changes a locked assignment, and returns it. */
async function change(
  { config, db }: Context,
  { companyId }: Actor,
  { uuid, language }: { readonly uuid: string; readonly language: Language },
  work: (trx: Trx, before: AssignmentRow) => Promise<void>,
): Promise<Assignment> {
  return db.transaction().execute(async (trx) => {
    await work(trx, await lockAssignment(trx, companyId, uuid));
    const saved = await repository.requireWholeAssignment(trx, companyId, uuid);
    return present(saved, config, language);
  });
}

/** @throws AppError not_found */
async function lockAssignment(trx: Trx, companyId: number, uuid: string): Promise<AssignmentRow> {
  const assignment = await repository.lockAssignment(trx, companyId, { uuid });
  if (!assignment) throw new AppError('not_found');
  return assignment;
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
  const series = toSeries(form);
  const byTemplate = typeof form.templateId === 'number';
  return {
    name: form.name,
    byGroup: groupId !== null,
    groupId,
    byTemplate,
    templateId: form.templateId ?? null,
    deliveryType: byTemplate ? null : (form.deliveryType ?? null),
    dueDays: byTemplate ? null : (form.dueDays ?? null),
    ...series,
    mode: form.mode,
    owedFrom: progress.owedFrom,
    obstacle: null,
    ...standingOf({ ...progress, ...series }),
  };
}

async function saveParts(
  config: Config,
  trx: Trx,
  { companyId, id }: { readonly companyId: number; readonly id: number },
  { templateId, invoiceLines }: AssignmentForm,
  { customerIds }: Named,
): Promise<void> {
  const ownLines = typeof templateId === 'number' ? [] : (invoiceLines ?? []);
  const before = await repository.findLines(trx, companyId, id);
  const lines = await readLines(config, trx, companyId, {
    forms: ownLines,
    field: 'invoiceLines',
    before,
    date: todayInOslo(),
    vatRegistered: await isVatRegistered(trx, companyId),
  });
  await repository.replaceParts(trx, companyId, id, { lines, customerIds });
}

/** An assignment as the API shows it. */
function present(row: WholeAssignment, { features }: Config, language: Language): Assignment {
  const obstacle = obstacleOf(row);
  return {
    uuid: row.uuid,
    name: row.name,
    customerNumbers: [...row.customerNumbers],
    customerCount: row.customerCount,
    groupUuid: row.groupUuid,
    templateId: row.templateId,
    deliveryType: row.deliveryType,
    dueDays: row.dueDays,
    invoiceLines: row.byTemplate ? null : row.lines.map((line) => presentLine(line, features)),
    message: row.message,
    interval: row.interval,
    day: row.day,
    firstDate: row.firstDate,
    lastDate: row.lastDate,
    occurrences: row.occurrences,
    mode: row.mode,
    state: row.state,
    nextDate: row.nextDate,
    hasRun: row.timesMade > 0 || row.isRunning,
    waitingReason: obstacle === null ? null : sentenceOf(new AppError(obstacle), language),
    version: row.version,
  };
}

/** Why the last run made nothing; for an active assignment, why the next run will make nothing. */
function obstacleOf(row: WholeAssignment): ErrorCode | null {
  if (row.obstacle !== null) return row.obstacle as ErrorCode;
  if (row.state !== 'ACTIVE') return null;
  if (row.byGroup && row.groupUuid === null) return 'assignment_group_deleted';
  return row.byTemplate && row.templateId === null ? 'assignment_template_deleted' : null;
}

/**
 * Removes a customer that is about to be deleted from its assignments. The notice of the next run names it. The caller
 * holds the company and the customer. @throws AppError customer_only_recipient
 */
export async function leaveAssignments(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  { companyId }: Actor,
  { id, customerNumber }: CustomerRow,
): Promise<void> {
  const assignments = await repository.findAssignmentsOf(trx, companyId, id);
  const alone = assignments.find(({ state, isAlone }) => state === 'ACTIVE' && isAlone);
  if (alone && config.features.has('recurring')) {
    throw new AppError('customer_only_recipient', { subject: alone.name });
  }
  const ids = assignments.map((assignment) => assignment.id);
  await noteLost(trx, companyId, ids, customerNumber);
}
