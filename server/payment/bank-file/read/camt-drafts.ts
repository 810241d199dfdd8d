import type { IsoDate } from '../../../../domain/date.ts';
import type { Ore } from '../../../../domain/money.ts';
import type { NamedKid } from './read-entry.ts';

/** CdtDbtInd: CRDT is into the account, DBIT out of it. */
export type Direction = 'CRDT' | 'DBIT';

/** An amount as it is written. */
export interface WrittenAmount {
  readonly text: string;
  readonly currency: string | null;
  readonly line: number;
  readonly element: string;
}

/** A structured remittance: one of the invoices that a payment covers. */
export class RemittanceDraft {
  reference: string | null = null;
  numbers: string[] = [];
  amount: WrittenAmount | null = null;
}

/** One transaction of an entry, while its elements are read. */
export class DetailDraft {
  amount: WrittenAmount | null = null;
  transactionAmount: WrittenAmount | null = null;
  /** Only the first is kept: a second one is a fault. */
  instructedAmount: WrittenAmount | null = null;
  direction: Direction | null = null;
  accountServicerReference: string | null = null;
  transactionId: string | null = null;
  uetr: string | null = null;
  payer: string | null = null;
  payerAccount: string | null = null;
  unstructured: string[] = [];
  remittances: RemittanceDraft[] = [];
  additional: string | null = null;
  readonly line: number;

  constructor(line: number) {
    this.line = line;
  }
}

/** A transaction as kept until its entry ends. */
export interface Detail {
  readonly line: number;
  /** Signed; null when it has none in kroner. */
  readonly amount: Ore | null;
  readonly reference: string | null;
  readonly payer: string | null;
  readonly payerAccount: string | null;
  readonly kids: readonly NamedKid[];
  readonly invoiceNumbers: readonly string[];
  readonly text: string | null;
}

/** One NtryDtls: the number and sum stated by the bank, and those counted. */
export class BatchDraft {
  isBatch = false;
  saidCount: string | null = null;
  saidAmount: WrittenAmount | null = null;
  count = 0;
  /** Signed øre. */
  sum = 0;
}

/** One Ntry, while its elements are read. */
export class EntryDraft {
  amount: WrittenAmount | null = null;
  direction: Direction | null = null;
  reversal: boolean | null = null;
  status: string | null = null;
  bookingDate: IsoDate | null = null;
  valueDate: IsoDate | null = null;
  reference: string | null = null;
  additional: string | null = null;
  batches: BatchDraft[] = [];
  readonly line: number;

  constructor(line: number) {
    this.line = line;
  }
}

/** The totals that a statement gives for one direction, or for both. */
export class SaidTotals {
  count: string | null = null;
  sum: string | null = null;
  net: string | null = null;
  netDirection: Direction | null = null;
  readonly line: number;
  readonly element: string;

  constructor(line: number, element: string) {
    this.line = line;
    this.element = element;
  }
}

export class BalanceDraft {
  code: string | null = null;
  amount: WrittenAmount | null = null;
  direction: Direction | null = null;
  readonly line: number;

  constructor(line: number) {
    this.line = line;
  }
}

/** The page number of a message or statement that is sent in pages. */
export class PagesDraft {
  number: string | null = null;
  isLast: boolean | null = null;
}

/** One Ntfctn or Stmt, while its elements are read. */
export class StatementDraft {
  account: string | null = null;
  accountLine = 0;
  currency: string | null = null;
  created: IsoDate | null = null;
  readonly pages = new PagesDraft();
  all: SaidTotals | null = null;
  credits: SaidTotals | null = null;
  debits: SaidTotals | null = null;
  balances: BalanceDraft[] = [];
  readonly line: number;

  constructor(line: number) {
    this.line = line;
  }
}
