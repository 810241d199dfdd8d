import { toSnakeKey } from '../../domain/api/case.ts';
import { inEnglish } from '../../domain/api/rules.ts';
import type { TemplateToInvoices } from '../../domain/invoice-template/invoice-template.schema.ts';
import {
  DRAFTS_WITH_LINES_MAX,
  type CreatedDrafts,
  type DraftForm,
  type Invoice,
  type InvoiceForm,
  type NumberOrUuid,
} from '../../domain/invoice/invoice.schema.ts';
import {
  termsOfDraft,
  type DraftTerms,
  type QuoteOfInvoice,
} from '../../domain/invoice/invoice.terms.ts';
import {
  invoiceTotals,
  type InvoiceTotals,
  type TreatedLine,
} from '../../domain/invoice/invoice.totals.ts';
import type { IsoDate } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { LINES_OF_CALL_MAX, TEXT_OF_CALL_MAX } from '../../domain/invoice/invoice-line.schema.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import { toBuyer } from '../customer/buyer.ts';
import type { Actor, Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { analyzeAfterBulk } from '../platform/db/upkeep.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { authorOf, recordEvents } from '../invoice/history.repository.ts';
import {
  insertInvoices,
  NO_CREDIT,
  saveDraft,
  type InsertedInvoice,
  type SavedDraft,
} from '../invoice/drafts.repository.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import {
  lockCompany,
  noteInvoiceCreated,
  requireIssuer,
  type Issuer,
} from '../company/profile.repository.ts';
import {
  findCustomer,
  lockByIds as lockCustomersByIds,
  lockByNumbers as lockCustomersByNumbers,
  type CustomerRow,
} from '../customer/customer.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { lockTemplate } from '../invoice/invoice-template.service.ts';
import { ratedOn, readLines } from '../invoice/lines.service.ts';
import { requireMembers } from '../customer/customer-group.service.ts';
import { describeInvoice, presentBrief, presentInvoice } from './invoice.presenter.ts';

/**
 * Creates one draft per customer of a form, and returns them as the API shows them. A template replaces the delivery
 * type, due days and lines of the form.
 * @throws AppError profile_incomplete, unknown_customer, unknown_group, empty_group,
 * unknown_template, unknown_unit, unknown_product, total_too_large, too_many_lines, too_much_text
 */
export async function createInvoices(
  context: Context,
  actor: Actor,
  form: InvoiceForm,
): Promise<CreatedDrafts> {
  return answerDrafts(context, async (trx) => createFromForm(context, trx, actor, form));
}

/** Makes the drafts of a form. @throws AppError as `createInvoices` */
export async function createFromForm(
  context: Context,
  trx: Trx,
  actor: Actor,
  form: InvoiceForm & FirstMembers,
): Promise<InvoiceRow[]> {
  const { companyId } = actor;
  const issuer = await requireIssuer(trx, companyId);
  const terms = termsOfDraft(form, issuer);
  const stated = await withCustomersTerms(trx, companyId, form);
  const content = await contentOf(context, trx, { issuer, form: stated, date: terms.deliveryDate });
  return createDrafts(trx, issuer, authorOf(actor), { recipients: form, content, terms });
}

/**
 * The form with its only customer's delivery type and due days where it states none (CUS-14).
 * @throws AppError validation_failed when the customer has none either
 */
async function withCustomersTerms(
  trx: Trx,
  companyId: number,
  form: InvoiceForm,
): Promise<InvoiceForm> {
  if (form.templateId !== null || (form.deliveryType && form.dueDays)) return form;
  const [number = 0] = form.customerNumbers;
  // Not locked: the company, which the first invoice locks, comes before customers.
  const customer = await findCustomer(trx, companyId, number);
  const deliveryType = form.deliveryType ?? customer?.deliveryType ?? null;
  const dueDays = form.dueDays ?? customer?.dueDays ?? null;
  const missing = Object.entries({ dueDays, deliveryType }).filter(([, value]) => value === null);
  if (missing.length > 0) {
    throw new AppError('validation_failed', {
      detail: missing.map(([name]) => {
        const field = toSnakeKey(name);
        return { message: inEnglish(field, '{0} is a required field'), field };
      }),
    });
  }
  return { ...form, deliveryType, dueDays };
}

/**
 * Turns a template into one draft per customer, and returns them as the API shows them.
 * @throws AppError not_found for the template, and as `createInvoices`
 */
