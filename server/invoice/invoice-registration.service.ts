import { todayInOslo } from '../../domain/date.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type {
  DeleteQuery,
  NumberOrUuid,
  QueueResult,
} from '../../domain/invoice/invoice.schema.ts';
import { makeKid } from '../../domain/kid.ts';
import type { Actor, Context } from '../context.ts';
import type { Trx } from '../db/database.ts';
import { searchText } from '../db/search.ts';
import { stopCancelled } from '../delivery/delivery-dispatch.service.ts';
import { hashDocument } from '../document/document-chain.ts';
import { toDocument } from '../document/document.service.ts';
import { AppError } from '../errors.ts';
import { authorOf, recordEvents, type NewEvent } from '../history/history.service.ts';
import { dispatchJob } from '../jobs/jobs.ts';
import { advanceSeries, lockIssuer, type Issuer } from '../profile/profile.service.ts';
import { insertCreditNote } from './invoice-creation.repository.ts';
import {
  lockDrafts,
  saveRegistrations,
  type Registration,
} from './invoice-registration.repository.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';
import { findParts, type InvoiceContent } from './invoice-content.service.ts';

/** Drafts registered by one statement. Together they are one transaction all the same. */
const BATCH = 2000;

interface Skipped {
  readonly content: InvoiceContent;
  readonly reason: AppError;
}

export interface Outcome {
  readonly registered: QueueResult['registered'];
  readonly skipped: readonly Skipped[];
}

/**
 * Registers one draft. One that is registered already stays as it is.
 * @throws AppError not_found, profile_incomplete, recipient_without_email,
 * delivery_type_unavailable, negative_total
 */
export async function queueInvoice(context: Context, actor: Actor, uuid: string): Promise<Outcome> {
  return context.db.transaction().execute(async (trx) => {
    const invoice = await repository.findInvoice(trx, actor.companyId, uuid);
    if (!invoice) throw new AppError('not_found');
    const issuer = await lockIssuer(trx, actor.companyId);
    const draft = await repository.lockInvoice(trx, actor.companyId, uuid);
    if (!draft) throw new AppError('not_found');
    if (draft.status !== 'DRAFT') return { registered: [], skipped: [] };
    const outcome = await register(context, trx, { issuer, author: authorOf(actor) }, [draft]);
    for (const { reason } of outcome.skipped) throw reason;
    return outcome;
  });
}

/**
 * Registers every draft that can be, in the order they were made; the others stay drafts and are
 * named with their reasons. @throws AppError profile_incomplete
 */
export async function queueAll(context: Context, actor: Actor): Promise<Outcome> {
  return context.db.transaction().execute(async (trx) => {
    let issuer = await lockIssuer(trx, actor.companyId);
    const registered: QueueResult['registered'] = [];
    const skipped: Skipped[] = [];
    const author = authorOf(actor);
    let afterId = 0;
    for (;;) {
      const drafts = await lockDrafts(trx, actor.companyId, { afterId, most: BATCH });
      const last = drafts.at(-1);
      if (!last) break;
      const outcome = await register(context, trx, { issuer, author }, drafts);
      registered.push(...outcome.registered);
      skipped.push(...outcome.skipped);
      issuer = outcome.issuer;
      afterId = last.id;
    }
    return { registered, skipped };
  });
}

/**
 * Deletes a draft, or cancels a registered invoice with a credit note that takes the next number
 * (bokføringsforskriften § 5-2-7).
 *
 * @param expected what the caller was told that it is; nothing happens when it no longer is
 * @throws AppError not_found, status_changed, paid_invoice_stays, already_cancelled,
 * credit_note_stays
 */
