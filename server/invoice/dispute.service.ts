import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Trx } from '../platform/db/database.ts';
import { AppError } from '../errors.ts';
import { recordEvents } from './history.service.ts';
import * as repository from './invoice.repository.ts';

interface Dispute {
  readonly uuid: string;
  readonly disputed: boolean;
  /** The reason; null when the invoice is not disputed. */
  readonly note: string | null;
}

/**
 * Marks an invoice as disputed, changes the note, or ends the dispute. A disputed invoice gets no reminders.
 * @throws AppError not_found, invoice_not_disputable
 */
export async function setDisputed(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  { uuid, disputed, note }: Dispute,
): Promise<void> {
  const invoice = await repository.lockInvoice(trx, companyId, uuid);
  const { id: invoiceId, kind, status } = invoice;
  if (kind !== 'INVOICE' || status === 'DRAFT') throw new AppError('invoice_not_disputable');
  const disputedNote = disputed ? note : null;
  if (invoice.disputed === disputed && invoice.disputedNote === disputedNote) return;
  await repository.updateDispute(trx, companyId, invoiceId, { disputed, disputedNote });
  const event = disputed
    ? ({ kind: 'DISPUTED', details: disputedNote === null ? {} : { note: disputedNote } } as const)
    : ({ kind: 'RESOLVED', details: {} } as const);
  await recordEvents(trx, author, [{ companyId, invoiceId, ...event }]);
}
