import type { EntryOutcome } from '../../../../domain/bank-file/bank-file.schema.ts';
import { bareKid } from '../../../../domain/kid.ts';
import { ore, type Ore } from '../../../../domain/money.ts';
import type { StoredKid, StoredPlacement, StoredSuggestion } from '../../../platform/db/columns.ts';
import type { MatchedInvoice } from '../../../invoice/invoice-payable.repository.ts';

/** The fields of a bank payment that matching uses. */
export interface Incoming {
  readonly amount: Ore;
  /** The company's account to which it was paid. */
  readonly account: string;
  /** All KIDs that it names. */
  readonly kids: readonly StoredKid[];
  /** Invoice numbers from the field for them. */
  readonly invoiceNumbers: readonly string[];
  readonly text: string | null;
  /** Keyed hash of the payer's account, hex. */
  readonly payerHash: string | null;
}

/** The outcome of a payment. */
export interface Match {
  readonly outcome: EntryOutcome;
  /** The single invoice that it goes to or was for. */
  readonly invoiceId: number | null;
  /** The amounts by invoice. */
  readonly placements: readonly StoredPlacement[];
  /** The customer who gets the rest as credit, if certain. */
  readonly customerId: number | null;
  readonly suggestion: StoredSuggestion | null;
}

/** The company's invoices that may match; see `findCandidates`. */
export interface Candidates {
  readonly byKid: ReadonlyMap<string, readonly MatchedInvoice[]>;
  readonly byNumber: ReadonlyMap<number, MatchedInvoice>;
  /** Open invoices of each customer for whom an account has paid before, by the hash of the account. */
  readonly byPayer: ReadonlyMap<string, readonly (readonly MatchedInvoice[])[]>;
}

/** The amounts due of invoices and their reminder claims, less the placements made since they were read. */
export class Dues {
  readonly #taken = new Map<number, Ore>();
  readonly #takenForReminders = new Map<number, Ore>();
  /** Whether paying an invoice waives the rest of its reminder claims. */
  waivesRest = true;

  of({ id, amountDue }: MatchedInvoice): Ore {
    return ore(amountDue - (this.#taken.get(id) ?? 0));
  }

  forReminders({ id, reminderAmount }: MatchedInvoice): Ore {
    return ore(reminderAmount - (this.#takenForReminders.get(id) ?? 0));
  }

  /** Whether an amount equals the amount due, with or without reminder claims. */
  isAll(invoice: MatchedInvoice, amount: Ore): boolean {
    const due = this.of(invoice);
    return amount === due || amount === due + this.forReminders(invoice);
  }

  /** Records an amount placed on an invoice; a negative one is taken back. */
  take(invoiceId: number, amount: Ore): void {
    this.#taken.set(invoiceId, ore((this.#taken.get(invoiceId) ?? 0) + amount));
  }

  /** Places as much of an amount as the invoice takes: first on its amount due, then on its reminder claims. */
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
 * Finds the outcome of a payment. Only an exact KID of the company, paid to the account of its invoice, is certain
 * (BANK-20); for everything else there is at most a suggestion (BANK-19).
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

/** The invoice of a payment with a single KID, if it is certain. */
export function exactInvoice(
  { kids, account }: Incoming,
  candidates: Candidates,
): MatchedInvoice | null {
  const [named, ...others] = kids;
  return named && others.length === 0 ? certainInvoice(named.kid, account, candidates) : null;
}

/** The single invoice with this exact KID whose printed account received the payment. */
function certainInvoice(
  kid: string,
  account: string,
  candidates: Candidates,
): MatchedInvoice | null {
  const found = candidates.byKid.get(bareKid(kid)) ?? [];
  return found.find((invoice) => invoice.kid === kid && invoice.account === account) ?? null;
}

/**
 * A payment with several KIDs. It is certain when all KIDs are, and when it has an amount for each or equals the
 * sum of the amounts due.
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
    // With several customers nobody can say whose credit the surplus is.
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

/** The outcome to show for a payment with several outcomes: the one that a person should check first. */
function worstOf(outcomes: ReadonlySet<EntryOutcome>): EntryOutcome {
  const order = ['OVER', 'SETTLED', 'PART', 'EXACT'] as const;
  if (outcomes.size > 1 && outcomes.has('SETTLED')) return 'OVER';
  return order.find((outcome) => outcomes.has(outcome)) ?? 'UNPLACED';
}

/** Suggests invoices for a payment; null without any match. */
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

/** Two or more of a customer's invoices whose amounts due add up to an amount, the oldest first. */
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

/** Limit of open invoices: with more there are too many sums. */
const SUMMED_MAX = 12;

function sumOf(invoices: readonly MatchedInvoice[], dues: Dues): number {
  return invoices.reduce((sum, invoice) => sum + dues.of(invoice), 0);
}

function idsOf(invoices: readonly MatchedInvoice[]): number[] {
  return [...new Set(invoices.map(({ id }) => id))];
}

/** A text with more numbers than this is a list of something else. */
const NAMED_MAX = 20;
/** Shorter than any KID with a customer and an invoice number; longer than a date or an amount. */
const KID_IN_TEXT = /\d(?: ?\d){6,24}(?:-(?!\d))?/g;
/** A whole number of at least four digits: shorter ones match by chance. */
const NUMBER_IN_TEXT = /(?<![\d.,])\d{4,10}(?![\d]|[.,]\d)/g;

/** Possible KIDs, normalised by `bareKid`: from their fields and from the text. */
export function namedKids({ kids, text }: Pick<Incoming, 'kids' | 'text'>): string[] {
  // Without customer numbers in the agreement the KID of invoice 1 is '0000000018', so short results are kept.
  const inFields = kids.map(({ kid }) => bareKid(kid)).filter((kid) => kid !== '');
  const written = kids.length > 0 ? [] : (text?.match(KID_IN_TEXT) ?? []).slice(0, NAMED_MAX);
  const inText = written.map(bareKid).filter((kid) => kid.length >= 3);
  return [...new Set([...inFields, ...inText])];
}

/** Possible invoice numbers: from their field, and whole numbers in the text. */
export function namedNumbers({
  invoiceNumbers,
  text,
}: Pick<Incoming, 'invoiceNumbers' | 'text'>): number[] {
  const inField = invoiceNumbers.filter((number) => /^\d{1,10}$/.test(number));
  const written = text?.match(NUMBER_IN_TEXT) ?? [];
  return [...new Set([...inField, ...written].slice(0, NAMED_MAX).map(Number))];
}