export async function createInvoicesFromTemplate(
  context: Context,
  actor: Actor,
  templateId: number,
  body: TemplateToInvoices,
): Promise<CreatedDrafts> {
  const { companyId } = actor;
  return answerDrafts(context, async (trx) => {
    const template = await lockTemplate(trx, companyId, templateId);
    if (!template) throw new AppError('not_found');
    const issuer = await requireIssuer(trx, companyId);
    const terms = termsOfDraft(body, issuer);
    const lines = ratedOn(context.config, template.lines, terms.deliveryDate);
    const content = { ...template, lines };
    return createDrafts(trx, issuer, authorOf(actor), { recipients: body, content, terms });
  });
}

async function answerDrafts(
  context: Context,
  create: (trx: Trx) => Promise<InvoiceRow[]>,
): Promise<CreatedDrafts> {
  const drafts = await context.db.transaction().execute(create);
  await analyzeAfterBulk(context, drafts.length);
  if (drafts.length > DRAFTS_WITH_LINES_MAX) return drafts.map(presentBrief);
  return drafts.map((draft) => presentInvoice(draft, [], context.config));
}

interface Given {
  readonly issuer: Issuer;
  readonly form: Pick<InvoiceForm, 'templateId' | 'deliveryType' | 'dueDays' | 'invoiceLines'>;
  /** The day of delivery. */
  readonly date: IsoDate;
  /** The lines of the draft that is changed. */
  readonly before?: readonly TreatedLine[];
}

/**
 * The content of the drafts, from the template if one is named.
 * @throws AppError unknown_template, and as `readLines`
 */
async function contentOf(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  { issuer: { companyId, seller }, form, date, before = [] }: Given,
): Promise<DraftContent> {
  if (typeof form.templateId === 'number') {
    const template = await lockTemplate(trx, companyId, form.templateId);
    if (!template) throw new AppError('unknown_template', { field: 'templateId' });
    return { ...template, lines: ratedOn(config, template.lines, date) };
  }
  const { deliveryType, dueDays, invoiceLines: forms } = form;
  if (!deliveryType || !dueDays || !forms) throw new TypeError('The form was not validated');
  const { vatRegistered } = seller;
  const given = { forms, field: 'invoiceLines', before, date, vatRegistered } as const;
  const lines = await readLines(config, trx, companyId, given);
  return { deliveryType, dueDays, lines };
}

/**
 * Replaces the values of a draft with those of a form, checked as on creation, and returns the draft.
 * @throws AppError not_found, not_a_draft, changed_meanwhile, profile_incomplete, unknown_customer,
 * unknown_template, total_too_large
 */
export async function updateDraft(
  context: Context,
  actor: Actor,
  name: NumberOrUuid,
  form: DraftForm,
): Promise<Invoice> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    // Registering, changing and deleting drafts all hold this lock.
    await lockCompany(trx, companyId);
    const draft = await requireInvoice(trx, companyId, name);
    if (draft.status !== 'DRAFT') throw new AppError('not_a_draft');
    if (draft.version !== form.version) throw changedMeanwhile();
    const issuer = await requireIssuer(trx, companyId);
    const numbers = [form.customerNumber];
    const [customer] = await lockCustomersByNumbers(trx, companyId, numbers, 'customerNumber');
    if (!customer) throw new Error(`Customer ${form.customerNumber} was not found`);
    const given = termsOfDraft(form, issuer);
    const { deliveryCountry } = context.config.features.has('vat') ? given : draft;
    const terms = { ...given, deliveryCountry };
    const date = terms.deliveryDate;
    const content = await contentOf(context, trx, { issuer, form, date, before: draft.lines });
    const values = { customerId: customer.id, ...draftOf(content, terms) };
    await saveDraft(trx, draft, values, content.lines);
    const event = { companyId, invoiceId: draft.id, kind: 'CHANGED' as const };
    await recordEvents(trx, authorOf(actor), [event]);
    return describeInvoice({ ...context, db: trx }, companyId, draft.uuid);
  });
}

/** The delivery type, due days and lines of an invoice. */
interface DraftContent {
  readonly deliveryType: DeliveryType;
  readonly dueDays: number;
  readonly lines: readonly TreatedLine[];
}

/** So many of the group's members get a draft; all when absent. */
interface FirstMembers {
  readonly most?: number;
}

/** The drafts to create: their customers, content and terms. */
export interface NewDrafts {
  readonly recipients: Pick<InvoiceForm, 'customerNumbers' | 'groupUuid'> & FirstMembers;
  readonly content: DraftContent;
  readonly terms: DraftTerms;
  /** The quote that they are made of. */
  readonly quote?: QuoteOfInvoice;
}

