import { formatDate } from '../../../domain/date.ts';
import { formatOre } from '../../../domain/money.ts';
import type { Actor, Context } from '../../context.ts';
import type { Trx } from '../../platform/db/database.ts';
import { AppError } from '../../errors.ts';
import { SYSTEM, authorOf } from '../../invoice/invoice.service.ts';
import { takeBackEntries } from '../payment-of-entry.service.ts';
import { findEntriesUpTo, setUnbooked } from './bank-entry.repository.ts';
import { runsOf } from './bank-entry.rows.ts';
import * as repository from './bank-file.repository.ts';
import type { FileRow } from './bank-file.repository.ts';
import { holdFile, leaveRest } from './bank-file.service.ts';
import { findGoneElsewhere } from '../payment-of-entry.repository.ts';

/** Entries per transaction: bounds how long the company lock is held. */
const UNDONE_AT_ONCE = 500;

/**
 * Takes back everything a file has booked, placed or unplaced, the last entries first. A small file is undone in
 * one transaction within the request. Of a large one the request undoes the last entries, and a job the rest.
 *
 * @throws AppError not_found, bank_file_not_booked, entry_refunded, entry_taken_back
 */
export async function undoFile(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  actor: Actor,
  uuid: string,
): Promise<FileRow> {
  const { companyId } = actor;
  return db.transaction().execute(async (trx) => {
    const file = await holdFile(trx, companyId, uuid);
    if (file.state === 'PREVIEW') throw new AppError('bank_file_not_booked');
    if (file.state === 'UNDONE') return file;
    if (file.state !== 'UNDOING') await refuseGone(trx, companyId, file.id);
    const { type: undoneByType, name: undoneByName } = authorOf(actor);
    const begun = { ...file, state: 'UNDOING', undoneByType, undoneByName } as const;
    const undone = file.state === 'UNDOING' ? file : await undoSome(trx, companyId, begun);
    if (undone.state === 'UNDOING') await leaveRest(jobs, trx, [undone]);
    return undone;
  });
}

/** Refuses when money of the file was refunded (BANK-5) or reversed by another file. */
async function refuseGone(trx: Trx, companyId: number, fileId: number): Promise<void> {
  const gone = await findGoneElsewhere(trx, companyId, fileId);
  if (!gone) return;
  const { kind, paidOn, amount, payer } = gone;
  const subject = [formatOre(amount), payer, formatDate(paidOn)].filter(Boolean).join(', ');
  throw new AppError(kind === 'REFUND' ? 'entry_refunded' : 'entry_taken_back', { subject });
}

/** Takes back the next entries of a file. The file is UNDOING and locked. */
export async function undoSome(trx: Trx, companyId: number, file: FileRow): Promise<FileRow> {
  const entries = await findEntriesUpTo(trx, companyId, file.id, {
    position: file.doneThrough,
    limit: UNDONE_AT_ONCE,
  });
  const { undoneByType, undoneByName } = file;
  const author =
    undoneByType === null || undoneByName === null
      ? SYSTEM
      : { type: undoneByType, name: undoneByName };
  let { bookedCount, doneThrough } = file;
  const runs = runsOf(entries);
  for (const run of runs) {
    const booked = run.filter(({ isBooked }) => isBooked).map(({ id }) => id);
    await takeBackEntries(trx, companyId, author, booked);
    await setUnbooked(trx, companyId, booked);
    bookedCount -= booked.length;
    doneThrough = (run.at(-1)?.position ?? 1) - 1;
  }
  const isLast = entries.length < UNDONE_AT_ONCE && runs.flat().length === entries.length;
  const changes = isLast
    ? ({ state: 'UNDONE', bookedAt: null, doneThrough: 0 } as const)
    : ({ state: 'UNDOING', doneThrough } as const);
  const rest = { bookedCount, undoneByType, undoneByName };
  await repository.updateFile(trx, companyId, file.id, { ...changes, ...rest });
  return { ...file, ...changes, ...rest };
}
