import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { InvoiceStatus } from '../../domain/invoice/invoice.status.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findIssuer, type Issuer } from '../profile/profile.service.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow, UndeliveredRow } from './invoice.rows.ts';
import { findParts, type InvoiceContent } from './invoice.service.ts';

type Seller = Pick<Issuer, 'seller' | 'bankAccountNumber'>;

/** The document that an invoice is; `issuer` is who sells, unless the invoice has it frozen. */
export function toDocument({ row, buyer, lines }: InvoiceContent, issuer: Seller): InvoiceDocument {
  return {
    kind: row.kind,
    invoiceNumber: row.invoiceNumber,
    issueDate: row.issueDate,
    dueDate: row.dueDate,
    deliveryDate: row.deliveryDate,
    reference: row.reference,
    kid: row.kid,
    bankAccountNumber: row.bankAccountNumber ?? issuer.bankAccountNumber,
    credits: creditsOf(row),
    seller: row.seller ?? issuer.seller,
    buyer,
    lines: lines.map(({ quantity, description, netUnitAmount, vatRate }) => ({
      quantity,
      description,
      netUnitAmount,
      vatRate,
    })),
  };
}

function creditsOf(row: InvoiceRow): InvoiceDocument['credits'] {
  if (row.originalNumber === null || row.originalIssueDate === null) return null;
  return { invoiceNumber: row.originalNumber, issueDate: row.originalIssueDate };
}

/** An invoice with its document, frozen or, for a draft, as it would be now. */
export interface InvoiceWithDocument {
  readonly row: InvoiceRow;
  readonly document: InvoiceDocument;
}

/** The document of an invoice. @throws AppError not_found, profile_incomplete for a draft */
export async function findDocument(
  db: Db,
  companyId: number,
  name: NumberOrUuid,
): Promise<InvoiceWithDocument> {
  const row = await repository.findInvoice(db, companyId, name);
  if (!row) throw new AppError('not_found');
  const [found] = await withDocuments(db, companyId, [row]);
  if (!found) throw new AppError('not_found');
  return found;
}

/** The documents of invoices, by id. */
export async function findDocuments(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<InvoiceWithDocument[]> {
  const rows = await repository.findInvoicesByIds(db, companyId, ids);
  return withDocuments(db, companyId, rows);
}

async function withDocuments(
  db: Db,
  companyId: number,
  rows: readonly InvoiceRow[],
): Promise<InvoiceWithDocument[]> {
  const contents = await findParts(db, companyId, rows);
  const issuer = rows.some((row) => row.seller === null) ? await findIssuer(db, companyId) : null;
  return contents.map((content) => ({
    row: content.row,
    document: toDocument(content, issuer ?? frozenSeller(content.row)),
  }));
}

function frozenSeller(row: InvoiceRow): Seller {
  if (!row.seller || row.bankAccountNumber === null) throw new Error('A draft needs its issuer');
  return { seller: row.seller, bankAccountNumber: row.bankAccountNumber };
}

/** Whether an invoice is to be paid, and what it credits. */
export interface Standing {
  readonly invoiceId: number;
  readonly status: InvoiceStatus;
  readonly creditsInvoiceId: number | null;
}

/** A registered invoice that waits to be mailed. */
export interface Undelivered extends Standing {
  readonly companyId: number;
  /** The buyer's address that was frozen with it. */
  readonly recipient: string;
}

/**
 * Registered EMAIL invoices that have no delivery, each company's in the order of their numbers.
 * They are held until the transaction ends; those that another transaction holds are left to it.
 * Of one company or, with null, of all.
 */
export async function findUndelivered(
  trx: Trx,
  companyId: number | null,
  most: number,
): Promise<Undelivered[]> {
  return (await repository.lockUndelivered(trx, companyId, most)).map(toUndelivered);
}

/** Which of these invoices, held by the caller, are registered EMAIL invoices without a delivery. */
export async function findUndeliveredAmong(
  trx: Trx,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Undelivered[]> {
  return (await repository.findUndelivered(trx, companyId, invoiceIds)).map(toUndelivered);
}

function toUndelivered(row: UndeliveredRow): Undelivered {
  const { id, companyId, buyer, status, creditsInvoiceId } = row;
  if (!buyer?.email) throw new Error(`Invoice ${id} was registered for e-mail without an address`);
  return { companyId, invoiceId: id, recipient: buyer.email, status, creditsInvoiceId };
}

/** How these invoices of these companies stand now, by id. */
export async function findStandings(
  db: Db,
  { companyIds, invoiceIds }: { companyIds: readonly number[]; invoiceIds: readonly number[] },
): Promise<Map<number, Standing>> {
  const rows = await repository.findStandings(db, { companyIds, ids: invoiceIds });
  return new Map(rows.map(({ id, ...standing }) => [id, { invoiceId: id, ...standing }]));
}

/** Whether an invoice that was registered so many seconds ago still has no delivery. */
export async function hasUndelivered(db: Db, olderThan: number): Promise<boolean> {
  return repository.hasUndelivered(db, olderThan);
}

/** How many registered invoices wait to be mailed, and how many were; of all companies. */
export async function countDelivered(db: Db): Promise<{ pending: number; sent: number }> {
  return repository.countDelivered(db);
}