/**
 * Creates one draft per customer, in the order of the customers.
 * @throws AppError unknown_customer, unknown_group, empty_group, total_too_large, too_many_lines,
 * too_much_text
 */
export async function createDrafts(
  trx: Trx,
  { companyId, hasCreatedInvoice }: Issuer,
  author: HistoryAuthor,
  { recipients, content, terms, quote }: NewDrafts,
): Promise<InvoiceRow[]> {
  // Lock order: this locks the company, which comes before the customers everywhere.
  if (!hasCreatedInvoice) await noteInvoiceCreated(trx, companyId);
  const customers = await findRecipients(trx, companyId, recipients);
  const { lines } = content;
  requireBearable(customers.length, lines, terms.message);
  const given = draftOf(content, terms);
  const drafts = customers.map(({ id, reference }) => ({
    customerId: id,
    kind: 'INVOICE' as const,
    ...NO_CREDIT,
    buyer: null,
    buyerVatNumber: null,
    sourceQuote: quote ?? null,
    ...given,
    reference: terms.reference === undefined ? reference : terms.reference,
  }));
  const made = await insertInvoices(trx, companyId, drafts, lines);
  const events = made.map(({ id }) => ({ companyId, invoiceId: id, kind: 'CREATED' as const }));
  await recordEvents(trx, author, events);
  return customers.flatMap((customer, index) => {
    const inserted = made[index];
    return inserted ? [toRow(inserted, customer, lines)] : [];
  });
}

/** All values of a draft except its customer. */
function draftOf(
  { deliveryType, dueDays, lines }: DraftContent,
  terms: NewDrafts['terms'],
): Omit<SavedDraft, 'customerId'> {
  const { net, vat, gross } = totalsOf(lines);
  return {
    ...terms,
    reference: terms.reference ?? null,
    deliveryType,
    deliveryStatus: statusFor(deliveryType),
    dueDays,
    netAmount: net,
    vatAmount: vat,
    grossAmount: gross,
  };
}

/** Only e-mail waits for a delivery. */
export function statusFor(deliveryType: DeliveryType): 'PENDING' | null {
  return deliveryType === 'EMAIL' ? 'PENDING' : null;
}

/** The row of a new draft: no credit note, and the customer's current data. */
function toRow(
  { lineIds, ...row }: InsertedInvoice,
  customer: CustomerRow,
  lines: readonly TreatedLine[],
): InvoiceRow {
  return {
    ...row,
    currentCustomerNumber: customer.customerNumber,
    isBuyerPrivate: customer.isPrivate,
    buyer: toBuyer(customer),
    notes: null,
    originalUuid: null,
    originalNumber: null,
    originalIssueDate: null,
    creditedStatus: null,
    registeredOn: null,
    lines: lines.map((line, position) => ({ ...line, id: lineIds[position] ?? 0 })),
  };
}

/** The named customers and the members of the group, without duplicates. */
async function findRecipients(
  trx: Trx,
  companyId: number,
  { customerNumbers, groupUuid, most }: NewDrafts['recipients'],
): Promise<CustomerRow[]> {
  const named = await lockCustomersByNumbers(trx, companyId, customerNumbers, 'customerNumbers');
  const recipients = new Map(named.map((customer) => [customer.id, customer]));
  if (groupUuid !== null) {
    const memberIds = await requireMembers(trx, companyId, groupUuid);
    const members = await lockCustomersByIds(trx, companyId, memberIds.slice(0, most));
    // The members were deleted meanwhile, and with that left the group.
    if (members.length === 0) throw new AppError('empty_group', { field: 'groupUuid' });
    for (const member of members) recipients.set(member.id, member);
  }
  return [...recipients.values()];
}

/** Bounds what one call creates as a whole, since it is one transaction and one response. */
function requireBearable(
  recipients: number,
  lines: DraftContent['lines'],
  message: string | null,
): void {
  const allLines = recipients * lines.length;
  if (allLines > LINES_OF_CALL_MAX) throw new AppError('too_many_lines', { subject: allLines });
  const texts = [message ?? '', ...lines.map(({ description }) => description)];
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const all = recipients * sizes.reduce((sum, size) => sum + size, 0);
  if (all > TEXT_OF_CALL_MAX) throw new AppError('too_much_text', { subject: all });
}

function totalsOf(lines: DraftContent['lines']): InvoiceTotals {
  try {
    return invoiceTotals(lines);
  } catch (error) {
    throw new AppError('total_too_large', { field: 'invoiceLines', cause: error });
  }
}
