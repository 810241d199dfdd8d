import type { TemplateToInvoices } from '../../domain/invoice-template/invoice-template.schema.ts';
import {
  DRAFTS_WITH_LINES_MAX,
  termsOfDraft,
  type CreatedDrafts,
  type DraftForm,
  type Invoice,
  type InvoiceForm,
  type NumberOrUuid,
} from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceLine } from '../../domain/invoice/invoice.totals.ts';
import type { Actor, Context } from '../context.ts';
import type { Trx } from '../platform/db/database.ts';
import { analyzeAfterBulk } from '../platform/db/upkeep.ts';
import { AppError, changedMeanwhile } from '../errors.ts';
import { authorOf } from '../invoice/history.service.ts';
import { lockTemplate } from '../invoice/invoice-template.service.ts';
import { changeDraft, createDrafts, type DraftContent } from '../invoice/drafts.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { requireInvoice } from '../invoice/invoice.service.ts';
import { requireIssuer, lockCompany } from '../company/profile.service.ts';
import { readLines } from '../invoice/unit.service.ts';
import { describeInvoice } from './invoice-answer.service.ts';
import { presentBrief, presentInvoice } from './invoice.presenter.ts';

/**
 * Creates one draft per customer of a form, and returns them as the API shows them. A template replaces the delivery
 * type, due days and lines of the form.
 * @throws AppError profile_incomplete, unknown_customer, unknown_group, empty_group,
 * unknown_template, unknown_unit, total_too_large, too_many_lines, too_much_text
 */
export async function createInvoices(
  context: Context,
  actor: Actor,
  form: InvoiceForm,
): Promise<CreatedDrafts> {
  const { companyId } = actor;
  return answerDrafts(context, async (trx) => {
    const issuer = await requireIssuer(trx, companyId);
    const content = await contentOf(trx, companyId, form);
    const terms = termsOfDraft(form, issuer);
    return createDrafts(trx, issuer, authorOf(actor), { recipients: form, content, terms });
  });
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
    const content = await lockTemplate(trx, companyId, templateId);
    if (!content) throw new AppError('not_found');
    const issuer = await requireIssuer(trx, companyId);
    const terms = termsOfDraft(body, issuer);
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
  return drafts.map((draft) => presentInvoice(draft, []));
}

/** The content of the drafts, from the template if one is named. @throws AppError unknown_template */
async function contentOf(
  trx: Trx,
  companyId: number,
  form: Pick<InvoiceForm, 'templateId' | 'deliveryType' | 'dueDays' | 'invoiceLines'>,
  before: readonly InvoiceLine[] = [],
): Promise<DraftContent> {
  if (typeof form.templateId === 'number') {
    const template = await lockTemplate(trx, companyId, form.templateId);
    if (!template) throw new AppError('unknown_template', { field: 'templateId' });
    return template;
  }
  const { deliveryType, dueDays, invoiceLines } = form;
  if (!deliveryType || !dueDays || !invoiceLines) throw new TypeError('The form was not validated');
  return { deliveryType, dueDays, lines: readLines(invoiceLines, 'invoiceLines', before) };
}

/**
 * Replaces the values of a draft with those of a form, checked as on creation, and returns the draft.
 * @throws AppError not_found, not_a_draft, changed_meanwhile, profile_incomplete, unknown_customer,
 * unknown_template, total_too_large
 */
export async function updateDraft(
  { db }: Context,
  actor: Actor,
  name: NumberOrUuid,
  form: DraftForm,
): Promise<Invoice> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    // Registering, changing and deleting drafts all hold this lock.
    await lockCompany(trx, companyId);
    const draft = await requireInvoice(trx, companyId, name);
    if (draft.status !== 'DRAFT') throw new AppError('not_a_draft');
    if (draft.version !== form.version) throw changedMeanwhile();
    const issuer = await requireIssuer(trx, companyId);
    await changeDraft(trx, authorOf(actor), draft, {
      customerNumber: form.customerNumber,
      content: await contentOf(trx, companyId, form, draft.lines),
      terms: termsOfDraft(form, issuer),
    });
    return describeInvoice(trx, companyId, draft.uuid);
  });
}
