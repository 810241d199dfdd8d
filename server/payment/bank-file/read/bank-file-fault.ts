/** A fault at one place of a bank file. */
export interface FileFault {
  /** A Norwegian sentence that names the rule. */
  readonly message: string;
  /** Counted from 1. */
  readonly line: number;
  /** The element of an XML file, such as 'Ntry/Amt'. */
  readonly element?: string;
}

/** The file is refused as a whole. Has its faults in order, up to `MOST_FAULTS`. */
export class BankFileFault extends Error {
  override readonly name = 'BankFileFault';
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    super(faults[0]?.message ?? 'The file is refused');
    this.faults = faults;
  }
}

/** Reading stops after this many faults. */
export const MOST_FAULTS = 20;

/** Collects the faults of a file. */
export class FaultList {
  readonly #faults: FileFault[] = [];

  /** Check sums only while this is true: another fault alone may make them wrong. */
  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** @throws BankFileFault when there are too many to read on */
  add(fault: FileFault): void {
    this.#faults.push(fault);
    if (this.#faults.length >= MOST_FAULTS) this.throwIfAny();
  }

  /** Adds a fault after which the rest cannot be understood. @throws BankFileFault */
  stop(fault: FileFault): never {
    throw new BankFileFault([...this.#faults, fault]);
  }

  /** @throws BankFileFault */
  throwIfAny(): void {
    if (this.#faults.length > 0) throw new BankFileFault(this.#faults);
  }
}
