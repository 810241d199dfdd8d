import type { MailRecipient } from '../../domain/delivery/mail-recipients.ts';
import { deliveryStatus, failureReason } from '../../domain/delivery/mail-recipients.ts';
import type { QuoteAuthor, QuoteEventDetails } from '../../domain/quote/quote.schema.ts';
import type { Context } from '../context.ts';
import {
  envelopeOf,
  mailToAddresses,
  type Addressing,
} from '../delivery/addressed-mail.service.ts';
import { logoOf } from '../document/document-file.service.ts';
import {
  findQuoteDocumentById,
  type QuoteDocumentRow,
} from '../document/quote-document.repository.ts';
import { printQuote, readQuoteAttachments } from '../document/quote-document.service.ts';
import { SYSTEM } from '../invoice/history.repository.ts';
import type { Trx } from '../platform/db/database.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { type DeliverJob, quoteMailJob } from '../platform/jobs/jobs.ts';
import type { OutgoingMail } from '../platform/mail/outgoing-mail.ts';
import {
  findQuoteDelivery,
  insertQuoteDelivery,
  NOT_SENT,
  saveRecipients,
  type QuoteDeliveryRow,
} from './quote-delivery.repository.ts';
import { markUnreported } from './quote-failure.repository.ts';
import { recordQuoteEvent } from './quote-history.repository.ts';
import { findQuoteUrl } from './quote-link.service.ts';
import { quoteMail } from './quote.mail.ts';

/** A mail to be sent. */
interface Order {
  readonly quote: { readonly companyId: number; readonly id: number };
  readonly documentId: number;
  readonly recipients: readonly MailRecipient[];
  readonly author: QuoteAuthor;
  readonly details: QuoteEventDetails;
}

/** Adds a mail of a document with its job, and says so in the history (QUO-14). The caller holds the quote. */
export async function orderQuoteMail(
  { jobs }: Pick<Context, 'jobs'>,
  trx: Trx,
  { quote, documentId, recipients, author, details }: Order,
): Promise<void> {
  const { companyId } = quote;
  const row = await insertQuoteDelivery(trx, { companyId, documentId }, recipients);
  await recordQuoteEvent(trx, quote, author, {
    kind: 'SENT',
    details: { ...details, ...addressed(recipients) },
  });
  if (deliveryStatus(recipients) === 'FAILED') {
    await recordQuoteEvent(trx, quote, SYSTEM, { kind: 'FAILED', details: failure(recipients) });
    return;
  }
  await jobs.enqueue(trx, quoteMailJob, { companyId, deliveryId: row.id });
}

function addressed([first, ...others]: readonly MailRecipient[]): QuoteEventDetails {
  const copies = others.map(({ address }) => address);
  return { recipient: first?.address ?? '', ...(copies.length > 0 && { copies }) };
}

function failure(recipients: readonly MailRecipient[]): QuoteEventDetails {
  return { ...addressed(recipients), reason: failureReason(recipients) ?? NOT_SENT };
}

/** Mails quotes and order confirmations. */
export function quoteJobs(context: Context): JobHandler[] {
  const run = async (order: DeliverJob) => mailQuote(context, order);
  return [handlerOf(quoteMailJob, run, { feature: 'quotes' })];
}

/** @throws as `mailToAddresses` */
async function mailQuote(context: Context, { companyId, deliveryId }: DeliverJob): Promise<void> {
  const { db } = context;
  const row = await findQuoteDelivery(db, companyId, deliveryId);
  if (!row) return;
  const issued = await findQuoteDocumentById(db, companyId, row.documentId);
  await mailToAddresses(context, {
    ...row,
    notSent: NOT_SENT,
    compose: async (to) => compose(context, { row, issued }, to),
    save: async (recipients) => keepOutcome(context, { row, issued }, recipients),
  });
}

interface Sending {
  readonly row: QuoteDeliveryRow;
  readonly issued: QuoteDocumentRow;
}

async function compose(
  context: Context,
  { row, issued }: Sending,
  addressing: Addressing,
): Promise<OutgoingMail> {
  const { config, db, pdf } = context;
  const { companyId, document, quoteId: id } = issued;
  const { kind, revision } = document;
  const printed = await printQuote(context, issued, async (input) => pdf.render(input));
  const key = { companyId, id, revision };
  return {
    ...envelopeOf(config, row, document, addressing),
    ...quoteMail({
      document,
      logo: await logoOf(db, companyId, document)(),
      pdf: printed.content,
      attachments: kind === 'QUOTE' ? await readQuoteAttachments(context, key) : [],
      url: kind === 'QUOTE' ? await findQuoteUrl(context, { companyId, quoteId: id }) : null,
    }),
  };
}

/** Keeps what became of the addresses. One that failed is told in the history and to the company, once (QUO-15). */
async function keepOutcome(
  context: Context,
  { row, issued }: Sending,
  recipients: readonly MailRecipient[],
): Promise<void> {
  const { companyId, quoteId: id, document } = issued;
  const wasWaiting = new Set(row.recipients.filter(isQueued).map(({ address }) => address));
  const failed = recipients.filter(
    ({ address, status }) => status === 'FAILED' && wasWaiting.has(address),
  );
  await context.db.transaction().execute(async (trx) => {
    await saveRecipients(trx, row, recipients);
    if (failed.length === 0) return;
    const details = { ...failure(failed), revision: document.revision };
    await recordQuoteEvent(trx, { companyId, id }, SYSTEM, { kind: 'FAILED', details });
    await markUnreported(trx, row);
  });
}

const isQueued = ({ status }: MailRecipient) => status === 'QUEUED';
