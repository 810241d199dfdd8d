import { GROUP_SIZE_MAX } from '../../domain/customer/customer.schema.ts';
import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { termsOfDraft } from '../../domain/invoice/invoice.terms.ts';
import { treatmentOfRate } from '../../domain/vat-treatment.ts';
import { fillIn, unknownPlaceholders } from '../../domain/recurring/placeholders.ts';
import { nextPeriod, standingOf, type Period } from '../../domain/recurring/recurring-dates.ts';
import type { Context } from '../context.ts';
import { findCustomersByIds } from '../customer/customer.repository.ts';
import { lockIssuer, type Issuer } from '../company/profile.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import type { StoredContent } from '../platform/db/columns.ts';
import { askAboutCustomers, asksAbout, type Asked } from '../einvoice/evidence.service.ts';
import { AppError } from '../errors.ts';
import { lockTemplate, type TemplateWithLines } from '../invoice/invoice-template.service.ts';
import { ratedOn } from '../invoice/lines.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { createDrafts } from '../issuing/drafts.service.ts';
import { register, type Registrar } from '../issuing/registration.service.ts';
import * as assignments from './assignment.repository.ts';
import type { AssignmentRow } from './assignment.repository.ts';
import { noticeOfRun } from './notice.service.ts';
import * as runs from './run.repository.ts';
import type { MadeRow, RecipientRow, RunRow } from './run.repository.ts';

/** Most invoices of one transaction. Few, because it holds the company's lock and requests wait. */
const INVOICES_AT_ONCE = 10;
/** Most invoices that are made within a person's request. */
export const INVOICES_BY_HAND = 100;
const LINES_AT_ONCE = 500;

/** An assignment to run, and the author of the run. */
export interface RunOrder {
  readonly companyId: number;
  readonly assignmentId: number;
  /** The author of a run that begins; one that is under way keeps its own. */
  readonly author: HistoryAuthor;
  /** Most invoices to make; `INVOICES_AT_ONCE` when absent. */
  readonly most?: number;
  /** The network's answers from when an earlier part of the run was made. */
  readonly asked?: Asked;
}

/** The result of one transaction. */
export interface Progressed {
  readonly runId: number;
  readonly isDone: boolean;
  /** How many it made. */
  readonly invoices: number;
  /** The network's answers about the recipients of the whole run. */
  readonly asked?: Asked;
}

/**
 * Makes the next part of the oldest due period in one transaction: begins its run, creates some of its invoices and,
 * after the last one, moves the assignment to the next period. A killed process leaves nothing half made. When the
 * receivers must be looked up first, the run begins in a transaction of its own. Returns null when nothing is due.
 *
 * Invoices made on the period's date are sent if the assignment says so. Later they stay drafts, dated today.
 *
 * @throws AppError profile_incomplete, assignment_group_deleted, assignment_template_deleted,
 * assignment_placeholder, total_too_large, too_many_lines, too_much_text
 */
export async function makeSome(context: Context, order: RunOrder): Promise<Progressed | null> {
  for (let { asked } = order; ;) {
    const made = await context.db
      .transaction()
      .execute(async (trx) => trySome(context, trx, order, asked));
    if (made === SAVED_MEANWHILE) continue;
    if (made === null) return null;
    if (!('receivers' in made)) return asked === undefined ? made : { ...made, asked };
    asked = await askAboutCustomers(context, order.companyId, made.receivers);
  }
}

/** The assignment has another template than the one that is locked. */
const SAVED_MEANWHILE = Symbol('saved meanwhile');

/** Customers who must be looked up first, outside of the transaction. */
interface Wanted {
  readonly receivers: { readonly type: DeliveryType; readonly customerIds: readonly number[] };
}

