import type { z } from 'zod';

import type { templateToInvoicesBody } from '../../domain/invoice-template/invoice-template.schema.ts';
import { toInvoiceLine } from '../../domain/invoice/invoice-line.ts';
import { LINES_OF_CALL_MAX, TEXT_OF_CALL_MAX } from '../../domain/invoice/invoice-line.schema.ts';
import {
  DRAFTS_WITH_LINES_MAX,
  type CreatedDrafts,
  type InvoiceForm,
} from '../../domain/invoice/invoice.schema.ts';
import { invoiceTotals, type InvoiceTotals } from '../../domain/invoice/invoice.totals.ts';
import type { Actor, Context } from '../context.ts';
import { requireMembers } from '../customer-group/customer-group.service.ts';
import { requireByNumbers } from '../customer/customer.service.ts';
import type { Trx } from '../db/database.ts';
import { analyzeAfterBulk } from '../db/upkeep.ts';
import { AppError } from '../errors.ts';
import { authorOf, recordEvents } from '../history/history.service.ts';
import { holdTemplate } from '../invoice-template/invoice-template.service.ts';
import { lockIssuer, noteInvoiceCreated } from '../profile/profile.service.ts';
import { insertDrafts, type DraftValues } from './invoice-creation.repository.ts';
import type { Written } from '../written.ts';
import { findBriefsJson, findInvoicesJson } from './invoice-json.repository.ts';

type Recipients = Pick<InvoiceForm, 'customerNumbers' | 'groupUuid'>;
type Content = Pick<DraftValues, 'deliveryType' | 'dueDays' | 'lines'>;
type Dates = Pick<DraftValues, 'issueDate' | 'deliveryDate' | 'reference'>;

/**
 * Makes one draft per customer. With a template, delivery type, due days and lines are its.
 * @throws AppError profile_incomplete, unknown_customer, unknown_group, empty_group,
 * unknown_template, total_too_large, too_many_lines, too_much_text
 */
export async function createInvoices(
  context: Context,
  actor: Actor,
  form: InvoiceForm,
): Promise<Written<CreatedDrafts>> {
  const { companyId } = actor;
  const { drafts, many } = await context.db.transaction().execute(async (trx) => {
    await lockIssuer(trx, companyId);
    const content = await contentOf(trx, companyId, form);
    if (!content) throw new AppError('unknown_template', { field: 'templateId' });
    return makeDrafts(trx, actor, form, content, {
      issueDate: form.issueDate,
      deliveryDate: form.deliveryDate ?? form.issueDate,
      reference: form.reference,
    });
  });
  await analyzeAfterBulk(context, many);
  return drafts;
}

/**
 * Turns a template into one draft per customer. @throws AppError not_found for the template, and
 * as `createInvoices`
 */
export async function createFromTemplate(
  context: Context,
  actor: Actor,
  templateId: number,
  body: z.output<typeof templateToInvoicesBody>,
): Promise<Written<CreatedDrafts>> {
  const { companyId } = actor;
  const { drafts, many } = await context.db.transaction().execute(async (trx) => {
    const content = await holdTemplate(trx, companyId, templateId);
    if (!content) throw new AppError('not_found');
    await lockIssuer(trx, companyId);
    return makeDrafts(trx, actor, body, content, {
      issueDate: body.issueDate,
      deliveryDate: body.issueDate,
      reference: null,
    });
  });
  await analyzeAfterBulk(context, many);
  return drafts;
}

/** What is invoiced, from the template if one is named; null when it is not the company's. */
async function contentOf(trx: Trx, companyId: number, form: InvoiceForm): Promise<Content | null> {
  if (typeof form.templateId === 'number') return holdTemplate(trx, companyId, form.templateId);
  const { deliveryType, dueDays, invoiceLines } = form;
  if (!deliveryType || !dueDays || !invoiceLines) throw new TypeError('The form was not validated');
  return { deliveryType, dueDays, lines: invoiceLines.map(toInvoiceLine) };
}

async function makeDrafts(
  trx: Trx,
  actor: Actor,
  recipients: Recipients,
  content: Content,
  dates: Dates,
): Promise<{ drafts: Written<CreatedDrafts>; many: number }> {
  const { companyId } = actor;
  const customerIds = await findRecipients(trx, companyId, recipients);
  const { deliveryType, dueDays, lines } = content;
  requireBearable(customerIds.length, lines);
  const totals = totalsOf(lines);
  const ids = await insertDrafts(trx, companyId, customerIds, {
    deliveryType,
    dueDays,
    lines,
    totals,
    ...dates,
  });
  await recordEvents(
    trx,
    authorOf(actor),
    ids.map((invoiceId) => ({ companyId, invoiceId, kind: 'CREATED' })),
  );
  await noteInvoiceCreated(trx, companyId);
  const find = ids.length > DRAFTS_WITH_LINES_MAX ? findBriefsJson : findInvoicesJson;
  return { drafts: await find(trx, companyId, ids), many: ids.length };
}

/** The customers named and those of the group, each once. */
async function findRecipients(
  trx: Trx,
  companyId: number,
  { customerNumbers, groupUuid }: Recipients,
): Promise<number[]> {
  const named = await requireByNumbers(trx, companyId, customerNumbers, 'customerNumbers');
  const members = groupUuid === null ? [] : await requireMembers(trx, companyId, groupUuid);
  return [...new Set([...named, ...members])];
}

/** One call is one transaction and one answer, so what it may make is bounded as a whole. */
function requireBearable(recipients: number, lines: Content['lines']): void {
  const allLines = recipients * lines.length;
  if (allLines > LINES_OF_CALL_MAX) throw new AppError('too_many_lines', { subject: allLines });
  const sizes = lines.map(({ description }) => Buffer.byteLength(description));
  const text = recipients * sizes.reduce((sum, size) => sum + size, 0);
  if (text > TEXT_OF_CALL_MAX) throw new AppError('too_much_text', { subject: text });
}

function totalsOf(lines: Content['lines']): InvoiceTotals {
  try {
    return invoiceTotals(lines);
  } catch (error) {
    throw new AppError('total_too_large', { field: 'invoiceLines', cause: error });
  }
}
