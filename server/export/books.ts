import type { ExportFilter } from '../../domain/export/export.schema.ts';
import type { ExportSettings } from '../../domain/export/export-settings.schema.ts';
import type { BookDocument, BookPayment, OpenItem } from '../../domain/export/figures.ts';
import type { Posting, Voucher } from '../../domain/export/journal.ts';
import type { IsoDate } from '../../domain/date.ts';
import type { Ore } from '../../domain/money.ts';
import type { Seller } from '../../domain/parties.ts';

/** The company whose books are read, or the one customer of it. */
export interface Whose {
  readonly companyId: number;
  /** Narrows the books to a customer, under all the numbers that it has had. */
  readonly customerId?: number;
}

/** The extent of an export. Nothing that is registered or recorded later is in it: one moment, without a snapshot. */
export interface ExportScope extends Whose {
  /** Null: from the first day. */
  readonly from: IsoDate | null;
  readonly to: IsoDate;
  /** Instead of the dates: the parts of everything that no earlier export of the family has. They do not overlap. */
  readonly ranges?: readonly Range[];
  readonly filter: ExportFilter | null;
  /** The numbers that the filter found when the export was asked for; absent, it is asked anew. */
  readonly listed?: readonly number[];
  /** The moment: the last number that was given, and the last payment that was recorded. */
  readonly lastNumber: number;
  readonly lastPaymentId: number;
}

/** The last number that was given, and the last payment that was recorded. Nothing comes before them later. */
export interface Moment {
  readonly number: number;
  readonly paymentId: number;
}

/** The end of books. A later number or id, or a later date, comes after it. */
export interface Point extends Moment {
  /** Null: the date does not matter. */
  readonly date: IsoDate | null;
}

/** Documents and payments that came after one moment and by another, and are dated within these days; null is no limit. */
export interface Range {
  readonly after: Moment;
  readonly through: Moment;
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
}

/** Facts that could change after an export was asked for. */
export interface Basis {
  readonly seller: Seller;
  readonly settings: ExportSettings & { readonly einvoice?: boolean };
}

/** Sums of what is in an export; credit notes are negative. */
export interface BookSums {
  readonly invoices: number;
  readonly creditNotes: number;
  readonly firstNumber: number | null;
  readonly lastNumber: number | null;
  readonly net: Ore;
  readonly vat: Ore;
  readonly gross: Ore;
}

/** An account of the ledger at both ends of the period. Debit is positive. */
export interface AccountBalance {
  readonly account: string;
  readonly accountName: string;
  readonly role: Posting['role'];
  readonly opening: Ore;
  readonly closing: Ore;
}

/** The debt of a customer at both ends of the period. */
export interface CustomerBalance {
  readonly customer: NonNullable<Voucher['customer']>;
  readonly opening: Ore;
  readonly closing: Ore;
}

/** The one source of figures (EXP-2): every format prints what is read here. */
export interface Books extends Basis {
  readonly scope: ExportScope;
  /** The maker of the export, and the time (ISO 8601 with time). */
  readonly madeBy: string;
  readonly madeAt: string;
  readonly sums: BookSums;
  /** Documents of the period that the filter finds, by number, in parts. */
  documents(): AsyncIterable<readonly BookDocument[]>;
  /** Payments of the period, in the order in which they came, in parts. The filter does not matter. */
  payments(): AsyncIterable<readonly BookPayment[]>;
  /** Vouchers of both, in the same order. */
  vouchers(): AsyncIterable<readonly Voucher[]>;
  /** The same as if there were no filter. */
  everyVoucher(): AsyncIterable<readonly Voucher[]>;
  /** Receivables open with what is owed, all others with 0. The filter does not matter for balances and open items. */
  accounts(): Promise<readonly AccountBalance[]>;
  /** Customers with a balance or a voucher of the period, by the number that documents carry, in parts. */
  customers(): AsyncIterable<readonly CustomerBalance[]>;
  /** The balance of receivables that is no customer's. */
  unplaced(): Promise<Pick<CustomerBalance, 'opening' | 'closing'>>;
  /** Claims and credit on the last day, in parts; they add up to the closing balance of receivables. */
  openItems(): AsyncIterable<readonly OpenItem[]>;
}

/** A format in which books are printed. */
export interface ExportFormat {
  /** The file's ending, without the dot. */
  readonly ending: string;
  readonly mediaType: string;
  /** Instead of these, where they depend on the period. */
  fileFor?(period: Pick<ExportScope, 'from' | 'to'>): Pick<ExportFormat, 'ending' | 'mediaType'>;
  /** The file, in parts. It breaks off with the error where one happens, so that no half looks whole. */
  print(books: Books): AsyncIterable<Uint8Array>;
}
