import {
  ATTACHMENT_TYPES,
  findNoRoom,
  sizeOf,
  type Attachment,
  type AttachmentEnding,
} from '../../domain/attachment/attachment.schema.ts';
import type { DocumentAttachment } from '../../domain/document/invoice-document.ts';
import { fileNameKey, safeFileName } from '../../domain/file-name.ts';
import { lockCompany } from '../company/profile.repository.ts';
import type { Actor, Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import { sha256 } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { PictureMaker } from '../platform/pictures/picture-maker.ts';
import { reasonOfRefusal, typeOfFile } from './attachment-type.ts';
import * as repository from './attachment.repository.ts';
import { readBytes, type Stores } from './file-bytes.service.ts';

/** The files that are sent along with an invoice. @throws AppError not_found */
export async function listAttachments(
  { db }: Pick<Context, 'db'>,
  { companyId }: Pick<Actor, 'companyId'>,
  invoiceUuid: string,
): Promise<Attachment[]> {
  const { id } = await requireInvoice(db, companyId, invoiceUuid);
  return repository.listAttachments(db, companyId, id);
}

/** A file that is being uploaded. */
export interface Upload {
  readonly name: string;
  /** Reads the whole file, once there is room for it in memory. */
  readonly read: () => Promise<Buffer>;
}

/**
 * Adds a file to a draft. A picture is made anew; all else is kept as it is.
 *
 * @throws AppError not_found, not_a_draft, too_many_attachments, before the file is read; attachment_empty,
 * attachment_type, attachment_cut, attachment_utf16, attachment_unreadable, attachment_too_many_pixels,
 * attachment_too_large, attachments_too_large, unavailable
 */
export async function addAttachment(
  context: Pick<Context, 'db'>,
  pictures: PictureMaker,
  { companyId }: Actor,
  invoiceUuid: string,
  { name, read }: Upload,
): Promise<Attachment> {
  await requireRoomForOne(context.db, companyId, invoiceUuid);
  const file = await takeUpload(pictures, companyId, { name, read });
  return context.db.transaction().execute(async (trx) => {
    const invoiceId = await lockDraft(trx, companyId, invoiceUuid);
    const others = await repository.listAttachments(trx, companyId, invoiceId);
    return repository.insertAttachment(trx, { companyId, invoiceId, ...besides(file, others) });
  });
}

/** A file that was uploaded, with the type that its bytes have. */
interface TakenFile {
  readonly name: string;
  readonly ending: AttachmentEnding;
  readonly content: Uint8Array;
}

/** Reads and judges a file that is to be sent along. @throws AppError as `addAttachment`, about the file itself */
export async function takeUpload(
  pictures: PictureMaker,
  companyId: number,
  { name, read }: Upload,
): Promise<TakenFile> {
  const uploaded = await read();
  if (uploaded.byteLength === 0) throw new AppError('attachment_empty');
  const ending = await typeOfFile(uploaded, name);
  if (ending === null) throw new AppError(reasonOfRefusal(uploaded, name));
  const isPicture = ending === 'png' || ending === 'jpg';
  return { name, ending, content: isPicture ? await pictures.make(uploaded, companyId) : uploaded };
}

/** The row of a file beside the others of the same draft. @throws AppError too_many_attachments and the like */
export function besides({ name, ending, content }: TakenFile, others: readonly Attachment[]) {
  requireRoom(content.byteLength, others);
  return {
    name: nameFor(name, ending, others),
    mediaType: ATTACHMENT_TYPES[ending],
    content,
    sha256: sha256(content),
  };
}

/** Judges an upload by its path. The transaction judges again. */
async function requireRoomForOne(db: Db, companyId: number, invoiceUuid: string): Promise<void> {
  const draft = await requireInvoice(db, companyId, invoiceUuid);
  requireDraft(draft);
  requireRoom(0, await repository.listAttachments(db, companyId, draft.id));
}

/** Takes a file away from a draft. @throws AppError not_found, not_a_draft */
export async function deleteAttachment(
  { db }: Pick<Context, 'db'>,
  { companyId }: Actor,
  { invoiceUuid, uuid }: { readonly invoiceUuid: string; readonly uuid: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const invoiceId = await lockDraft(trx, companyId, invoiceUuid);
    const isGone = await repository.deleteAttachment(trx, companyId, invoiceId, uuid);
    if (!isGone) throw new AppError('not_found');
  });
}

/** A file with its bytes. @throws AppError not_found; ObjectStoreAway */
export async function getAttachment(
  stores: Stores,
  { companyId }: Pick<Actor, 'companyId'>,
  { invoiceUuid, uuid }: { readonly invoiceUuid: string; readonly uuid: string },
): Promise<Pick<Attachment, 'name' | 'mediaType'> & { readonly content: Uint8Array }> {
  const { id } = await requireInvoice(stores.db, companyId, invoiceUuid);
  const [row] = await repository.readAttachments(stores.db, companyId, id, uuid);
  if (!row) throw new AppError('not_found');
  return { ...row, content: await readBytes(stores, companyId, row) };
}

/** Locks the company and returns the draft's id. */
async function lockDraft(trx: Trx, companyId: number, invoiceUuid: string): Promise<number> {
  // Registering, changing and deleting drafts all hold this lock.
  await lockCompany(trx, companyId);
  const draft = await requireInvoice(trx, companyId, invoiceUuid);
  requireDraft(draft);
  return draft.id;
}

function requireDraft({ status }: { readonly status: string }): void {
  if (status !== 'DRAFT') throw new AppError('not_a_draft');
}

/** Refuses a file that has no room beside the others. @throws AppError too_many_attachments and the like */
export function requireRoom(size: number, others: readonly Attachment[]): void {
  const fault = findNoRoom(size, others);
  if (!fault) return;
  const subject = fault === 'attachments_too_large' ? sizeOf(others) + size : size;
  throw new AppError(fault, { subject });
}

/** A safe name that ends with the type of the content, and is another one than these in every case (DOC-24). */
function nameFor(given: string, ending: AttachmentEnding, others: readonly Attachment[]): string {
  const clean = safeFileName(given);
  const isRight = new RegExp(`\\.(${ending === 'jpg' ? 'jpe?g' : ending})$`, 'i').test(clean);
  const taken = new Set(others.map(({ name }) => fileNameKey(name)));
  return safeFileName(isRight ? clean : `${clean}.${ending}`, taken);
}

/** The largest mail that mail servers accept (bytes). */
const LARGEST_MAIL = 20 * 1024 * 1024;
/** Base64 in lines of 76 characters (RFC 2045 § 6.8). */
const ENCODED = (4 / 3) * (78 / 76);
/**
 * Bytes of the mail's own text, the logo and the frames of fonts; of a line's frame; of a character in the PDF and the
 * EHF; and of the shape of a letter, which the PDF has once.
 */
const FRAME = 1_000_000;
const FRAME_OF_LINE = 1500;
const CHARACTER = 33;
const SHAPE = 250;

/** The refusal of a draft whose mail could be too large, found without printing it (DOC-28). */
export function findSizeObstacle(
  { lines }: { readonly lines: readonly { readonly description: string }[] },
  files: readonly DocumentAttachment[],
): AppError | null {
  const text = lines.map(({ description }) => description).join('');
  const size = Math.ceil(
    ENCODED *
      (sizeOf(files) +
        FRAME +
        FRAME_OF_LINE * lines.length +
        CHARACTER * text.length +
        SHAPE * new Set(text).size),
  );
  return size > LARGEST_MAIL ? new AppError('mail_too_large', { subject: size }) : null;
}
