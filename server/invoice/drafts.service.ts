import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import { LINES_OF_CALL_MAX, TEXT_OF_CALL_MAX } from '../../domain/invoice/invoice-line.schema.ts';
import {
  termsOf,
  type InvoiceForm,
  type InvoiceTerms,
} from '../../domain/invoice/invoice.schema.ts';
import {
  invoiceTotals,
  type InvoiceLine,
  type InvoiceTotals,
} from '../../domain/invoice/invoice.totals.ts';
import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { Buyer } from '../../domain/parties.ts';
import { requireMembers } from '../customer/customer-group.service.ts';
import {
  lockCustomersByIds,
  lockCustomersByNumbers,
  type CustomerRow,
} from '../customer/customer.service.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { recordEvents } from './history.service.ts';
import { noteInvoiceCreated, type Issuer } from '../company/profile.service.ts';
import { saveDraft, type SavedDraft } from './draft-change.repository.ts';
import { insertInvoices, type InsertedInvoice } from './drafts.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';

/** The delivery type, due days and lines of an invoice. */
export interface DraftContent {
  readonly deliveryType: DeliveryType;
  readonly dueDays: number;
  readonly lines: readonly InvoiceLine[];
}

/** The drafts to create: their customers, content and terms. */
export interface NewDrafts {
  readonly recipients: Pick<InvoiceForm, 'customerNumbers' | 'groupUuid'>;
  readonly content: DraftContent;
  readonly terms: Omit<InvoiceTerms, 'dueDate'>;
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
  { recipients, content, terms }: NewDrafts,
): Promise<InvoiceRow[]> {
  // Lock order: this locks the company, which comes before the customers everywhere.
  if (!hasCreatedInvoice) await noteInvoiceCreated(trx, companyId);
  const customers = await findRecipients(trx, companyId, recipients);
  const { lines } = content;
  requireBearable(customers.length, lines, terms.message);
  const given = draftOf(content, terms);
  const drafts = customers.map(({ id }) => ({
    customerId: id,
    kind: 'INVOICE' as const,
    creditsInvoiceId: null,
    buyer: null,
    ...given,
  }));
  const made = await insertInvoices(trx, companyId, drafts, lines);
  const events = made.map(({ id }) => ({ companyId, invoiceId: id, kind: 'CREATED' as const }));
  await recordEvents(trx, author, events);
  return customers.flatMap((customer, index) => {
    const inserted = made[index];
    return inserted ? [toRow(inserted, customer, lines)] : [];
  });
}

/** The new customer, content and terms of a draft. */
export interface ChangedDraft extends Pick<NewDrafts, 'content' | 'terms'> {
  readonly customerNumber: number;
}

/**
 * Changes a draft. The caller holds the company lock, so no draft is registered or deleted meanwhile.
 * @throws AppError unknown_customer, total_too_large
 */
export async function changeDraft(
  trx: Trx,
  author: HistoryAuthor,
  { companyId, id }: Pick<InvoiceRow, 'companyId' | 'id'>,
  { customerNumber, content, terms }: ChangedDraft,
): Promise<void> {
  const numbers = [customerNumber];
  const [customer] = await lockCustomersByNumbers(trx, companyId, numbers, 'customerNumber');
  if (!customer) throw new Error(`Customer ${customerNumber} was not found`);
  const draft = { customerId: customer.id, ...draftOf(content, terms) };
  await saveDraft(trx, { companyId, id }, draft, content.lines);
  await recordEvents(trx, author, [{ companyId, invoiceId: id, kind: 'CHANGED' }]);
}

/** All values of a draft except its customer. */
function draftOf(
  { deliveryType, dueDays, lines }: DraftContent,
  terms: NewDrafts['terms'],
): Omit<SavedDraft, 'customerId'> {
  const { net, vat, gross } = totalsOf(lines);
  return {
    ...terms,
    deliveryType,
    deliveryStatus: statusFor(deliveryType),
    dueDays,
    netAmount: net,
    vatAmount: vat,
    grossAmount: gross,
  };
}

/**
 * Creates the draft of a credit note for an invoice, with the same lines, and returns its id. The buyer is the
 * buyer on the invoice, even when the customer has been changed or deleted since.
 */
export async function createCreditNote(
  trx: Trx,
  invoice: InvoiceRow,
  issueDate: string,
): Promise<number> {
  const { companyId, deliveryType, lines } = invoice;
  const { dueDate: _, ...terms } = termsOf(invoice);
  const note = {
    customerId: invoice.customerId,
    kind: 'CREDIT_NOTE' as const,
    creditsInvoiceId: invoice.id,
    ...terms,
    // The message of the invoice does not apply to its credit note.
    message: null,
    issueDate,
    dueDays: 0,
    deliveryType,
    deliveryStatus: statusFor(deliveryType),
    netAmount: invoice.netAmount,
    vatAmount: invoice.vatAmount,
    grossAmount: invoice.grossAmount,
    buyer: invoice.buyer,
  };
  const [inserted] = await insertInvoices(trx, companyId, [note], lines);
  if (!inserted) throw new Error('A credit note was not added');
  return inserted.id;
}

/** Only e-mail waits for a delivery. */
function statusFor(deliveryType: DeliveryType): 'PENDING' | null {
  return deliveryType === 'EMAIL' ? 'PENDING' : null;
}

/** The row of a new draft: no credit note, and the customer's current data. */
function toRow(
  { lineIds, ...row }: InsertedInvoice,
  customer: CustomerRow,
  lines: readonly InvoiceLine[],
): InvoiceRow {
  return {
    ...row,
    currentCustomerNumber: customer.customerNumber,
    buyer: toBuyer(customer),
    noteUuid: null,
    noteNumber: null,
    originalUuid: null,
    originalNumber: null,
    originalIssueDate: null,
    registeredOn: null,
    lines: lines.map(({ quantity, unit, description, netUnitAmount, vatRate }, position) => ({
      id: lineIds[position] ?? 0,
      quantity,
      unit,
      description,
      netUnitAmount,
      vatRate,
    })),
  };
}

/** The buyer on an invoice to this customer. */
function toBuyer({
  customerNumber,
  name,
  orgNumber,
  email,
  address1,
  address2,
  postalCode,
  city,
}: CustomerRow): Buyer {
  return { customerNumber, name, orgNumber, email, address1, address2, postalCode, city };
}

/** The named customers and the members of the group, without duplicates. */
async function findRecipients(
  trx: Trx,
  companyId: number,
  { customerNumbers, groupUuid }: NewDrafts['recipients'],
): Promise<CustomerRow[]> {
  const named = await lockCustomersByNumbers(trx, companyId, customerNumbers, 'customerNumbers');
  const recipients = new Map(named.map((customer) => [customer.id, customer]));
  if (groupUuid !== null) {
    const memberIds = await requireMembers(trx, companyId, groupUuid);
    const members = await lockCustomersByIds(trx, companyId, memberIds);
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
