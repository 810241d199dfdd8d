import type { HistoryEvent } from '../../domain/history/history.schema.ts';
import type {
  Invoice,
  InvoiceListQuery,
  InvoicePage,
  NumberOrUuid,
} from '../../domain/invoice/invoice.schema.ts';
import { PAGE_SIZE } from '../../domain/invoice/invoice.schema.ts';
import { canBecome, type InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import { todayInOslo } from '../../domain/date.ts';
import type { Actor, Context } from '../context.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { authorOf, findHistory, recordEvents } from '../history/history.service.ts';
import { writeWith, type Written } from '../written.ts';
import { findInvoiceJson } from './invoice-json.repository.ts';
import { countFound, findPage } from './invoice-list.repository.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceCounts, InvoiceRow } from './invoice.rows.ts';

/** A page of the list, with the counts of the whole account. */
export async function listInvoices(
  context: Context,
  actor: Actor,
  query: InvoiceListQuery,
): Promise<Written<InvoicePage>> {
  const { db } = context;
  const { companyId } = actor;
  const filter = { status: query.status, query: query.query };
  const [{ counts, invoices }, found] = await Promise.all([
    findPage(db, companyId, query.page, filter),
    query.query === '' ? null : countFound(db, companyId, filter),
  ]);
  const count = found ?? countOf(counts, query.status);
  const page = {
    count,
    next: query.page * PAGE_SIZE < count ? pagePath(query, query.page + 1) : null,
    previous: query.page > 1 ? pagePath(query, query.page - 1) : null,
    summary: {
      drafts: counts.drafts,
      registered: counts.registered,
      sent: counts.sent,
      sentFrom: counts.sentFrom,
      sentTo: counts.sentTo,
      queueable: queueableOf(counts),
    },
  };
  return writeWith<InvoicePage, 'results'>(page, 'results', invoices);
}

function queueableOf({ drafts, queueable }: InvoiceCounts): InvoicePage['summary']['queueable'] {
  if (drafts === 0) return { drafts: 0, emails: 0, grossAmount: 0 };
  if (!queueable) return null;
  const { emails, gross } = queueable;
  return { drafts: queueable.drafts, emails, grossAmount: gross };
}

function countOf(counts: InvoiceCounts, status: InvoiceStatus | undefined): number {
  const byStatus = {
    DRAFT: counts.drafts,
    REGISTERED: counts.registered,
    PAID: counts.paid,
    CANCELLED: counts.cancelled,
  };
  return status === undefined
    ? Object.values(byStatus).reduce((sum, count) => sum + count, 0)
    : byStatus[status];
}

function pagePath({ status, query }: InvoiceListQuery, page: number): string {
  const parameters = new URLSearchParams({ page: String(page) });
  if (status !== undefined) parameters.set('status', status);
  if (query !== '') parameters.set('query', query);
  return `/api/invoices/?${parameters}`;
}

/** One invoice or credit note. @throws AppError not_found */
export async function getInvoice(
  context: Context,
  actor: Actor,
  name: NumberOrUuid,
): Promise<Written<Invoice>> {
  return describe(context.db, actor.companyId, name);
}

/** What happened to an invoice or credit note, newest first. @throws AppError not_found */
export async function getHistory(
  context: Context,
  { companyId }: Actor,
  name: NumberOrUuid,
): Promise<HistoryEvent[]> {
  const invoice = await repository.findInvoice(context.db, companyId, name);
  if (!invoice) throw new AppError('not_found');
  return findHistory(context.db, companyId, invoice.id);
}

/**
 * Marks a registered invoice as paid today, or a paid one as not paid.
 * @throws AppError not_found, credit_note_stays, status_not_possible
 */
export async function updateStatus(
  context: Context,
  actor: Actor,
  uuid: string,
  status: InvoiceStatus,
): Promise<Written<Invoice>> {
  const { companyId } = actor;
  return context.db.transaction().execute(async (trx) => {
    const invoice = await repository.lockInvoice(trx, companyId, uuid);
    if (!invoice) throw new AppError('not_found');
    if (invoice.kind === 'CREDIT_NOTE') throw new AppError('credit_note_stays');
    const isByHand = status === 'PAID' || invoice.status === 'PAID';
    if (!isByHand || !canBecome(invoice.status, status)) {
      throw new AppError('status_not_possible', { subject: `${invoice.status} to ${status}` });
    }
    const paidDate = status === 'PAID' ? todayInOslo() : null;
    await repository.setStatus(trx, companyId, invoice.id, status, paidDate);
    await recordEvents(trx, authorOf(actor), [
      paidDate === null
        ? { companyId, invoiceId: invoice.id, kind: 'UNPAID' }
        : { companyId, invoiceId: invoice.id, kind: 'PAID', details: { paidDate } },
    ]);
    return describe(trx, companyId, uuid);
  });
}

/** As `lockInvoice`, by the id that other tables name it by. */
export async function lockInvoiceById(
  trx: Trx,
  companyId: number,
  id: number,
): Promise<InvoiceRow | null> {
  return repository.lockInvoiceById(trx, companyId, id);
}

/** An invoice held until the transaction ends; null when it is not the company's. */
export async function lockInvoice(
  trx: Trx,
  companyId: number,
  uuid: string,
): Promise<InvoiceRow | null> {
  return repository.lockInvoice(trx, companyId, uuid);
}

async function describe(db: Db, companyId: number, name: NumberOrUuid): Promise<Written<Invoice>> {
  const invoice = await findInvoiceJson(db, companyId, name);
  if (!invoice) throw new AppError('not_found');
  return invoice;
}
