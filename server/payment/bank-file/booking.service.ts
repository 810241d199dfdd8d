import { formatDate } from '../../../domain/date.ts';
import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import { formatOre, ore } from '../../../domain/money.ts';
import { lockCompany } from '../../company/profile.repository.ts';
import type { Actor, Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { SYSTEM, authorOf } from '../../invoice/history.repository.ts';
import { lockPayables, type Payable } from '../../invoice/invoice-payable.repository.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import { handlerOf, TryLater, type JobHandler } from '../../platform/jobs/job.ts';
import { bankFileJob } from '../../platform/jobs/jobs.ts';
import {
  findGoneElsewhere,
  hasWaitingReversal,
  rememberPayers,
} from '../payment-of-entry.repository.ts';
import { takeBackEntries } from '../payment-of-entry.service.ts';
import { addPayments } from '../payment-posting.service.ts';
import type { NewPayment } from '../payment.repository.ts';
import {
  findEntriesAfter,
  findEntriesUpTo,
  moneyOf,
  setBooked,
  setUnbooked,
  sumOutcomes,
  type EntryRow,
  type JudgedEntry,
  type StoredEntry,
} from './bank-entry.repository.ts';
import type { FileRow } from './bank-file.repository.ts';
import { judgeEntries } from './judging.service.ts';
import { Dues } from './match/match.ts';
import { bookReversals, bookWaitingReversals } from './reversal.service.ts';
import * as repository from './bank-file.repository.ts';

/** Entries per transaction: bounds how long the company lock is held. */
const AT_ONCE = 500;
/** Runs per transaction. Each takes several statements, and the company lock is held meanwhile. */
const RUNS_AT_ONCE = 20;
/** Two at once, so that one company's large file does not block the others for minutes. */
const BATCHES = 2;
/** How long a job works at one file before other companies get a turn (milliseconds). */
const TURN = 20_000;

/**
 * Books the entries of a file: certain ones on their invoices, the rest unplaced (BANK-18). Entries are judged
 * anew, because payments and invoices may have changed since the preview. A small file is booked in one
 * transaction within the request. Of a large one the request books the first entries, and a job the rest.
 *
 * @throws AppError not_found
 */
export async function bookFile(
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
  { companyId }: Actor,
  uuid: string,
): Promise<FileRow> {
  return db.transaction().execute(async (trx) => {
    const file = await holdFile(trx, companyId, uuid);
    if (file.state === 'BOOKED') return file;
    const isBegun = file.state === 'BOOKING';
    const booked = isBegun ? file : await bookSome(trx, companyId, { ...file, state: 'BOOKING' });
    if (booked.state === 'BOOKING') await leaveRest(jobs, trx, [booked]);
    return booked;
  });
}

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
  const { kind, paidOn, amount, customerName, payer, kid } = gone;
  const name = customerName ?? payer ?? (kid === null ? null : `KID ${kid}`);
  const subject = [`${formatOre(amount)} kr`, name, formatDate(paidOn)].filter(Boolean).join(', ');
  throw new AppError(kind === 'REFUND' ? 'entry_refunded' : 'entry_taken_back', { subject });
}

/** Locks the company and a file. Everyone who changes unplaced money locks the company, so nobody books meanwhile. */
async function holdFile(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  await lockCompany(trx, companyId);
  return repository.lockFile(trx, companyId, uuid);
}

/** Queues a job for the rest of each file; a file that has such a job gets no second one. */
async function leaveRest(
  jobs: Context['jobs'],
  db: Db,
  files: readonly repository.HalfDone[],
): Promise<void> {
  const items = files.map(({ companyId, uuid }) => ({
    payload: { companyId, fileUuid: uuid },
    key: uuid,
  }));
  if (items.length > 0) await jobs.enqueueAll(db, bankFileJob, items);
}

