import type { Attachment } from '../../domain/attachment/attachment.schema.ts';
import type { Actor, Context } from '../context.ts';
import { besides, requireRoom, takeUpload, type Upload } from '../document/attachment.service.ts';
import { readBytes } from '../document/file-bytes.service.ts';
import {
  deleteQuoteAttachment,
  findQuoteAttachments,
  insertQuoteAttachment,
  type QuoteAttachmentRow,
} from '../document/quote-document.repository.ts';
import type { QuoteFile } from '../document/quote-document.service.ts';
import { AppError } from '../errors.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db } from '../platform/db/database.ts';
import type { PictureMaker } from '../platform/pictures/picture-maker.ts';
import { lockQuote, requireState } from './quote-drafts.service.ts';
import { findQuote, type QuoteRow } from './quote.repository.ts';

/** The quote of a call about files, which are there with the feature `attachments` alone. @throws AppError not_found */
async function requireQuote(
  { config, db }: Pick<Context, 'config' | 'db'>,
  companyId: number,
  uuid: string,
): Promise<QuoteRow> {
  const quote = config.features.has('attachments') ? await findQuote(db, companyId, uuid) : null;
  if (!quote) throw new AppError('not_found');
  return quote;
}

async function list(db: Db, quote: QuoteRow): Promise<Attachment[]> {
  return (await findQuoteAttachments(db, quote, false)).map(present);
}

function present({ uuid, name, mediaType, size, sha256, createdAt }: QuoteAttachmentRow) {
  const made = createdAt.toISOString();
  return { uuid, name, mediaType, size, sha256: hexOf(sha256), createdAt: made };
}

/** The files of the newest revision of a quote (QUO-19). @throws AppError not_found */
export async function listQuoteAttachments(
  context: Context,
  { companyId }: Actor,
  uuid: string,
): Promise<Attachment[]> {
  return list(context.db, await requireQuote(context, companyId, uuid));
}

/** Adds a file to a draft. @throws AppError not_found, quote_state, and as `addAttachment` of invoices */
export async function addQuoteAttachment(
  context: Context,
  pictures: PictureMaker,
  { companyId }: Actor,
  { quoteUuid, ...upload }: Upload & { readonly quoteUuid: string },
): Promise<Attachment> {
  // Judged before the file is read; the transaction judges again.
  const draft = await requireQuote(context, companyId, quoteUuid);
  requireState(draft, 'DRAFT');
  requireRoom(0, await list(context.db, draft));
  const file = await takeUpload(pictures, companyId, upload);
  return context.db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, companyId, quoteUuid);
    requireState(quote, 'DRAFT');
    const row = besides(file, await list(trx, quote));
    return present(await insertQuoteAttachment(trx, quote, row));
  });
}

/** A file with its bytes. @throws AppError not_found; ObjectStoreAway */
export async function getQuoteAttachment(
  context: Context,
  { companyId }: Actor,
  { quoteUuid, uuid }: { readonly quoteUuid: string; readonly uuid: string },
): Promise<QuoteFile> {
  const quote = await requireQuote(context, companyId, quoteUuid);
  const rows = await findQuoteAttachments(context.db, quote, true);
  const row = rows.find((one) => one.uuid === uuid);
  if (!row) throw new AppError('not_found');
  const { name, mediaType } = row;
  return { name, mediaType, content: await readBytes(context, companyId, row) };
}

/** Takes a file away from a draft. @throws AppError not_found, quote_state */
export async function removeQuoteAttachment(
  context: Context,
  { companyId }: Actor,
  { quoteUuid, uuid }: { readonly quoteUuid: string; readonly uuid: string },
): Promise<void> {
  await requireQuote(context, companyId, quoteUuid);
  await context.db.transaction().execute(async (trx) => {
    const quote = await lockQuote(trx, companyId, quoteUuid);
    requireState(quote, 'DRAFT');
    if (!(await deleteQuoteAttachment(trx, quote, uuid))) throw new AppError('not_found');
  });
}
