import type { Actor, Context } from '../context.ts';
import { amountDue } from '../../domain/invoice/amount-due.ts';
import { ore } from '../../domain/money.ts';
import type { HistoryAuthor } from '../../domain/history/history.schema.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { lockPayables, type Payable } from '../invoice/invoice-payable.service.ts';
import { rememberPayers } from '../payment/payer-account.service.ts';
import { addPayments, type NewPayment } from '../payment/payment-posting.service.ts';
import { lockCompany } from '../profile/profile.service.ts';
import { findEntriesAfter, setBooked, sumOutcomes } from './bank-entry.repository.ts';
import { moneyOf, upToReversal, type JudgedEntry, type StoredEntry } from './bank-entry.rows.ts';
import * as repository from './bank-file.repository.ts';
import type { FileRow } from './bank-file.repository.ts';
import { lockFile } from './bank-file.service.ts';
import { judgeEntries } from './judging.service.ts';
import { Dues } from './match/match.ts';
import { bookReversals, bookWaitingReversals } from './reversal.service.ts';

/** Entries that one transaction books: so long others of the company wait. */
const BOOKED_AT_ONCE = 500;

/**
 * Books the entries of a file, some at a time: what is certain on its invoices, the rest unplaced. It is
 * found out anew what each is, for much may have changed since the preview. When it breaks off, what is done
 * is done, and the same call does the rest.
 *
 * @throws AppError not_found, changed_meanwhile when it is being undone at the same time
 */
export async function bookFile(
  { db }: Context,
  { companyId }: Actor,
  uuid: string,
  signal: AbortSignal,
): Promise<FileRow> {
  let file = await db.transaction().execute(async (trx) => beginBooking(trx, companyId, uuid));
  while (file.state === 'BOOKING') {
    signal.throwIfAborted();
    file = await db.transaction().execute(async (trx) => bookSome(trx, companyId, uuid));
  }
  return file;
}

async function beginBooking(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  const file = await lockFile(trx, companyId, uuid);
  if (file.state === 'BOOKED' || file.state === 'BOOKING') return file;
  await repository.updateFile(trx, companyId, file.id, { state: 'BOOKING' });
  return { ...file, state: 'BOOKING' };
}

async function bookSome(trx: Trx, companyId: number, uuid: string): Promise<FileRow> {
  // First the company, as everybody who changes what is unplaced; then nobody else books, either.
  await lockCompany(trx, companyId);
  const file = await lockFile(trx, companyId, uuid);
  if (file.state === 'BOOKED') return file;
  if (file.state !== 'BOOKING') throw new AppError('changed_meanwhile');
  const next = await findEntriesAfter(trx, companyId, file.id, {
    position: file.doneThrough,
    limit: BOOKED_AT_ONCE,
  });
  const entries = upToReversal(next);
  const last = entries.at(-1);
  if (last === undefined) return finish(trx, companyId, file);
  const author: HistoryAuthor = { type: 'BANK', name: file.name };
  const judged = await judge(trx, companyId, file.id, entries);
  const { booked, payables } = judged;
  const areReversals = last.kind === 'REVERSAL';
  const done = areReversals ? await bookReversals(trx, companyId, author, booked) : booked;
  if (!areReversals) await bookPayments(trx, companyId, author, { booked, payables });
  await setBooked(trx, companyId, done);
  if (!areReversals) await bookWaitingReversals(trx, companyId, author, certainOf(booked));
  const bookedCount =
    file.bookedCount + done.filter(({ match }) => match.outcome !== 'KNOWN').length;
  const changes = { doneThrough: last.position, bookedCount };
  await repository.updateFile(trx, companyId, file.id, changes);
  return { ...file, ...changes };
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

/** What is in the books now and may have been taken back before it came. */
function certainOf(booked: readonly JudgedEntry<StoredEntry>[]): StoredEntry[] {
  return booked.flatMap(({ entry, match: { outcome } }) =>
    outcome === 'KNOWN' || outcome === 'POSSIBLE_COPY' ? [] : [entry],
  );
}

/** What of an entry goes to which invoice, and what is left of it, unplaced. */
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
  const outcomes = await sumOutcomes(trx, companyId, file.id);
  const bookedAt = new Date();
  const changes = { state: 'BOOKED', outcomes, bookedAt } as const;
  await repository.updateFile(trx, companyId, file.id, changes);
  return { ...file, ...changes, outcomes: [...outcomes] };
}
