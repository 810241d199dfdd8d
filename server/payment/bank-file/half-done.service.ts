import type { Context } from '../../context.ts';
import { TryLater } from '../../platform/jobs/job.ts';
import * as repository from './bank-file.repository.ts';
import { holdFile, leaveRest } from './bank-file.service.ts';
import { bookSome } from './booking.service.ts';
import { undoSome } from './undo.service.ts';

/** How long a job works at one file before other companies get a turn (milliseconds). */
const TURN = 20_000;

/**
 * Books or undoes the rest of a large file in batches, by its current state.
 *
 * @throws TryLater when more is left and others come first
 */
export async function doRest(
  { db }: Pick<Context, 'db'>,
  { companyId, fileUuid }: { readonly companyId: number; readonly fileUuid: string },
  signal: AbortSignal,
): Promise<void> {
  const until = Date.now() + TURN;
  for (;;) {
    const state = await db.transaction().execute(async (trx) => {
      const file = await holdFile(trx, companyId, fileUuid);
      if (file.state === 'BOOKING') return (await bookSome(trx, companyId, file)).state;
      if (file.state === 'UNDOING') return (await undoSome(trx, companyId, file)).state;
      return file.state;
    });
    if (state !== 'BOOKING' && state !== 'UNDOING') return;
    if (signal.aborted || Date.now() > until) throw new TryLater('more of the file is to be done');
  }
}

/** Queues the missing jobs of half booked and half undone files, after a restore or an upgrade. */
export async function resumeFiles({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  await leaveRest(jobs, db, await repository.findHalfDone(db));
}
