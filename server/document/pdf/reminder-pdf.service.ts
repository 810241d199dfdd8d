import {
  reminderFileName,
  type ReminderDocument,
} from '../../../domain/document/reminder-document.ts';
import type { Context } from '../../context.ts';
import { hexOf, sha256 } from '../../platform/crypto.ts';
import { AppError } from '../../errors.ts';
import type { PdfInput } from './document-page.ts';
import type { Caller } from '../../platform/pdf/worker-pool.ts';
import { logoOf, printReminder } from '../document-file.service.ts';
import { preview } from './document-pdf.service.ts';
import { findReminder } from '../reminder-document.repository.ts';

/** The PDF of a reminder that was made: the bytes of its first printing. */
export async function findReminderPdf(
  context: Context,
  { companyId, documentId }: { readonly companyId: number; readonly documentId: number },
  signal: AbortSignal,
): Promise<{ content: Uint8Array; fileName: string; etag: string }> {
  const reminder = await findReminder(context.db, companyId, documentId);
  if (!reminder) throw new AppError('not_found');
  const logo = logoOf(context.db, companyId, reminder.document);
  const render = async (input: PdfInput) => preview(context, input, { owner: companyId, signal });
  const { content } = await printReminder(context, reminder, { render, logo });
  const fileName = reminderFileName(reminder.document);
  return { content, fileName, etag: `"${hexOf(sha256(content))}"` };
}

/** The PDF that a reminder would have, marked as a draft. @throws AppError too_many_pdfs */
export async function drawReminder(
  context: Context,
  document: ReminderDocument,
  caller: Caller,
): Promise<Uint8Array> {
  const logo = await logoOf(context.db, caller.owner, document)();
  return preview(context, { document, stamp: { kind: 'DRAFT' }, logo }, caller);
}
