import { formatOre, ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import type { BalanceDraft, EntryDraft, SaidTotals, StatementDraft } from './camt-drafts.ts';
import { BOOKED, signed } from './camt-entry.ts';
import { sumToOre } from './values.ts';

const OPENING = ['OPBD', 'PRCD'];
const CLOSING = 'CLBD';

/** Number of entries and sum of their absolute amounts. */
interface Counted {
  count: number;
  sum: number;
}

interface Totals {
  readonly credits: Counted;
  readonly debits: Counted;
}

/** Sums the entries of a statement, to be compared with the totals it states. */
export class CamtSums {
  readonly #every = emptyTotals();
  readonly #booked = emptyTotals();
  readonly #currencies = new Set<string | null>();
  #isExact = true;

  add({ amount, direction, status }: EntryDraft): void {
    const value = amount && sumToOre(amount.text);
    this.#currencies.add(amount?.currency ?? null);
    if (value === null) {
      // An amount in another currency may have more decimals than øre.
      this.#isExact = false;
      return;
    }
    const of = direction === 'CRDT' ? 'credits' : 'debits';
    count(this.#every[of], value);
    if (status === BOOKED) count(this.#booked[of], value);
  }

  /**
   * Adds faults where a statement does not add up. In a statement sent in pages the totals cover all pages, so one
   * page is not checked against them.
   */
  check(statement: StatementDraft, isPage: boolean, faults: FaultList): void {
    const { currency } = statement;
    const isOne = [...this.#currencies].every((each) => each === (currency ?? each));
    const isSafe = [this.#every.credits, this.#every.debits].every(({ sum }) =>
      Number.isSafeInteger(sum),
    );
    if (isPage || !this.#isExact || !isOne || this.#currencies.size > 1 || !isSafe) return;
    this.#checkTotals(statement, faults);
    this.#checkBalances(statement, faults);
  }

  /** The standard does not say whether pending entries are part of the totals: both are accepted. */
  #checkTotals({ all, credits, debits }: StatementDraft, faults: FaultList): void {
    const faultOf = (totals: Totals) =>
      whyNot(credits, totals.credits) ?? whyNot(debits, totals.debits) ?? whyNotAll(all, totals);
    const fault = faultOf(this.#every);
    if (!fault || !faultOf(this.#booked)) return;
    const { name, said, found } = fault;
    const { line, element } = fault.of;
    faults.add({ message: `${name} er ${said}, men postene gir ${found}.`, line, element });
  }

  #checkBalances({ balances, currency }: StatementDraft, faults: FaultList): void {
    const [own = currency] = this.#currencies;
    const find = (code: string) =>
      balances.filter(
        (it) => it.code === code && it.amount?.currency === (own ?? it.amount?.currency),
      );
    const opening = OPENING.map(find).find((found) => found.length > 0) ?? [];
    const closing = find(CLOSING);
    // With several balances it is unclear which ones count.
    if (opening.length !== 1 || closing.length !== 1) return;
    const [from, to] = [valueOf(opening[0]), valueOf(closing[0])];
    const last = closing[0];
    if (from === null || to === null || !last) return;
    const { credits, debits } = this.#booked;
    const moved = ore(credits.sum - debits.sum);
    if (from + moved === to) return;
    const sum = `${formatOre(from)} og bokførte poster på ${formatOre(moved)}`;
    const message = `Saldoene stemmer ikke: inngående saldo ${sum} gir ikke utgående saldo ${formatOre(to)}.`;
    faults.add({ message, line: last.line, element: 'Bal' });
  }
}

interface Mismatch {
  readonly of: SaidTotals;
  readonly name: string;
  readonly said: string;
  readonly found: string | number;
}

function whyNot(of: SaidTotals | null, found: Counted): Mismatch | null {
  if (!of) return null;
  const { count: said, sum } = of;
  if (said !== null && Number(said) !== found.count) {
    return { of, name: 'NbOfNtries', said, found: found.count };
  }
  if (sum === null || sumToOre(sum) === found.sum) return null;
  return { of, name: 'Sum', said: sum, found: formatOre(ore(found.sum)) };
}

function whyNotAll(of: SaidTotals | null, { credits, debits }: Totals): Mismatch | null {
  if (!of) return null;
  const both = { count: credits.count + debits.count, sum: credits.sum + debits.sum };
  const net = ore(credits.sum - debits.sum);
  const mismatch = whyNot(of, both);
  if (mismatch || of.net === null) return mismatch;
  const value = sumToOre(of.net.replace('-', ''));
  if (value === Math.abs(net)) return null;
  return { of, name: 'TtlNetNtry', said: of.net, found: formatOre(net) };
}

function valueOf(balance: BalanceDraft | undefined): Ore | null {
  if (!balance?.amount) return null;
  const value = sumToOre(balance.amount.text);
  return value === null ? null : signed(value, balance.direction);
}

function count(counted: Counted, value: Ore): void {
  counted.count += 1;
  counted.sum += value;
}

function emptyTotals(): Totals {
  return { credits: { count: 0, sum: 0 }, debits: { count: 0, sum: 0 } };
}
