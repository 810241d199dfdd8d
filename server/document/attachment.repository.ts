import { sql } from 'kysely';

import type { Attachment } from '../../domain/attachment/attachment.schema.ts';
import type { DocumentAttachment } from '../../domain/document/invoice-document.ts';
import { hexOf } from '../platform/crypto.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import { compiledOnce } from '../platform/db/frequent-statements.ts';
import type { Row } from '../platform/db/tables.ts';

const NAMED = ['uuid', 'name', 'mediaType', 'size'] as const;
const SHOWN = [...NAMED, 'sha256', 'createdAt'] as const;

/** A file of an invoice, and where its bytes are. */
export interface AttachmentRow extends Pick<Attachment, (typeof NAMED)[number]> {
  readonly id: number;
  readonly sha256: Uint8Array;
  /** Null when the bytes are in the object store. */
  readonly content: Uint8Array | null;
}

/** The files of an invoice, in the order in which they were added. */
export async function listAttachments(
  db: Db,
  companyId: number,
  invoiceId: number,
): Promise<Attachment[]> {
  const rows = await db
    .selectFrom('attachment')
    .select(SHOWN)
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id')
    .execute();
  return rows.map(toAttachment);
}

function toAttachment({
  sha256,
  createdAt,
  ...row
}: Row<'attachment', (typeof SHOWN)[number]>): Attachment {
  return { ...row, sha256: hexOf(sha256), createdAt: createdAt.toISOString() };
}

/** The files of an invoice with their bytes, or only the one with this uuid. */
export async function readAttachments(
  db: Db,
  companyId: number,
  invoiceId: number,
  uuid?: string,
): Promise<AttachmentRow[]> {
  const rows = db
    .selectFrom('attachment')
    .select([...NAMED, 'id', 'sha256', 'content'])
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .orderBy('id');
  return (uuid === undefined ? rows : rows.where('uuid', '=', uuid)).execute();
}

/** The files of invoices as their documents name them, by invoice id; invoices without files are missing. */
export type Attachments = ReadonlyMap<number, readonly DocumentAttachment[]>;

/** The files of these invoices. */
export async function findAttachmentsOf(
  db: Db,
  companyId: number,
  invoiceIds: readonly number[],
): Promise<Attachments> {
  const rows = await findNamed(db, companyId, invoiceIds);
  const found = new Map<number, DocumentAttachment[]>();
  for (const { invoiceId, name, mediaType, size, sha256 } of rows) {
    const file = { name, mediaType, size, sha256: hexOf(sha256) };
    found.set(invoiceId, [...(found.get(invoiceId) ?? []), file]);
  }
  return found;
}

const findNamed = compiledOnce((db, companyId: number, invoiceIds: readonly number[]) =>
  db
    .selectFrom('attachment')
    .select(['invoiceId', 'name', 'mediaType', 'size', 'sha256'])
    .where('companyId', '=', companyId)
    .where(sql<boolean>`invoice_id = ANY(${invoiceIds}::bigint[])`)
    .orderBy('id'),
);

/** Adds a file to a draft; its bytes are in the database until the document's files are made. */
export async function insertAttachment(
  trx: Trx,
  file: {
    readonly companyId: number;
    readonly invoiceId: number;
    readonly name: string;
    readonly mediaType: Attachment['mediaType'];
    readonly content: Uint8Array;
    readonly sha256: Uint8Array;
  },
): Promise<Attachment> {
  const row = await trx
    .insertInto('attachment')
    .values({ ...file, size: file.content.byteLength })
    .returning(SHOWN)
    .executeTakeFirstOrThrow();
  return toAttachment(row);
}

/** Takes a file away from a draft. Returns whether it was there. */
export async function deleteAttachment(
  trx: Trx,
  companyId: number,
  invoiceId: number,
  uuid: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('attachment')
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', invoiceId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
