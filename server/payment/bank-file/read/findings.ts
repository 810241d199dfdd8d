import type { BankFileFormat } from '../../../../domain/bank-file/bank-file.schema.ts';
import type { IsoDate } from '../../../../domain/date.ts';
import { ore, type Ore } from '../../../../domain/money.ts';
import type { FaultList } from './bank-file-fault.ts';
import {
  createOccurrences,
  fingerprintOf,
  type CamtReferences,
  type OcrNumbers,
} from './identity.ts';
import { PackedList } from './packed-list.ts';
import type { BankFileSummary, EntryIdentity, IgnoredReason, ReadEntry } from './read-entry.ts';

/** A payment found in a file. Its key is computed from `counted`. */
export interface FoundEntry extends Omit<ReadEntry, keyof EntryIdentity> {
  readonly counted:
    | ({ readonly by: 'OCR' } & OcrNumbers)
    | ({ readonly by: 'CAMT' } & CamtReferences);
}

/** The same as stored until the end. Digests are computed when it is handed over, because they do not compress. */
export interface KeptEntry extends FoundEntry {
  readonly occurrence: number;
}

/** The summary of a file. */
export type Contents = Omit<BankFileSummary, 'sha256'>;

const MOST_ENTRIES = 1_000_000;

/** Collects the entries of a file. */
export class Findings {
  readonly #entries = new PackedList<KeptEntry>();
  readonly #occurrenceOf = createOccurrences();
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
    const occurrence = this.#occurrenceOf(fingerprintOf(entry), entry.date);
    this.#entries.push({ ...entry, occurrence });
    if (this.#from === null || entry.date < this.#from) this.#from = entry.date;
    if (this.#to === null || entry.date > this.#to) this.#to = entry.date;
    this.#sum = this.#plus(entry);
    const { length } = this.#entries;
    if (length % 1000 === 0) this.#onProgress();
    if (length <= MOST_ENTRIES) return;
    const message = `Filen har mer enn ${MOST_ENTRIES} innbetalinger. Be banken om flere, mindre filer.`;
    this.#faults.stop({ message, line: entry.line });
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
      count: this.#entries.length,
      sum: this.#sum,
      ignored: this.#ignored,
    };
  }

  /** The entries in packed parts, for `unpack`. */
  toParts(): Buffer<ArrayBuffer>[] {
    return this.#entries.toParts();
  }

  #plus({ amount, line }: FoundEntry): Ore {
    const sum = this.#sum + amount;
    if (Number.isSafeInteger(sum)) return ore(sum);
    return this.#faults.stop({ message: 'Summen av filen er for stor til å være riktig.', line });
  }
}
