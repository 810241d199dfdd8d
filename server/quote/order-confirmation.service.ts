import { todayInOslo } from '../../domain/date.ts';
import { quoteFileName } from '../../domain/quote/quote-document.ts';
import type { QuoteAuthor } from '../../domain/quote/quote.schema.ts';
import type { Actor, Context } from '../context.ts';
import { judgeAddresses } from '../delivery/addressed-mail.service.ts';
import { insertQuoteDocument } from '../document/quote-document.repository.ts';
import { printQuote, requireQuoteDocument } from '../document/quote-document.service.ts';
import type { NamedPdf } from '../document/serve-pdf.ts';
import { preview } from '../document/show-document.service.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Trx } from '../platform/db/database.ts';
import { findSentAddresses } from './quote-answer.repository.ts';
import { sentRevisionOf } from './quote-answer.service.ts';
import { orderQuoteMail } from './quote-delivery.service.ts';
import { requireQuote } from './quote-drafts.service.ts';
import type { QuoteRow, RevisionKey } from './quote.repository.ts';

/**
 * The SHA-256 of a quote's PDF in hex, by which its confirmation names it (QUO-41). The PDF is made where nobody has had
 * it yet, which takes too long for a transaction.
 */
export async function proofOf(context: Context, key: RevisionKey): Promise<string> {
  const row = await requireQuoteDocument(context.db, key, 'QUOTE');
  const render = context.pdf.render.bind(context.pdf);
  return hexOf((await printQuote(context, row, render)).sha256);
}

interface Acceptance {
  readonly by: string;
  readonly at: Date;
  readonly proof: string;
  readonly isMailed: boolean;
  /** The author of its mail in the history. */
  readonly author: QuoteAuthor;
}

/** Freezes the order confirmation, in the transaction that accepts, and mails it (QUO-41, QUO-42). */
export async function issueConfirmation(
  context: Context,
  trx: Trx,
  quote: QuoteRow,
  { by, at, proof, isMailed, author }: Acceptance,
): Promise<void> {
  const key = sentRevisionOf(quote);
  const { document } = await requireQuoteDocument(trx, key, 'QUOTE');
  const documentId = await insertQuoteDocument(trx, key, {
    ...document,
    kind: 'ORDER_CONFIRMATION',
    issueDate: todayInOslo(at),
    accepted: { by, sha256: proof },
  });
  const addresses = isMailed ? await findSentAddresses(trx, key) : [];
  if (addresses.length === 0) return;
  await orderQuoteMail(context, trx, {
    quote,
    documentId,
    recipients: await judgeAddresses(trx, addresses),
    author,
    details: { confirmation: true, quoteNumber: document.quoteNumber ?? 0, revision: key.revision },
  });
}

/**
 * The order confirmation as a PDF, which is kept when it is first made.
 * @throws AppError not_found before the quote was accepted, too_many_pdfs, pdf_not_printable
 */
export async function showConfirmation(
  context: Context,
  { companyId }: Actor,
  uuid: string,
  signal: AbortSignal,
): Promise<NamedPdf> {
  const quote = await requireQuote(context.db, companyId, uuid);
  const row = await requireQuoteDocument(context.db, quote, 'ORDER_CONFIRMATION');
  const { content, sha256 } = await printQuote(context, row, async (input) =>
    preview(context, input, { owner: companyId, signal }),
  );
  return { content, fileName: quoteFileName(row.document), etag: `"${hexOf(sha256)}"` };
}
