import type { BankFileFormat } from '../../../../domain/bank-file/bank-file.schema.ts';
import type { IsoDate } from '../../../../domain/date.ts';
import { ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import { createIdentify, type BankNumbers } from './identity.ts';
import type { BankFileSummary, EntryIdentity, IgnoredReason, ReadEntry } from './read-entry.ts';

/** A payment found in a file. Its key is computed from `counted`. */
export interface FoundEntry extends Omit<ReadEntry, keyof EntryIdentity> {
  readonly counted: BankNumbers;
}

export type Contents = Omit<BankFileSummary, 'sha256'>;

/** Payments of one file, and transactions of one entry. */
export const MOST_ENTRIES = 500_000;

/** Collects the entries of a file. */
export class Findings {
  /** All entries, in their order. */
  readonly entries: ReadEntry[] = [];
  readonly #identify = createIdentify();
  readonly #accounts = new Map<string, number>();
  readonly #ignored: Partial<Record<IgnoredReason, number>> = {};
  readonly #faults: FaultList;
  /** Called from time to time to report progress. */
  readonly #onProgress: () => void;
  #from: IsoDate | null = null;
  #to: IsoDate | null = null;
  #sum: Ore = ore(0);

  constructor(faults: FaultList, onProgress: () => void) {
    this.#faults = faults;
    this.#onProgress = onProgress;
  }

  add(entry: FoundEntry): void {
    if (entry.amount === 0) {
      this.ignore('ZERO');
      return;
    }
    const { counted, ...content } = entry;
    this.entries.push({ ...content, ...this.#identify(content, counted) });
    if (this.#from === null || entry.date < this.#from) this.#from = entry.date;
    if (this.#to === null || entry.date > this.#to) this.#to = entry.date;
    this.#sum = this.#plus(entry);
    const { length } = this.entries;
    if (length % 1000 === 0) this.#onProgress();
    if (length > MOST_ENTRIES) refuseTooMany(this.#faults, entry.line);
  }

  addAccount(account: string, line: number): void {
    if (!this.#accounts.has(account)) this.#accounts.set(account, line);
  }

  ignore(reason: IgnoredReason, count = 1): void {
    if (count > 0) this.#ignored[reason] = (this.#ignored[reason] ?? 0) + count;
  }

  summarize(format: BankFileFormat): Contents {
    return {
      format,
      accounts: [...this.#accounts].map(([account, line]) => ({ account, line })),
      from: this.#from,
      to: this.#to,
      count: this.entries.length,
      sum: this.#sum,
      ignored: this.#ignored,
    };
  }

  #plus({ amount, line }: FoundEntry): Ore {
    const sum = this.#sum + amount;
    if (Number.isSafeInteger(sum)) return ore(sum);
    return this.#faults.stop({ message: 'Summen av filen er for stor til å være riktig.', line });
  }
}

/** @throws BankFileFault */
export function refuseTooMany(faults: FaultList, line: number): never {
  const message = `Filen har mer enn ${MOST_ENTRIES} innbetalinger. Be banken om flere, mindre filer.`;
  return faults.stop({ message, line });
}
