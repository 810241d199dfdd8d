import type { InvoiceDocument } from '../../domain/document/invoice-document.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { EhfNotPossible } from '../ehf/ehf-not-possible.ts';
import { renderEhf } from '../ehf/ehf.ts';
import type { PdfInput } from '../pdf/invoice-page.ts';
import type { IssuedDocument } from './document.service.ts';
import { findKept, keepFiles, type DocumentFile } from './document-file.repository.ts';

/** A document with the bytes that are made from it. */
export interface DocumentWithFiles {
  readonly document: InvoiceDocument;
  readonly files: readonly DocumentFile[];
}

/**
 * The bytes of a registered document: those that were kept when it was first made, or new ones, which
 * are kept from now on, mailed or not. What was given to a customer stays the same, whatever becomes of
 * the template and the fonts.
 *
 * @param render makes the PDF, in the turn of whoever asks
 */
export async function findOriginal(
  context: Context,
  { id: documentId, companyId, document }: IssuedDocument,
  render: Render,
): Promise<readonly DocumentFile[]> {
  const kept = await findKept(context.db, companyId, [documentId]);
  if (isWhole(kept)) return kept;
  const files = await makeFiles({ document, files: kept }, render);
  await keepFiles(context.db, [{ companyId, documentId, files }]);
  // Of two that were made at once, one was kept; it is what both show.
  return findKept(context.db, companyId, [documentId]);
}

type Render = (input: PdfInput) => Promise<Uint8Array>;

/** The EHF may be there before the PDF, which holds it; then the PDF is made with that very EHF. */
export function isWhole(files: readonly DocumentFile[]): boolean {
  return files.some(({ format }) => format === 'PDF');
}

/** The EHF that was made of a document; null where none was. */
export async function findKeptEhf(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<string | null> {
  return ehfOf(await findKept(db, companyId, [invoiceId]));
}

/** The EHF among what is kept; null when there is none. */
export function ehfOf(files: readonly DocumentFile[]): string | null {
  const ehf = files.find(({ format }) => format === 'EHF');
  return ehf ? Buffer.from(ehf.content).toString() : null;
}

/**
 * All files of a document: the PDF, and the EHF that is in it.
 *
 * @param files those that are kept already
 */
export async function makeFiles(
  { document, files }: DocumentWithFiles,
  render: Render,
): Promise<DocumentFile[]> {
  const xml = ehfOf(files) ?? tryEhf(document);
  const pdf = await render({ document, stamp: null, xml });
  return [
    { format: 'PDF', content: pdf },
    ...(xml === null ? [] : [{ format: 'EHF' as const, content: Buffer.from(xml) }]),
  ];
}

/** The EHF, or null where EHF cannot express the invoice: then the mail goes without. */
function tryEhf(document: InvoiceDocument): string | null {
  try {
    return renderEhf(document);
  } catch (error) {
    if (error instanceof EhfNotPossible) return null;
    throw error;
  }
}
