import type { EntryOutcome } from '../../../../domain/bank-file/bank-file.schema.ts';
import { bareKid } from '../../../../domain/kid.ts';
import { ore, type Ore } from '../../../../domain/money.ts';
import type { StoredKid, StoredPlacement } from '../../../platform/db/bank-file-tables.ts';
import type { StoredSuggestion } from '../../../platform/db/payment-tables.ts';
import type { MatchedInvoice } from '../../../invoice/invoice-match.service.ts';

/** A payment of the bank as far as finding its invoice is concerned. */
export interface Incoming {
  readonly amount: Ore;
  /** The company's own, to which it was paid. */
  readonly account: string;
  /** All KIDs that it names. */
  readonly kids: readonly StoredKid[];
  /** Numbers of invoices that the payer has named in a field for them. */
  readonly invoiceNumbers: readonly string[];
  readonly text: string | null;
  /** Hex; of the account that it came from. */
  readonly payerHash: string | null;
}

/** What a payment is, and what becomes of it. */
export interface Match {
  readonly outcome: EntryOutcome;
  /** The one invoice that it goes to or was for. */
  readonly invoiceId: number | null;
  /** What goes to which invoice. */
  readonly placements: readonly StoredPlacement[];
  /** Whose credit what is left of it is, if that is certain. */
  readonly customerId: number | null;
  readonly suggestion: StoredSuggestion | null;
}

/** Where the company's invoices are looked up; see `findCandidates`. */
export interface Candidates {
  readonly byKid: ReadonlyMap<string, readonly MatchedInvoice[]>;
  readonly byNumber: ReadonlyMap<number, MatchedInvoice>;
  /** The open invoices of each customer who has paid from an account before, by its hash. */
  readonly byPayer: ReadonlyMap<string, readonly (readonly MatchedInvoice[])[]>;
}

/** What is still due of invoices, and asked for by their reminders, less what has gone to them since they were read. */
export class Dues {
  readonly #taken = new Map<number, Ore>();
  readonly #takenForReminders = new Map<number, Ore>();
  /** Whether an invoice that is paid lets go what else its reminders ask for. */
  waivesRest = true;