async function trySome(
  context: Context,
  trx: Trx,
  order: RunOrder,
  asked: Asked | undefined,
): Promise<Progressed | null | typeof SAVED_MEANWHILE | Wanted> {
  const { companyId, assignmentId } = order;
  const key = { id: assignmentId };
  const today = todayInOslo();
  const issuer = await lockIssuer(trx, companyId);
  const seen = await assignments.findAssignment(trx, companyId, key);
  // Lock order: deleting a template locks it first, and then its assignments.
  const template =
    seen && seen.templateId !== null ? await lockTemplate(trx, companyId, seen.templateId) : null;
  const assignment = seen && (await assignments.lockAssignment(trx, companyId, key));
  if (!assignment) return null;
  if (assignment.templateId !== (template?.id ?? null)) return SAVED_MEANWHILE;
  const run =
    (await runs.findUnfinished(trx, companyId, assignmentId)) ??
    (await begin(trx, order, { assignment, template, today }));
  if (!run) return null;
  const { most = INVOICES_AT_ONCE } = order;
  const { deliveryType: type } = run.content;
  if (asked === undefined && run.mode === 'SEND' && asksAbout(context, type)) {
    // All at once: each part by itself would wait for its own silent publishers.
    const left = await runs.findLeft(trx, companyId, run.id, GROUP_SIZE_MAX);
    return { receivers: { type, customerIds: left.flatMap(({ customerId }) => customerId ?? []) } };
  }
  return makePart(context, trx, { issuer, assignment, run, today, asked: asked ?? null }, most);
}

interface Beginning {
  readonly assignment: AssignmentRow;
  readonly template: TemplateWithLines | null;
  readonly today: IsoDate;
}

/** Begins the run of the next period, for its current recipients. Null when no period is due. */
async function begin(
  trx: Trx,
  { companyId, author }: RunOrder,
  { assignment, template, today }: Beginning,
): Promise<RunRow | null> {
  const { id, nextDate, groupId } = assignment;
  if (nextDate === null || nextDate > today) return null;
  const period = nextPeriod(assignment, assignment);
  if (period?.from !== nextDate)
    throw new Error(`Assignment ${id} has another date than ${nextDate}`);
  if (assignment.byGroup && groupId === null) throw new AppError('assignment_group_deleted');
  const content = await contentOf(trx, companyId, { assignment, template, period });
  const mode = nextDate === today ? assignment.mode : 'DRAFT';
  if (mode === 'SEND' && hasBraces(content)) throw new AppError('assignment_placeholder');
  const run = await runs.insertRun(trx, companyId, {
    assignmentId: id,
    periodFrom: period.from,
    periodTo: period.to,
    runOn: today,
    mode,
    content,
    byType: author.type,
    byName: author.name,
  });
  await runs.insertRecipients(trx, companyId, { id: run.id, assignmentId: id, groupId });
  return run;
}

/** The content of the invoices of a period, with its texts filled in. */
async function contentOf(
  trx: Trx,
  companyId: number,
  {
    assignment,
    template,
    period,
  }: Pick<Beginning, 'assignment' | 'template'> & { readonly period: Period },
): Promise<StoredContent> {
  if (assignment.byTemplate && !template) throw new AppError('assignment_template_deleted');
  const { deliveryType, dueDays } = template ?? assignment;
  if (deliveryType === null || dueDays === null) {
    throw new Error(`Assignment ${assignment.id} has no terms`);
  }
  const lines = template?.lines ?? (await assignments.findLines(trx, companyId, assignment.id));
  return {
    deliveryType,
    dueDays,
    lines: lines.map((line) => ({
      quantity: line.quantity,
      unit: line.unit,
      description: fillIn(line.description, period),
      netUnitAmount: line.netUnitAmount,
      vatRate: line.vatRate,
      vatTreatment: line.vatTreatment,
      productNumber: line.productNumber,
    })),
    message: assignment.message === null ? null : fillIn(assignment.message, period),
  };
}

/** Whether texts have braces that nothing has filled in: of a template, or of an assignment from before they were refused (REC-19). */
function hasBraces({ lines, message }: StoredContent): boolean {
  const texts = [...lines.map(({ description }) => description), message ?? ''];
  return texts.some((text) => unknownPlaceholders(text).length > 0);
}

