import type { PortalInvoice } from '../../domain/portal/portal.schema.ts';
import { documentFileName } from '../../domain/document/invoice-document.ts';
import { reminderFileName } from '../../domain/document/reminder-document.ts';
import type { Context } from '../context.ts';
import { findReminderDeliveries } from '../delivery/delivery.repository.ts';
import { getAttachment, listAttachments } from '../document/attachment.service.ts';
import { tryEhf } from '../document/document-file.service.ts';
import { findIssuedTexts, type IssuedText } from '../document/document.repository.ts';
import { findEhf, findPdf, findReminderPdf } from '../document/show-document.service.ts';
import { findNoteIds } from '../invoice/invoice.repository.ts';
import type { InvoiceRow } from '../invoice/invoice.rows.ts';
import { findReminders } from '../reminder/reminder.repository.ts';

/** A file of an invoice's page, which is made or read when somebody wants it. */
export interface PortalFile extends Omit<PortalInvoice['documents'][number], 'path'> {
  open(signal: AbortSignal): Promise<Uint8Array | string>;
}

const PDF = 'application/pdf';
const EHF = 'application/xml';

/**
 * The files of an invoice's page, in their order (PORT-9): the invoice, what was sent along, its credit notes, its
 * reminders that were sent.
 */
export async function portalFilesOf(context: Context, invoice: InvoiceRow): Promise<PortalFile[]> {
  const { companyId, id, notes } = invoice;
  const noteIds = notes === null ? [] : await findNoteIds(context.db, companyId, id);
  const [own, ...others] = await findIssuedTexts(context.db, companyId, [id, ...noteIds]);
  if (!own) throw new Error(`Invoice ${id} was registered without a document`);
  const uuids = new Map((notes ?? []).map(({ uuid, invoiceNumber }) => [invoiceNumber, uuid]));
  return [
    ...issuedFiles(context, companyId, own, invoice.uuid),
    ...(await attachedFiles(context, companyId, own, invoice.uuid)),
    ...others.flatMap((note) =>
      issuedFiles(context, companyId, note, uuids.get(note.document.invoiceNumber ?? 0) ?? ''),
    ),
    ...(await reminderFiles(context, invoice)),
  ];
}

/** The PDF as it was issued, and its EHF where it has one. */
function issuedFiles(
  context: Context,
  companyId: number,
  { document, hasEhf }: IssuedText,
  uuid: string,
): PortalFile[] {
  const { kind } = document;
  const pdf: PortalFile = {
    kind,
    name: documentFileName(document, 'pdf'),
    mediaType: PDF,
    open: async (signal) =>
      (await findPdf(context, { companyId }, { uuid, original: true }, signal)).content,
  };
  if (!hasEhf && tryEhf(document) === null) return [pdf];
  const ehf: PortalFile = {
    kind,
    name: documentFileName(document, 'xml'),
    mediaType: EHF,
    open: async (signal) => (await findEhf(context, { companyId }, uuid, signal)).xml,
  };
  return [pdf, ehf];
}

async function attachedFiles(
  context: Context,
  companyId: number,
  { document }: IssuedText,
  invoiceUuid: string,
): Promise<PortalFile[]> {
  if (document.attachments === null) return [];
  const attached = await listAttachments(context, { companyId }, invoiceUuid);
  return attached.map(({ uuid, name, mediaType }) => ({
    kind: 'ATTACHMENT',
    name,
    mediaType,
    open: async () => (await getAttachment(context, { companyId }, { invoiceUuid, uuid })).content,
  }));
}

/** A reminder without a delivery was printed, and given to the customer by hand. */
async function reminderFiles(
  context: Context,
  { companyId, id, invoiceNumber }: InvoiceRow,
): Promise<PortalFile[]> {
  const reminders = await findReminders(context.db, companyId, [id]);
  if (reminders.length === 0) return [];
  const deliveries = await findReminderDeliveries(context.db, companyId, [id]);
  return reminders
    .filter(({ documentId }) => {
      const made = deliveries.get(documentId);
      return made === undefined || made.some(({ status }) => status === 'SENT');
    })
    .map(({ kind, documentId }) => ({
      kind: 'REMINDER',
      name: reminderFileName({ kind, invoiceNumber: invoiceNumber ?? 0 }),
      mediaType: PDF,
      open: async (signal) =>
        (await findReminderPdf(context, { companyId, documentId }, signal)).content,
    }));
}
