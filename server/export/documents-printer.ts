import { documentFileName } from '../../domain/document/invoice-document.ts';
import { ehfToSend, findOriginal } from '../document/document-file.service.ts';
import { requireInvoice } from '../invoice/invoice.repository.ts';
import type { ExportPrinter, PrintContext, PrintOrder } from './export-printer.ts';
import { openBooks } from './open-books.ts';
import { zipOf, type ZipEntry } from './zip.ts';

/** The PDF of every document and its EHF, where EHF can express it (EXP-14). One document's files are in memory. */
export const DOCUMENTS_PRINTER: ExportPrinter = {
  ending: 'zip',
  mediaType: 'application/zip',
  print: (context, order) => zipOf(filesOf(context, order)),
};

async function* filesOf(context: PrintContext, order: PrintOrder): AsyncGenerator<ZipEntry> {
  const { companyId } = order.scope;
  const modifiedAt = new Date(order.madeAt);
  const books = await openBooks(context.db, order.scope, order);
  for await (const documents of books.documents()) {
    for (const { number } of documents) {
      const { id: invoiceId } = await requireInvoice(context.db, companyId, number);
      const original = await findOriginal(context, { companyId, invoiceId });
      const pdf = original.files.find(({ format }) => format === 'PDF');
      if (!pdf) throw new Error(`Invoice ${invoiceId} has no PDF`);
      const path = documentFileName(original.document, 'pdf');
      // A PDF is compressed already.
      yield { path, content: pdf.content, stored: true, modifiedAt };
      const ehf = ehfToSend(original);
      if (ehf) {
        yield { path: documentFileName(original.document, 'xml'), content: ehf, modifiedAt };
      }
      order.count(1);
    }
  }
}
