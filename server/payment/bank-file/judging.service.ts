import { amountDue } from '../../../domain/invoice/claim.ts';
import { bareKid } from '../../../domain/kid.ts';
import { findReminderSettings } from '../../company/reminder-settings.service.ts';
import {
  findByBareKids,
  findByNumbers,
  findOpenOfCustomers,
  type MatchedInvoice,
  type Payable,
} from '../../invoice/invoice-payable.repository.ts';
import type { Db } from '../../platform/db/database.ts';
import { findPayers } from '../payment-of-entry.repository.ts';
import type { EntryRow, JudgedEntry } from './bank-entry.repository.ts';
import { findKnown, type Known } from './identity.repository.ts';
import {
  UNPLACED,
  exactInvoice,
  matchPayment,
  namedKids,
  namedNumbers,
  suggest,
  type Candidates,
  type Dues,
  type Incoming,
  type Match,
} from './match/match.ts';

/** State carried from earlier entries of the file. */
export interface Course {
  readonly fileId: number;
  /** Amounts that earlier entries placed on invoices and that are not booked yet. */
  readonly dues: Dues;
  /** The keys of earlier entries. */
  readonly keys: Set<string>;
}

/** Locks invoices with a certain match, and returns them as they are then. */
type Lock = (invoiceIds: readonly number[]) => Promise<ReadonlyMap<number, Payable>>;

/**
 * Judges entries of a file in their order, with a fixed number of statements for all of them: known money,
 * matches, and the amount each entry leaves for the next.
 *
 * @param lock absent in a preview
 */
export async function judgeEntries<E extends EntryRow>(
  db: Db,
  companyId: number,
  entries: readonly E[],
  { fileId, dues, keys, lock }: Course & { readonly lock?: Lock },
): Promise<JudgedEntry<E>[]> {
  const known = await findKnown(db, companyId, fileId, entries);
  const incoming = entries.map(toIncoming);
  const candidates = await findCandidates(db, companyId, incoming);
  if (lock) await lockCertain(candidates, lock);
  if (invoicesOf(candidates).some(({ reminderAmount }) => reminderAmount > 0)) {
    dues.waivesRest = (await findReminderSettings(db, companyId)).waiveRest;
  }
  return entries.map((entry, index) => {
    const { isBooked = false, mayBeCopy = false }: Partial<Known> = known[index] ?? {};
    const isKnown = isBooked || keys.has(entry.key);
    keys.add(entry.key);
    return { entry, match: judge(entry, { isKnown, mayBeCopy }, candidates, dues) };
  });
}

/** The fields of an entry that matching uses. */
function toIncoming(entry: EntryRow): Incoming {
  const { amount, account, kid, kids, invoiceNumbers, text, payerHash } = entry;
  return {
    amount,
    account,
    kids: kids ?? (kid === null ? [] : [{ kid, amount: null }]),
    invoiceNumbers: invoiceNumbers ?? [],
    text,
    payerHash,
  };
}

function judge(
  entry: EntryRow,
  { isKnown, mayBeCopy }: { isKnown: boolean; mayBeCopy: boolean },
  candidates: Candidates,
  dues: Dues,
): Match {
  if (isKnown) return { ...UNPLACED, outcome: 'KNOWN' };
  const payment = toIncoming(entry);
  if (mayBeCopy) {
    const suggestion = suggest(payment, candidates, dues);
    const invoiceId = exactInvoice(payment, candidates)?.id ?? null;
    return { ...UNPLACED, outcome: 'POSSIBLE_COPY', invoiceId, suggestion };
  }
  if (entry.kind === 'REVERSAL') return judgeReversal(entry, candidates, dues);
  if (entry.kind !== 'PAYMENT') return UNPLACED;
  return matchPayment(payment, candidates, dues);
}

/** The payment that it takes back is looked up when it is booked. Until then its KID names the invoice. */
function judgeReversal(entry: EntryRow, candidates: Candidates, dues: Dues): Match {
  const invoice = exactInvoice(toIncoming(entry), candidates);
  if (invoice) dues.take(invoice.id, entry.amount);
  return { ...UNPLACED, outcome: 'REVERSAL', invoiceId: invoice?.id ?? null };
}

/** The amount due of an invoice may change until it is locked. */
async function lockCertain(candidates: Candidates, lock: Lock): Promise<void> {
  const certain = new Set([...candidates.byKid.values()].flat().map(({ id }) => id));
  const locked = await lock([...certain]);
  for (const invoice of invoicesOf(candidates)) {
    const payable = locked.get(invoice.id);
    if (!payable) continue;
    const { reminderAmount } = payable;
    Object.assign(invoice, { amountDue: amountDue(payable), reminderAmount });
  }
}

function invoicesOf({ byKid, byNumber, byPayer }: Candidates): MatchedInvoice[] {
  return [...byKid.values()].flat().concat([...byNumber.values()], [...byPayer.values()].flat(2));
}

/**
 * Finds the invoices that these payments may be for, with one statement per matching rule, whatever the number of
 * payments.
 */
async function findCandidates(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates> {
  const byKid = await findByKid(db, companyId, payments);
  const others = payments.filter(
    ({ kids }) => kids.length === 0 || !kids.every(({ kid }) => byKid.has(bareKid(kid))),
  );
  return {
    byKid,
    byNumber: await findByNumber(db, companyId, others),
    byPayer: await findByPayer(db, companyId, others),
  };
}

async function findByKid(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates['byKid']> {
  const kids = new Set(payments.flatMap(namedKids));
  const found = kids.size === 0 ? [] : await findByBareKids(db, companyId, [...kids]);
  return Map.groupBy(found, ({ kid }) => bareKid(kid));
}

async function findByNumber(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates['byNumber']> {
  const numbers = new Set(payments.flatMap(namedNumbers));
  const found = numbers.size === 0 ? [] : await findByNumbers(db, companyId, [...numbers]);
  return new Map(found.map((invoice) => [invoice.invoiceNumber, invoice]));
}

async function findByPayer(
  db: Db,
  companyId: number,
  payments: readonly Incoming[],
): Promise<Candidates['byPayer']> {
  const hashes = new Set(
    payments.map(({ payerHash }) => payerHash).filter((hash) => hash !== null),
  );
  const payers = hashes.size === 0 ? [] : await findPayers(db, companyId, [...hashes]);
  if (payers.length === 0) return new Map();
  const customerIds = [...new Set(payers.map(({ customerId }) => customerId))];
  const open = Map.groupBy(
    await findOpenOfCustomers(db, companyId, customerIds),
    ({ customerId }) => customerId,
  );
  const ofPayers = Map.groupBy(payers, ({ hash }) => hash);
  return new Map(
    [...ofPayers].map(([hash, customers]): [string, (readonly MatchedInvoice[])[]] => [
      hash,
      customers.map(({ customerId }) => open.get(customerId) ?? []),
    ]),
  );
}
