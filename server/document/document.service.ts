import type { Issuer } from '../company/profile.service.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { hashText, toDocument, versionOf, writeText } from './document-text.ts';
import * as repository from './document.repository.ts';

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

export { insertReminder as issueReminder } from './document.repository.ts';
