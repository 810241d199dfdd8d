import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { NumberOrUuid } from '../../domain/invoice/invoice.schema.ts';
import type { Context } from '../context.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { requireInvoice } from '../invoice/invoice.service.ts';
import { requireIssuer, kidAgreementInForce, type Issuer } from '../company/profile.service.ts';
import { hashText } from './document-chain.ts';
import { versionOf, writeText } from './document-text.ts';
import { findIssued, type IssuedDocument } from './document-file.repository.ts';
import * as repository from './document.repository.ts';
import { toDocument } from './to-document.ts';

/**
 * Issues the documents of invoices that have just been given their numbers: freezes what they say as
 * text, and goes on with the company's chain. The caller holds the issuer's lock.
 *
 * @param invoices in the order of their numbers, up to the last one that was given
 * @returns the end of the chain now
 */
export async function issueDocuments(
  trx: Trx,
  issuer: Issuer,
  invoices: readonly InvoiceRow[],
): Promise<Uint8Array | null> {
  if (invoices.length === 0) return issuer.lastDocumentHash;
  let previousHash = issuer.lastDocumentHash;
  const documents = invoices.map((invoice): repository.NewDocument => {
    const issued = toDocument(invoice, issuer);
    const version = versionOf(issued);
    const content = writeText(issued, version);
    const hash = hashText(content, previousHash);
    const { kind, id: invoiceId } = invoice;
    const { logo } = issued;
    const document = { kind, invoiceId, version, content, logo, previousHash, hash };
    previousHash = hash;
    return document;
  });
  await repository.insertDocuments(trx, issuer.companyId, documents);
  return previousHash;
}

/** The ids of the documents that were issued as these invoices and credit notes, by theirs. */
export async function findDocumentIds(
  db: Db,
  invoices: readonly { readonly companyId: number; readonly invoiceId: number }[],
): Promise<Map<number, number>> {
  const rows = await repository.findIds(db, {
    companyIds: [...new Set(invoices.map(({ companyId }) => companyId))],
    invoiceIds: invoices.map(({ invoiceId }) => invoiceId),
  });
  return new Map(rows.map(({ id, invoiceId }) => [invoiceId, id]));
}

/** An invoice as it is shown: as issued or, for a draft, as it would be issued now. */
export interface ShownDocument {
  readonly row: InvoiceRow;
  /** Null for a draft. */
  readonly issued: IssuedDocument | null;
  readonly document: InvoiceDocument;
}

/** The document of an invoice. @throws AppError not_found, profile_incomplete for a draft */
export async function findDocument(
  { db, config }: Pick<Context, 'db' | 'config'>,
  companyId: number,
  name: NumberOrUuid,
): Promise<ShownDocument> {
  const row = await requireInvoice(db, companyId, name);
  if (row.status === 'DRAFT') {
    const issuer = await requireIssuer(db, companyId);
    const agreement = kidAgreementInForce(config, issuer);
    const bankAccountNumber = agreement?.account ?? issuer.bankAccountNumber;
    const kidModulus = agreement?.modulus ?? null;
    return {
      row,
      issued: null,
      document: { ...toDocument(row, { ...issuer, bankAccountNumber }), kidModulus },
    };
  }
  const issued = await findIssued(db, companyId, row.id);
  if (!issued) throw new Error(`Invoice ${row.id} was registered without a document`);
  return { row, issued, document: issued.document };
}