interface Part {
  readonly issuer: Issuer;
  readonly assignment: AssignmentRow;
  readonly run: RunRow;
  readonly today: IsoDate;
  readonly asked: Asked;
}

async function makePart(
  context: Context,
  trx: Trx,
  part: Part,
  wanted: number,
): Promise<Progressed> {
  const { run } = part;
  const { companyId } = part.issuer;
  const most = Math.min(wanted, Math.ceil(LINES_AT_ONCE / run.content.lines.length));
  // One more, to know whether these are the last.
  const left = await runs.findLeft(trx, companyId, run.id, most + 1);
  const recipients = left.slice(0, most);
  const made = await makeInvoices(context, trx, part, recipients);
  await runs.saveMade(trx, companyId, run.id, made);
  const isDone = left.length <= most;
  if (isDone) await finish(context, trx, part);
  return { runId: run.id, isDone, invoices: made.length };
}

/** Creates invoices for customers, except those deleted since the run began. */
async function makeInvoices(
  context: Context,
  trx: Trx,
  { issuer, run, today, asked }: Part,
  recipients: readonly RecipientRow[],
): Promise<MadeRow[]> {
  const { companyId } = issuer;
  const ids = recipients.flatMap(({ customerId }) => customerId ?? []);
  const customers = await findCustomersByIds(trx, companyId, ids);
  const author: HistoryAuthor = { type: run.byType, name: run.byName };
  const { vatRegistered } = issuer.seller;
  const treated = run.content.lines.map((line) => ({
    ...line,
    vatTreatment: line.vatTreatment ?? treatmentOfRate(line.vatRate, vatRegistered),
    productNumber: line.productNumber ?? null,
  }));
  const lines = ratedOn(context.config, treated, today);
  const drafts =
    customers.size === 0
      ? []
      : await createDrafts(trx, issuer, author, {
          recipients: {
            customerNumbers: [...customers.values()].map(({ customerNumber }) => customerNumber),
            groupUuid: null,
          },
          content: { ...run.content, lines },
          terms: termsOfDraft({ issueDate: today, message: run.content.message }, issuer),
        });
  const reasons =
    run.mode === 'SEND'
      ? await send(context, trx, { issuer, author, asked }, { drafts, isLate: run.runOn < today })
      : new Map<number, AppError>();
  const draftOf = new Map(drafts.map((draft) => [draft.customerId, draft.id]));
  return recipients.map(({ customerNumber, customerId }) => {
    const invoiceId = draftOf.get(customerId) ?? null;
    const reason = reasons.get(invoiceId ?? 0);
    const subject = reason?.subject;
    return {
      customerNumber,
      invoiceId,
      failure: reason?.code ?? null,
      failureSubject: subject === undefined ? null : String(subject),
    };
  });
}

/**
 * Registers drafts and sends them, only on the day on which their run began: the owner reviews first what a killed
 * process left. Returns the reasons of those that stay drafts, by id.
 */
async function send(
  context: Context,
  trx: Trx,
  registrar: Registrar,
  { drafts, isLate }: { readonly drafts: readonly InvoiceRow[]; readonly isLate: boolean },
): Promise<Map<number, AppError>> {
  if (isLate) return new Map(drafts.map(({ id }) => [id, new AppError('assignment_late')]));
  if (drafts.length === 0) return new Map();
  const { skipped } = await register(context, trx, registrar, drafts);
  return new Map(skipped.map(({ draft, reason }) => [draft.id, reason]));
}

/** Finishes a run, moves to the next period, and notifies the owner of unexpected results. */
async function finish(
  context: Context,
  trx: Trx,
  { issuer: { companyId }, assignment, run }: Part,
): Promise<void> {
  const progress = { madeThrough: run.periodTo, timesMade: assignment.timesMade + 1 };
  await runs.finishRun(trx, companyId, run.id);
  await assignments.saveStanding(trx, companyId, assignment.id, {
    ...progress,
    obstacle: null,
    ...standingOf({ ...assignment, ...progress }),
  });
  await noticeOfRun(context, trx, { companyId, assignment, run });
}
