import type { ReminderDocument } from '../../domain/document/reminder-document.ts';
import type { Db, Trx } from '../platform/db/database.ts';
import type { KeptFile } from './document-file.repository.ts';
import { readReminder, reminderVersionOf, writeReminder } from './reminder-text.ts';

/** A reminder as it was made, with what is kept of its bytes. */
export interface MadeReminder {
  readonly id: number;
  readonly companyId: number;
  readonly document: ReminderDocument;
  /** Its PDF; none before it is first printed. */
  readonly files: readonly KeptFile[];
}

/** Adds a reminder of an invoice and returns the document's id. */
export async function insertReminder(
  trx: Trx,
  companyId: number,
  { invoiceId, document }: { readonly invoiceId: number; readonly document: ReminderDocument },
): Promise<number> {
  const version = reminderVersionOf(document);
  const { id } = await trx
    .insertInto('document')
    .values({
      companyId,
      invoiceId,
      kind: 'REMINDER',
      version,
      content: writeReminder(document, version),
      logo: document.logo === null ? null : Buffer.from(document.logo, 'hex'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The reminder that a document is. */
export async function findReminder(
  db: Db,
  companyId: number,
  id: number,
): Promise<MadeReminder | null> {
  const row = await db
    .selectFrom('document')
    .leftJoin('documentFile as file', (join) =>
      join
        .onRef('file.companyId', '=', 'document.companyId')
        .onRef('file.documentId', '=', 'document.id')
        .on('format', '=', 'PDF'),
    )
    .select(['version', 'document.content as text', 'sha256', 'file.content as pdf'])
    .where('document.companyId', '=', companyId)
    .where('document.id', '=', id)
    .where('kind', '=', 'REMINDER')
    .executeTakeFirst();
  if (!row) return null;
  const { text, version, sha256, pdf } = row;
  const files = sha256 === null ? [] : [{ format: 'PDF', sha256, content: pdf } as const];
  return { id, companyId, document: readReminder(text, version), files };
}