export async function deleteInvoice(
  context: Context,
  actor: Actor,
  name: NumberOrUuid,
  expected?: DeleteQuery['expect'],
): Promise<void> {
  const { companyId } = actor;
  await context.db.transaction().execute(async (trx) => {
    const found = await repository.findInvoice(trx, companyId, name);
    if (!found) throw new AppError('not_found');
    // The company first and then the invoice, in the order that registering takes them.
    const issuer = await lockIssuer(trx, companyId);
    const invoice = await repository.lockInvoice(trx, companyId, found.uuid);
    if (!invoice) throw new AppError('not_found');
    if (invoice.kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
    if (expected !== undefined && invoice.status !== expected) {
      throw new AppError('status_changed', { subject: invoice.status });
    }
    switch (invoice.status) {
      case 'DRAFT':
        return repository.deleteDraft(trx, companyId, invoice.id);
      case 'REGISTERED':
        return cancel(context, trx, { issuer, author: authorOf(actor) }, invoice);
      case 'PAID':
        throw new AppError('paid_invoice_stays');
      case 'CANCELLED':
        throw new AppError('already_cancelled');
    }
  });
}

/** In whose name documents are issued, and who has them issued. */
interface Registrar {
  readonly issuer: Issuer;
  readonly author: HistoryAuthor;
}

async function cancel(
  context: Context,
  trx: Trx,
  { issuer, author }: Registrar,
  invoice: InvoiceRow,
): Promise<void> {
  const { companyId } = issuer;
  await repository.setStatus(trx, companyId, invoice.id, 'CANCELLED', null);
  const noteId = await insertCreditNote(trx, companyId, invoice.id, todayInOslo());
  const notes = await repository.findInvoicesByIds(trx, companyId, [noteId]);
  await recordEvents(trx, author, [{ companyId, invoiceId: noteId, kind: 'CREATED' }]);
  const registrar = { issuer: asTaxed(issuer, invoice), author };
  const { registered, skipped } = await register(context, trx, registrar, notes);
  for (const { reason } of skipped) throw reason;
  const [creditNote] = registered;
  await recordEvents(trx, author, [
    { companyId, invoiceId: invoice.id, kind: 'CREDITED', details: { creditNote } },
  ]);
  await stopCancelled(context, trx, { companyId, invoiceId: invoice.id, noteId, author });
}

/**
 * The issuer with the VAT registration that it had when it issued the invoice. A credit note takes
 * back the very VAT that was charged, though the company has entered or left the register since.
 */
function asTaxed(issuer: Issuer, { seller }: InvoiceRow): Issuer {
  const vatRegistered = seller?.vatRegistered ?? issuer.seller.vatRegistered;
  return { ...issuer, seller: { ...issuer.seller, vatRegistered } };
}

/** Gives numbers to the drafts that can have one, freezes them and has them mailed. */
async function register(
  context: Context,
  trx: Trx,
  { issuer, author }: Registrar,
  drafts: readonly InvoiceRow[],
): Promise<Outcome & { issuer: Issuer }> {
  const contents = await findParts(trx, issuer.companyId, drafts);
  const judged = contents.map((content) => ({ content, reason: reasonAgainst(content) }));
  const skipped = judged.flatMap(({ content, reason }) => (reason ? [{ content, reason }] : []));
  const accepted = judged.filter(({ reason }) => reason === null).map(({ content }) => content);
  const { registrations, issuer: advanced } = numberInOrder(issuer, accepted);
  const { lastInvoiceNumber, lastDocumentHash } = advanced;
  if (lastInvoiceNumber !== null && lastDocumentHash !== null && registrations.length > 0) {
    await advanceSeries(trx, issuer.companyId, { lastInvoiceNumber, lastDocumentHash });
    await saveRegistrations(trx, issuer.companyId, issuer, registrations);
    await recordEvents(trx, author, registrations.map(toEvent(issuer)));
  }
  const isMailed = accepted.some(({ row }) => row.deliveryType === 'EMAIL');
  if (isMailed && context.config.dispatch === 'auto') {
    await context.jobs.enqueue(trx, dispatchJob, { companyId: issuer.companyId });
  }
  const registered = accepted.map(({ row }, index) => ({
    uuid: row.uuid,
    invoiceNumber: registrations[index]?.invoiceNumber ?? 0,
  }));
  return { registered, skipped, issuer: advanced };
}

function toEvent({ companyId }: Issuer) {
  return ({ id, invoiceNumber }: Registration): NewEvent => ({
    companyId,
    invoiceId: id,
    kind: 'REGISTERED',
    details: { invoiceNumber },
  });
}

/** Why a draft cannot be registered, or null. */
function reasonAgainst({ row, buyer }: InvoiceContent): AppError | null {
  if (row.deliveryType === 'EHF' || row.deliveryType === 'EFAKTURA') {
    return new AppError('delivery_type_unavailable', { subject: row.deliveryType });
  }
  if (row.deliveryType === 'EMAIL' && !buyer.email) return new AppError('recipient_without_email');
  if (row.grossAmount < 0) return new AppError('negative_total');
  return null;
}

function numberInOrder(
  issuer: Issuer,
  contents: readonly InvoiceContent[],
): { registrations: Registration[]; issuer: Issuer } {
  let { lastInvoiceNumber, lastDocumentHash } = issuer;
  const registrations = contents.map((content): Registration => {
    const invoiceNumber =
      lastInvoiceNumber === null ? issuer.startInvoiceNumber : lastInvoiceNumber + 1;
    const { row, buyer } = content;
    const kid = row.kind === 'INVOICE' ? makeKid(buyer.customerNumber, invoiceNumber) : null;
    const previousHash = lastDocumentHash;
    const document = { ...toDocument(content, issuer), invoiceNumber, kid };
    const documentHash = hashDocument(document, previousHash);
    lastInvoiceNumber = invoiceNumber;
    lastDocumentHash = documentHash;
    const text = searchText(invoiceNumber, buyer.name, buyer.orgNumber, kid);
    return {
      id: row.id,
      invoiceNumber,
      kid,
      buyer,
      searchText: text,
      previousHash,
      documentHash,
    };
  });
  return { registrations, issuer: { ...issuer, lastInvoiceNumber, lastDocumentHash } };
}
