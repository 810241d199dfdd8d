import { formatOre, ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import { BOOKED, signed, type CamtEntry } from './camt-entry.ts';
import { shortPath, type CamtPart } from './camt-part.ts';
import { sumToOre } from './values.ts';

const OPENING = ['OPBD', 'PRCD'];
const CLOSING = 'CLBD';

/** Number of entries and sum of their amounts in both directions (øre), and the net of these. */
interface Counted {
  count: number;
  sum: number;
  net?: number;
}

/** Sums the entries of a statement, to be compared with the sums that it states. */
export class CamtSums {
  readonly #every = { credits: emptySum(), debits: emptySum() };
  readonly #booked = { credits: emptySum(), debits: emptySum() };
  readonly #currencies = new Set<string | null>();
  #isExact = true;

  add({ amount, direction, status }: CamtEntry): void {
    const value = amount && sumToOre(amount.text);
    this.#currencies.add(amount?.currency ?? null);
    // An amount in another currency may have more decimals than øre.
    if (value === null) this.#isExact = false;
    else {
      for (const sums of status === BOOKED ? [this.#every, this.#booked] : [this.#every]) {
        const counted = direction === 'CRDT' ? sums.credits : sums.debits;
        counted.count += 1;
        counted.sum += value;
      }
    }
  }

  /**
   * Adds faults where a statement does not add up. Totals of a statement that is sent in pages cover all pages: one
   * page is not checked.
   *
   * @param currency of the account
   */
  check(
    { parts }: CamtPart,
    { isPage, currency }: { readonly isPage: boolean; readonly currency: string | null },
    faults: FaultList,
  ): void {
    const find = (name: string) => parts.filter(({ path }) => path.endsWith(`/${name}`));
    const totals = ['TtlCdtNtries', 'TtlDbtNtries', 'TtlNtries'].map((name) =>
      find(name).map(readTotal).at(-1),
    );
    const balances = find('Bal').map(readBalance);
    const isOne = [...this.#currencies].every((each) => each === (currency ?? each));
    const { credits, debits } = this.#every;
    const isSafe = Number.isSafeInteger(credits.sum) && Number.isSafeInteger(debits.sum);
    const isComparable = this.#isExact && isOne && this.#currencies.size <= 1 && isSafe;
    if (isPage || !isComparable || !faults.isEmpty) return;
    this.#checkTotals(totals, faults);
    this.#checkBalances(balances, currency, faults);
  }

  /** The standard does not say whether pending entries are part of the totals: both are accepted. */
  #checkTotals(totals: readonly (SaidTotal | undefined)[], faults: FaultList): void {
    const [fault, ofBooked] = [this.#every, this.#booked].map(({ credits, debits }) => {
      const all = { ...plus(credits, debits), net: credits.sum - debits.sum };
      return totals
        .map((said, index) => said && whyNot(said, [credits, debits][index] ?? all))
        .find((mismatch) => mismatch !== undefined);
    });
    if (fault && ofBooked) faults.add(fault);
  }

  #checkBalances(
    balances: readonly ReturnType<typeof readBalance>[],
    currency: string | null,
    faults: FaultList,
  ): void {
    const [own = currency] = this.#currencies;
    const find = (code: string) =>
      balances.filter(
        (it) => it.code === code && it.amount?.currency === (own ?? it.amount?.currency),
      );
    const opening = OPENING.map(find).find((found) => found.length > 0) ?? [];
    const closing = find(CLOSING);
    // With several balances it is unclear which ones count.
    if (opening.length !== 1 || closing.length !== 1) return;
    const [from, to] = [opening[0]?.value ?? null, closing[0]?.value ?? null];
    if (from === null || to === null) return;
    const { credits, debits } = this.#booked;
    const moved = ore(credits.sum - debits.sum);
    if (from + moved === to) return;
    const sum = `${formatOre(from)} og bokførte poster på ${formatOre(moved)}`;
    const message = `Saldoene stemmer ikke: inngående saldo ${sum} gir ikke utgående saldo ${formatOre(to)}.`;
    faults.add({ message, line: closing[0]?.line ?? 1, element: 'Bal' });
  }
}

function emptySum(): Counted {
  return { count: 0, sum: 0 };
}

function plus(one: Counted, other: Counted): Counted {
  return { count: one.count + other.count, sum: one.sum + other.sum };
}

function readBalance(part: CamtPart) {
  const amount = part.amount('Amt');
  const value = amount && sumToOre(amount.text);
  const direction = part.direction('CdtDbtInd');
  return {
    line: part.line,
    code: part.text('Tp/CdOrPrtry/Cd'),
    amount,
    value: value === null ? null : signed(value, direction),
  };
}

/** The totals that a statement gives for one direction, or for both. */
type SaidTotal = ReturnType<typeof readTotal>;

function readTotal(part: CamtPart) {
  // It is not used, but must be a direction.
  part.direction('CdtDbtInd', 'TtlNetNtry/CdtDbtInd');
  return {
    line: part.line,
    element: shortPath(part.path),
    count: part.text('NbOfNtries'),
    sum: part.text('Sum'),
    net: part.text('TtlNetNtryAmt', 'TtlNetNtry/Amt'),
  };
}

/** The fault of a total that differs from the entries; undefined when there is none. */
function whyNot({ line, element, count, sum, net }: SaidTotal, found: Counted) {
  const faultOf = (name: string, said: string, entries: string | number) => ({
    message: `${name} er ${said}, men postene gir ${entries}.`,
    line,
    element,
  });
  if (count !== null && Number(count) !== found.count) {
    return faultOf('NbOfNtries', count, found.count);
  }
  if (sum !== null && sumToOre(sum) !== found.sum) {
    return faultOf('Sum', sum, formatOre(ore(found.sum)));
  }
  if (net === null || found.net === undefined) return undefined;
  if (sumToOre(net.replace('-', '')) === Math.abs(found.net)) return undefined;
  return faultOf('TtlNetNtry', net, formatOre(ore(found.net)));
}
