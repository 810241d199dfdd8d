import type { InvoiceDocument } from '../../domain/invoice/invoice-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findIssuer, type Issuer } from '../profile/profile.service.ts';
import * as repository from './invoice.repository.ts';
import type { InvoiceRow } from './invoice.rows.ts';
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

/** A registered invoice that waits to be mailed. */
export interface Undelivered {
  readonly companyId: number;
  readonly invoiceId: number;
  readonly recipient: string;
}

/**
 * Registered EMAIL invoices that have no delivery, held until the transaction ends; those that
 * another transaction holds are left to it. Of one company or, with null, of all.
 */
export async function findUndelivered(
  trx: Trx,
  companyId: number | null,
  most: number,
): Promise<Undelivered[]> {
  const rows = await repository.lockUndelivered(trx, companyId, most);
  return rows.map(({ id, companyId: company, buyer }) => {
    if (!buyer?.email)
      throw new Error(`Invoice ${id} was registered for e-mail without an address`);
    return { companyId: company, invoiceId: id, recipient: buyer.email };
  });
}

/** Whether an invoice that was registered so many seconds ago still has no delivery. */
export async function hasUndelivered(db: Db, olderThan: number): Promise<boolean> {
  return repository.hasUndelivered(db, olderThan);
}

/** How many registered invoices wait to be mailed, and how many were; of all companies. */
export async function countDelivered(db: Db): Promise<{ pending: number; sent: number }> {
  return repository.countDelivered(db);
}
