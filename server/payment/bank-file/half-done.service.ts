import type { Context } from '../../context.ts';
import { TryLater } from '../../platform/jobs/job.ts';
import * as repository from './bank-file.repository.ts';
import { holdFile, leaveRest } from './bank-file.service.ts';
import { bookSome } from './booking.service.ts';
import { undoSome } from './undo.service.ts';

/** How long a large file is worked at before it gives way to other companies (milliseconds). */
const TURN = 20_000;

/**
 * Does the rest of a large file, some entries at a time: books or undoes, as the file says by then.
 *
 * @throws TryLater when there is more to do, and others come first
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

/** Gives half booked and half undone files their job again: of a restored database, or a version before. */
export async function resumeFiles({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  await leaveRest(jobs, db, await repository.findHalfDone(db));
}
