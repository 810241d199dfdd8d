import { formatDate } from '../../domain/date.ts';
import { formatOre } from '../../domain/money.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Actor, Context } from '../context.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { authorOf } from '../history/history.service.ts';
import { takeBackEntries } from '../payment/payment-of-entry.service.ts';
import { lockCompany } from '../profile/profile.service.ts';
import { findEntriesUpTo, setUnbooked } from './bank-entry.repository.ts';
import { upToReversal } from './bank-entry.rows.ts';
import * as repository from './bank-file.repository.ts';
import type { FileRow } from './bank-file.repository.ts';
import { lockFile } from './bank-file.service.ts';
import { findGoneElsewhere } from './undo.repository.ts';

/** Entries that one transaction takes back: so long others of the company wait. */
const UNDONE_AT_ONCE = 500;

/**
 * Takes back all that a file has booked, the last entries first and some at a time: what of it lies on
 * invoices, and what is unplaced. When it breaks off, the same call does the rest.
 *
 * @throws AppError not_found, entry_refunded, entry_taken_back, payment_reversed, changed_meanwhile
 */
export async function undoFile(
  { db }: Context,
  actor: Actor,
  uuid: string,
  signal: AbortSignal,
): Promise<FileRow> {
  const { companyId } = actor;
  const author = authorOf(actor);
  let file = await db.transaction().execute(async (trx) => beginUndoing(trx, companyId, uuid));
  while (file.state === 'UNDOING') {
    signal.throwIfAborted();
    file = await db
      .transaction()
      .execute(async (trx) => undoSome(trx, companyId, { author, uuid }));
  }
  return file;
}

async function beginUndoing(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  await lockCompany(trx, companyId);
  const file = await lockFile(trx, companyId, uuid);
  if (file.state !== 'BOOKED' && file.state !== 'BOOKING') return file;
  await refuseGone(trx, companyId, file.id);
  await repository.updateFile(trx, companyId, file.id, { state: 'UNDOING' });
  return { ...file, state: 'UNDOING' };
}

/** What was paid back, or taken back by the bank in another file, is not there to be taken back. */
async function refuseGone(
  trx: Trx,
  companyId: number,
  fileId: number,
  entryIds?: readonly number[],
): Promise<void> {
  const gone = await findGoneElsewhere(trx, companyId, fileId, entryIds);
  if (!gone) return;
  const { kind, paidOn, amount, payer } = gone;
  const subject = [formatOre(amount), payer, formatDate(paidOn)].filter(Boolean).join(', ');
  throw new AppError(kind === 'REFUND' ? 'entry_refunded' : 'entry_taken_back', { subject });
}

async function undoSome(
  trx: Trx,
  companyId: number,
  { author, uuid }: { readonly author: HistoryAuthor; readonly uuid: string },
): Promise<FileRow> {
  await lockCompany(trx, companyId);
  const file = await lockFile(trx, companyId, uuid);
  if (file.state === 'UNDONE') return file;
  if (file.state !== 'UNDOING') throw new AppError('changed_meanwhile');
  const next = await findEntriesUpTo(trx, companyId, file.id, {
    position: file.doneThrough,
    limit: UNDONE_AT_ONCE,
  });
  const entries = upToReversal(next);
  const first = entries.at(-1);
  if (first === undefined) {
    const changes = { state: 'UNDONE', bookedAt: null } as const;
    await repository.updateFile(trx, companyId, file.id, changes);
    return { ...file, ...changes };
  }
  const booked = entries.filter(({ isBooked }) => isBooked).map(({ id }) => id);
  await refuseGone(trx, companyId, file.id, booked);
  await takeBackEntries(trx, companyId, author, booked);
  await setUnbooked(trx, companyId, booked);
  const changes = {
    doneThrough: first.position - 1,
    bookedCount: file.bookedCount - booked.length,
  };
  await repository.updateFile(trx, companyId, file.id, changes);
  return { ...file, ...changes };
}
