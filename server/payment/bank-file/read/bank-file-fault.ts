/** What is wrong at one place of a bank file. */
export interface FileFault {
  /** A Norwegian sentence that names the rule. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** The element of an XML file, such as 'Ntry/Amt'. */
  readonly element?: string;
}

/** A file is refused whole, with what was found wrong with it, in order, up to `MOST_FAULTS`. */
export class BankFileFault extends Error {
  override readonly name = 'BankFileFault';
  readonly faults: readonly FileFault[];

  constructor(faults: readonly FileFault[]) {
    super(faults[0]?.message ?? 'The file is refused');
    this.faults = faults;
  }
}

/** The thread that read the file died or fell silent: the fault is ours. */
export class BankFileNotRead extends Error {
  override readonly name = 'BankFileNotRead';
}

/** After so many nobody reads on. */
export const MOST_FAULTS = 20;

/** What is found wrong while a file is read. */
export class FaultList {
  readonly #faults: FileFault[] = [];

  /** Whether sums are worth checking: of a file with another fault they may be wrong by that alone. */
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
