import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import {
  findContent,
  findContents,
  type InvoiceContent,
} from '../invoice/invoice-content.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { findIssuer, type Issuer } from '../profile/profile.service.ts';

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
  const [found] = await withDocuments(db, companyId, [await findContent(db, companyId, name)]);
  if (!found) throw new AppError('not_found');
  return found;
}

/** The documents of invoices, by id. */
export async function findDocuments(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<InvoiceWithDocument[]> {
  return withDocuments(db, companyId, await findContents(db, companyId, ids));
}

async function withDocuments(
  db: Db,
  companyId: number,
  contents: readonly InvoiceContent[],
): Promise<InvoiceWithDocument[]> {
  const hasDraft = contents.some(({ row }) => row.seller === null);
  const issuer = hasDraft ? await findIssuer(db, companyId) : null;
  return contents.map((content) => ({
    row: content.row,
    document: toDocument(content, issuer ?? frozenSeller(content.row)),
  }));
}

function frozenSeller(row: InvoiceRow): Seller {
  if (!row.seller || row.bankAccountNumber === null) throw new Error('A draft needs its issuer');
  return { seller: row.seller, bankAccountNumber: row.bankAccountNumber };
}