  of({ id, amountDue }: MatchedInvoice): Ore {
    return ore(amountDue - (this.#taken.get(id) ?? 0));
  }

  forReminders({ id, reminderAmount }: MatchedInvoice): Ore {
    return ore(reminderAmount - (this.#takenForReminders.get(id) ?? 0));
  }

  /** Whether an amount is all that is due, with or without what reminders ask for. */
  isAll(invoice: MatchedInvoice, amount: Ore): boolean {
    const due = this.of(invoice);
    return amount === due || amount === due + this.forReminders(invoice);
  }

  /** Notes what goes to an invoice, or with a negative amount comes back from it. */
  take(invoiceId: number, amount: Ore): void {
    this.#taken.set(invoiceId, ore((this.#taken.get(invoiceId) ?? 0) + amount));
  }

  /** Places as much of an amount as the invoice takes: on its due, and then on its reminders. */
  place(invoice: MatchedInvoice, amount: Ore): StoredPlacement {
    const { id } = invoice;
    const due = Math.max(0, this.of(invoice));
    const asked = this.forReminders(invoice);
    const principal = ore(Math.max(0, Math.min(due, amount)));
    const rest = ore(Math.max(0, Math.min(asked, amount - due)));
    this.take(id, principal);
    const isWaived = this.waivesRest && due > 0 && principal === due;
    const gone = isWaived ? asked : rest;
    if (gone > 0) this.#takenForReminders.set(id, ore(invoice.reminderAmount - asked + gone));
    const placed = { invoiceId: id, amount: ore(principal + rest) };
    return rest > 0 ? { ...placed, reminderAmount: rest } : placed;
  }
}

export const UNPLACED: Match = {
  outcome: 'UNPLACED',
  invoiceId: null,
  placements: [],
  customerId: null,
  suggestion: null,
};

/**
 * What becomes of a payment. Only a KID of the company, paid to the account of its invoice, is certain; for
 * all else something is suggested at most.
 */
export function matchPayment(payment: Incoming, candidates: Candidates, dues: Dues): Match {
  const certain =
    payment.kids.length > 1
      ? matchSeveral(payment, candidates, dues)
      : matchOne(payment, candidates, dues);
  if (certain) return certain;
  const suggestion = suggest(payment, candidates, dues);
  if (!suggestion) return UNPLACED;
  const [only, ...others] = suggestion.invoiceIds;
  const invoiceId = others.length === 0 ? (only ?? null) : null;
  return { ...UNPLACED, outcome: 'SUGGESTED', invoiceId, suggestion };
}

function matchOne(payment: Incoming, candidates: Candidates, dues: Dues): Match | null {
  const invoice = exactInvoice(payment, candidates);
  if (!invoice) return null;
  const outcome = outcomeOf(payment.amount, invoice, dues);
  const placement = dues.place(invoice, payment.amount);
  return {
    outcome,
    invoiceId: invoice.id,
    placements: placement.amount > 0 ? [placement] : [],
    customerId: invoice.customerId,
    suggestion: null,
  };
}

function outcomeOf(amount: Ore, invoice: MatchedInvoice, dues: Dues): EntryOutcome {
  const due = dues.of(invoice);
  const most = due + dues.forReminders(invoice);
  if (most <= 0) return 'SETTLED';
  if (amount < due) return 'PART';
  return amount <= most ? 'EXACT' : 'OVER';
}

/** The invoice of the one KID that a payment has, if that is certain. */
export function exactInvoice(
  { kids, account }: Incoming,
  candidates: Candidates,
): MatchedInvoice | null {
  const [named, ...others] = kids;
  return named && others.length === 0 ? certainInvoice(named.kid, account, candidates) : null;
}

/** The one invoice of an exact KID that was paid to the account that stands on it. */
function certainInvoice(
  kid: string,
  account: string,
  candidates: Candidates,
): MatchedInvoice | null {
  const found = candidates.byKid.get(bareKid(kid)) ?? [];
  return found.find((invoice) => invoice.kid === kid && invoice.account === account) ?? null;
}

/**
 * A payment with several KIDs. It is certain when all of them are, and it says what is for which or is the
 * sum of what is due.
 */
function matchSeveral(payment: Incoming, candidates: Candidates, dues: Dues): Match | null {
  const parts = partsOf(payment, candidates, dues);
  if (!parts) return null;
  const placements: StoredPlacement[] = [];
  const outcomes = new Set<EntryOutcome>();
  for (const { invoice, amount } of parts) {
    outcomes.add(outcomeOf(amount, invoice, dues));
    const placement = dues.place(invoice, amount);
    if (placement.amount > 0) placements.push(placement);
  }
  const customers = new Set(parts.map(({ invoice }) => invoice.customerId));
  const [customerId = null] = customers;
  return {
    ...UNPLACED,
    outcome: worstOf(outcomes),
    placements,
    // What is too much is nobody's for certain when they are of several customers.
    customerId: customers.size === 1 ? customerId : null,
  };
}

function partsOf({ kids, account, amount }: Incoming, candidates: Candidates, dues: Dues) {
  const parts: { invoice: MatchedInvoice; amount: Ore }[] = [];
  for (const named of kids) {
    const invoice = certainInvoice(named.kid, account, candidates);
    if (!invoice) return null;
    parts.push({ invoice, amount: named.amount ?? dues.of(invoice) });
  }
  const isDistinct = new Set(parts.map(({ invoice }) => invoice.id)).size === parts.length;
  const sum = parts.reduce((total, part) => total + part.amount, 0);
  const isWhole = sum === amount && parts.every((part) => part.amount > 0);
  return isDistinct && isWhole ? parts : null;
}

/** Of one payment that is several things at once, what a person should look at first. */
function worstOf(outcomes: ReadonlySet<EntryOutcome>): EntryOutcome {
  const order = ['OVER', 'SETTLED', 'PART', 'EXACT'] as const;
  if (outcomes.size > 1 && outcomes.has('SETTLED')) return 'OVER';
  return order.find((outcome) => outcomes.has(outcome)) ?? 'UNPLACED';
}

/** What a person may want to place a payment on; null when nothing speaks for any invoice. */
export function suggest(
  payment: Incoming,
  candidates: Candidates,
  dues: Dues,
): StoredSuggestion | null {
  return (
    suggestByKid(payment, candidates, dues) ??
    suggestByNumber(payment, candidates, dues) ??
    suggestByPayer(payment, candidates, dues)
  );
}

function suggestByKid(
  payment: Incoming,
  candidates: Candidates,
  dues: Dues,
): StoredSuggestion | null {
  const exact = payment.kids
    .flatMap(({ kid }) =>
      (candidates.byKid.get(bareKid(kid)) ?? []).filter((invoice) => invoice.kid === kid),
    )
    .filter((invoice) => dues.of(invoice) + dues.forReminders(invoice) > 0);
  if (exact.length > 0) return { reason: 'KID', invoiceIds: idsOf(exact) };
  const similar = namedKids(payment)
    .flatMap((bare) => candidates.byKid.get(bare) ?? [])
    .filter((invoice) => dues.isAll(invoice, payment.amount));
  const [invoice, ...others] = idsOf(similar);
  if (invoice === undefined || others.length > 0) return null;
  return { reason: 'SIMILAR_KID', invoiceIds: [invoice] };
}

function suggestByNumber(
  payment: Incoming,
  candidates: Candidates,
  dues: Dues,
): StoredSuggestion | null {
  const named = namedNumbers(payment)
    .map((number) => candidates.byNumber.get(number))
    .filter((invoice) => invoice !== undefined)
    .filter((invoice) => dues.of(invoice) > 0);
  const same = named.filter((invoice) => dues.isAll(invoice, payment.amount));
  const [one, ...others] = idsOf(same);
  if (one !== undefined && others.length === 0) {
    return { reason: 'INVOICE_NUMBER', invoiceIds: [one] };
  }
  if (named.length < 2 || sumOf(named, dues) !== payment.amount) return null;
  return { reason: 'SUM_OF_INVOICES', invoiceIds: idsOf(named) };
}

function suggestByPayer(
  { amount, payerHash }: Incoming,
  candidates: Candidates,
  dues: Dues,
): StoredSuggestion | null {
  const customers = (payerHash === null ? undefined : candidates.byPayer.get(payerHash)) ?? [];
  const open = customers.map((invoices) => invoices.filter((invoice) => dues.of(invoice) > 0));
  const same = open.flat().filter((invoice) => dues.isAll(invoice, amount));
  const [one, ...others] = idsOf(same);
  if (one !== undefined && others.length === 0) {
    return { reason: 'AMOUNT_AND_PAYER', invoiceIds: [one] };
  }
  for (const invoices of open) {
    const several = addingUpTo(invoices, amount, dues);
    if (several) return { reason: 'SUM_OF_INVOICES', invoiceIds: idsOf(several) };
  }
  return null;
}

/** Two or more of a customer's invoices whose dues are together an amount, the oldest ones first. */
function addingUpTo(
  invoices: readonly MatchedInvoice[],
  amount: Ore,
  dues: Dues,
): MatchedInvoice[] | null {
  const few = invoices.slice(0, SUMMED_MAX);
  const pick = (from: number, left: number, picked: MatchedInvoice[]): MatchedInvoice[] | null => {
    if (left === 0) return picked.length > 1 ? picked : null;
    for (let index = from; index < few.length; index += 1) {
      const invoice = few[index];
      const due = invoice ? dues.of(invoice) : 0;
      if (!invoice || due > left) continue;
      const found = pick(index + 1, left - due, [...picked, invoice]);
      if (found) return found;
    }
    return null;
  };
  return pick(0, amount, []);
}

/** Of more open invoices there are too many sums. */
const SUMMED_MAX = 12;

function sumOf(invoices: readonly MatchedInvoice[], dues: Dues): number {
  return invoices.reduce((sum, invoice) => sum + dues.of(invoice), 0);
}

function idsOf(invoices: readonly MatchedInvoice[]): number[] {
  return [...new Set(invoices.map(({ id }) => id))];
}

/** More numbers than this in one text are a list of something else. */
const NAMED_MAX = 20;
/** Shorter than any KID with a customer and an invoice in it; a date or an amount is not longer. */
const KID_IN_TEXT = /\d(?: ?\d){6,24}(?:-(?!\d))?/g;
/** A whole number of four digits or more: shorter ones mean anything. */
const NUMBER_IN_TEXT = /(?<![\d.,])\d{4,10}(?![\d]|[.,]\d)/g;

/** What may be KIDs, as `bareKid` has them: those of the fields for them, and numbers in the text. */
export function namedKids({ kids, text }: Pick<Incoming, 'kids' | 'text'>): string[] {
  // By an agreement without customer numbers the KID of invoice 1 is '0000000018'.
  const inFields = kids.map(({ kid }) => bareKid(kid)).filter((kid) => kid !== '');
  const written = kids.length > 0 ? [] : (text?.match(KID_IN_TEXT) ?? []).slice(0, NAMED_MAX);
  const inText = written.map(bareKid).filter((kid) => kid.length >= 3);
  return [...new Set([...inFields, ...inText])];
}

/** What may be numbers of invoices: those of the field for them, and whole numbers in the text. */
export function namedNumbers({
  invoiceNumbers,
  text,
}: Pick<Incoming, 'invoiceNumbers' | 'text'>): number[] {
  const inField = invoiceNumbers.filter((number) => /^\d{1,10}$/.test(number));
  const written = text?.match(NUMBER_IN_TEXT) ?? [];
  return [...new Set([...inField, ...written].slice(0, NAMED_MAX).map(Number))];
}
