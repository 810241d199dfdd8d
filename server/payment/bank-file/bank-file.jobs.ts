import type { Context } from '../../context.ts';
import { handlerOf, TryLater, type JobHandler } from '../../platform/jobs/job.ts';
import { bankFileJob } from '../../platform/jobs/jobs.ts';
import { holdFile } from './bank-file.service.ts';
import { bookSome } from './booking.service.ts';
import { undoSome } from './undo.service.ts';

/** Two at once, so that one company's large file does not block the others for minutes. */
const BATCHES = 2;
/** How long a job works at one file before other companies get a turn (milliseconds). */
const TURN = 20_000;

/** Books and undoes the rest of large files after the request. */
export function bankFileJobs(context: Context): JobHandler[] {
  return [
    handlerOf(bankFileJob, async (order, signal) => doRest(context, order, signal), {
      batches: BATCHES,
      feature: 'payments',
    }),
  ];
}

/**
 * Books or undoes the rest of a large file in batches, by its current state.
 *
 * @throws TryLater when more is left and others come first
 */
async function doRest(
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