/** Queues the missing jobs of half booked and half undone files, after a restore or an upgrade. */
export async function resumeFiles({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  await leaveRest(jobs, db, await repository.findHalfDone(db));
}

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

/** Books the next entries of a file. The file is BOOKING and locked. */
async function bookSome(trx: Trx, companyId: number, file: FileRow): Promise<FileRow> {
  const part = { position: file.doneThrough, limit: AT_ONCE };
  const entries = await findEntriesAfter(trx, companyId, file.id, part);
  let { bookedCount, doneThrough } = file;
  const runs = runsOf(entries);
  for (const run of runs) {
    bookedCount += await bookRun(trx, companyId, file, run);
    doneThrough = run.at(-1)?.position ?? doneThrough;
  }
  const progress = { state: file.state, doneThrough, bookedCount };
  const isLast = entries.length < AT_ONCE && runs.flat().length === entries.length;
  return save(trx, file, isLast ? { ...progress, ...(await finish(trx, file)) } : progress);
}

async function finish(trx: Trx, { companyId, id }: FileRow) {
  const outcomes = await sumOutcomes(trx, companyId, id);
  return { state: 'BOOKED', outcomes, bookedAt: new Date() } as const;
}

/** Takes back the next entries of a file. The file is UNDOING and locked. */
async function undoSome(trx: Trx, companyId: number, file: FileRow): Promise<FileRow> {
  const part = { position: file.doneThrough, limit: AT_ONCE };
  const entries = await findEntriesUpTo(trx, companyId, file.id, part);
  const { undoneByType: type, undoneByName: name } = file;
  const author = type === null || name === null ? SYSTEM : { type, name };
  let { bookedCount, doneThrough } = file;
  const runs = runsOf(entries);
  for (const run of runs) {
    const booked = run.filter(({ isBooked }) => isBooked).map(({ id }) => id);
    await takeBackEntries(trx, companyId, author, booked);
    await setUnbooked(trx, companyId, booked);
    bookedCount -= booked.length;
    doneThrough = (run.at(-1)?.position ?? 1) - 1;
  }
  const isLast = entries.length < AT_ONCE && runs.flat().length === entries.length;
  const changes = isLast
    ? ({ state: 'UNDONE', bookedAt: null, doneThrough: 0 } as const)
    : ({ state: 'UNDOING', doneThrough } as const);
  const by = { undoneByType: type, undoneByName: name };
  return save(trx, file, { ...changes, ...by, bookedCount });
}

async function save(trx: Trx, file: FileRow, changes: repository.Changes): Promise<FileRow> {
  await repository.updateFile(trx, file.companyId, file.id, changes);
  return { ...file, ...changes };
}

/**
 * Groups entries into runs of payments or of reversals, each booked or taken back together. A reversal and its
 * payment may be in the same file, so they need separate steps. Returns only the first runs when there are many.
 */
function runsOf<E extends Pick<EntryRow, 'kind'>>(entries: readonly E[]): E[][] {
  const runs: E[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run && isReversal(run[0]) === isReversal(entry)) run.push(entry);
    else if (runs.length === RUNS_AT_ONCE) break;
    else runs.push([entry]);
  }
  return runs;
}

function isReversal(entry: Pick<EntryRow, 'kind'> | undefined): boolean {
  return entry?.kind === 'REVERSAL';
}

/** Books a run of payments or reversals; returns how many are booked now. */
async function bookRun(
  trx: Trx,
  companyId: number,
  file: FileRow,
  entries: readonly StoredEntry[],
): Promise<number> {
  const author: HistoryAuthor = { type: 'BANK', name: file.name };
  let payables: ReadonlyMap<number, Payable> = new Map();
  const judged = await judgeEntries(trx, companyId, entries, {
    fileId: file.id,
    dues: new Dues(),
    keys: new Set(),
    lock: async (ids) => {
      payables = await lockPayables(trx, companyId, ids);
      return payables;
    },
  });
  if (isReversal(entries[0])) {
    const done = await bookReversals(trx, companyId, author, judged);
    await setBooked(trx, companyId, done);
    return countBooked(done);
  }
  await addPayments(trx, companyId, author, judged.flatMap(toPayments));
  await rememberPayers(trx, companyId, payersOf(judged, payables));
  await setBooked(trx, companyId, judged);
  // Waiting reversals are rare: this check saves a lookup for each entry.
  if (await hasWaitingReversal(trx, companyId)) {
    await bookWaitingReversals(trx, companyId, author, certainOf(judged));
  }
  return countBooked(judged);
}

function countBooked(judged: readonly JudgedEntry[]): number {
  return judged.filter(({ match }) => match.outcome !== 'KNOWN').length;
}

/** The accounts that paid invoices, with the customers of these. */
function payersOf(
  judged: readonly JudgedEntry[],
  payables: ReadonlyMap<number, Payable>,
): { readonly hash: string; readonly customerId: number }[] {
  return judged.flatMap(({ entry: { payerHash: hash }, match: { placements } }) =>
    placements.flatMap(({ invoiceId }) => {
      const customerId = payables.get(invoiceId)?.customerId ?? null;
      return hash === null || customerId === null ? [] : [{ hash, customerId }];
    }),
  );
}

/** The payments of a run that an earlier reversal may take back. */
function certainOf(judged: readonly JudgedEntry<StoredEntry>[]): StoredEntry[] {
  return judged.flatMap(({ entry, match: { outcome } }) =>
    outcome === 'KNOWN' || outcome === 'POSSIBLE_COPY' ? [] : [entry],
  );
}

/** The payment rows of an entry: one for each placement, and an unplaced one for the rest. */
function toPayments({ entry, match }: JudgedEntry<StoredEntry>): NewPayment[] {
  if (match.outcome === 'KNOWN') return [];
  const money = moneyOf(entry);
  const placed = match.placements.map((placement): NewPayment => ({ ...money, ...placement }));
  const left = match.placements.reduce<number>((rest, { amount }) => rest - amount, entry.amount);
  if (left === 0) return placed;
  const rest: NewPayment = {
    ...money,
    invoiceId: null,
    customerId: match.customerId,
    amount: ore(left),
    possibleCopy: match.outcome === 'POSSIBLE_COPY',
    suggestion: match.suggestion,
  };
  return [...placed, rest];
}
