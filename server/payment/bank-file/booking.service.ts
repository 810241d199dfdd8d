import type { HistoryAuthor } from '../../../domain/history/history.schema.ts';
import { amountDue } from '../../../domain/invoice/claim.ts';
import { ore } from '../../../domain/money.ts';
import type { Actor, Context } from '../../context.ts';
import { lockPayables, type Payable } from '../../invoice/invoice.service.ts';
import type { Trx } from '../../platform/db/database.ts';
import { rememberPayers } from '../payer-account.repository.ts';
import { addPayments, type NewPayment } from '../payment-posting.service.ts';
import { findEntriesAfter, setBooked, sumOutcomes } from './bank-entry.repository.ts';
import { moneyOf, runsOf, type JudgedEntry, type StoredEntry } from './bank-entry.rows.ts';
import type { FileRow } from './bank-file.repository.ts';
import * as repository from './bank-file.repository.ts';
import { holdFile, leaveRest } from './bank-file.service.ts';
import { judgeEntries } from './judging.service.ts';
import { Dues } from './match/match.ts';
import { bookReversals, bookWaitingReversals } from './reversal.service.ts';

/** Entries per transaction: bounds how long the company lock is held. */
const BOOKED_AT_ONCE = 500;

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

/** Books the next entries of a file. The file is BOOKING and locked. */
export async function bookSome(trx: Trx, companyId: number, file: FileRow): Promise<FileRow> {
  const entries = await findEntriesAfter(trx, companyId, file.id, {
    position: file.doneThrough,
    limit: BOOKED_AT_ONCE,
  });
  const { state } = file;
  let { bookedCount, doneThrough } = file;
  const runs = runsOf(entries);
  for (const run of runs) {
    bookedCount += await bookRun(trx, companyId, file, run);
    doneThrough = run.at(-1)?.position ?? doneThrough;
  }
  const changes = { state, doneThrough, bookedCount };
  const isLast = entries.length < BOOKED_AT_ONCE && runs.flat().length === entries.length;
  if (isLast) return finish(trx, companyId, { ...file, ...changes });
  await repository.updateFile(trx, companyId, file.id, changes);
  return { ...file, ...changes };
}

/** Books a run of payments or reversals; returns how many are booked now. */
async function bookRun(
  trx: Trx,
  companyId: number,
  file: FileRow,
  entries: readonly StoredEntry[],
): Promise<number> {
  const author: HistoryAuthor = { type: 'BANK', name: file.name };
  const { booked, payables } = await judge(trx, companyId, file.id, entries);
  const areReversals = entries[0]?.kind === 'REVERSAL';
  const done = areReversals ? await bookReversals(trx, companyId, author, booked) : booked;
  if (!areReversals) await bookPayments(trx, companyId, author, { booked, payables });
  await setBooked(trx, companyId, done);
  if (!areReversals) await bookWaitingReversals(trx, companyId, author, certainOf(booked));
  return done.filter(({ match }) => match.outcome !== 'KNOWN').length;
}

async function judge(
  trx: Trx,
  companyId: number,
  fileId: number,
  entries: readonly StoredEntry[],
): Promise<{ booked: JudgedEntry<StoredEntry>[]; payables: ReadonlyMap<number, Payable> }> {
  let payables: ReadonlyMap<number, Payable> = new Map();
  const booked = await judgeEntries(trx, companyId, entries, {
    fileId,
    dues: new Dues(),
    keys: new Set(),
    refresh: async (ids) => {
      payables = await lockPayables(trx, companyId, ids);
      return new Map(
        [...payables].map(([id, payable]) => [
          id,
          { amountDue: amountDue(payable), reminderAmount: payable.reminderAmount },
        ]),
      );
    },
  });
  return { booked, payables };
}

async function bookPayments(
  trx: Trx,
  companyId: number,
  author: HistoryAuthor,
  given: {
    readonly booked: readonly JudgedEntry<StoredEntry>[];
    readonly payables: ReadonlyMap<number, Payable>;
  },
): Promise<void> {
  const { booked, payables } = given;
  const rows = booked.flatMap(toPayments);
  await addPayments(trx, companyId, author, { rows, payables });
  await rememberPayers(
    trx,
    companyId,
    booked.flatMap(({ entry: { payerHash }, match: { placements } }) =>
      placements.flatMap(({ invoiceId }) => {
        const customerId = payables.get(invoiceId)?.customerId ?? null;
        return payerHash === null || customerId === null ? [] : [{ hash: payerHash, customerId }];
      }),
    ),
  );
}

/** The payments of a run that an earlier reversal may take back. */
function certainOf(booked: readonly JudgedEntry<StoredEntry>[]): StoredEntry[] {
  return booked.flatMap(({ entry, match: { outcome } }) =>
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

async function finish(trx: Trx, companyId: number, file: FileRow): Promise<FileRow> {
  const { doneThrough, bookedCount } = file;
  const outcomes = await sumOutcomes(trx, companyId, file.id);
  const bookedAt = new Date();
  const changes = { state: 'BOOKED', doneThrough, bookedCount, outcomes, bookedAt } as const;
  await repository.updateFile(trx, companyId, file.id, changes);
  return { ...file, ...changes, outcomes: [...outcomes] };
}
