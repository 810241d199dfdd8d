import { todayInOslo, type IsoDate } from '../date.ts';
import type { Ore } from '../money.ts';
import type { Seller } from '../parties.ts';
import type { VoucherCustomer } from './claim.ts';
import type { ExportFilter } from './export.schema.ts';
import type { ExportSettings } from './export-settings.schema.ts';
import type { BookDocument, BookPayment, OpenItem } from './figures.ts';
import type { Voucher } from './journal.ts';

/** A column of a sheet. Money is øre, a date ISO 8601, a number plain. */
export interface Column {
  readonly name: string;
  readonly type: 'TEXT' | 'MONEY' | 'DATE' | 'NUMBER';
  /** In characters. */
  readonly width: number;
}

/** Money is øre, a date ISO 8601, a number plain. What is not known is null. */
export type Cell = string | number | null;

/** The rows of a sheet, in parts. */
type Rows = AsyncIterable<readonly (readonly Cell[])[]>;

/** A sheet of the workbook, and a file of the CSV. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  rows(): Rows;
}

/** The opening and the closing balance of a customer, positive when owed by the customer. */
export interface Balance {
  readonly opening: Ore;
  readonly closing: Ore;
}

/** Everything that the tables show. */
export interface TableSource {
  readonly scope: {
    readonly from: IsoDate | null;
    readonly to: IsoDate;
    /** Absent of a period. */
    readonly ranges?: readonly unknown[];
    readonly filter: ExportFilter | null;
  };
  readonly seller: Seller;
  readonly settings: Pick<ExportSettings, 'accounts'> & {
    /** Whether the sheet of documents says how they went as e-invoices. */
    readonly einvoice?: boolean;
  };
  readonly madeBy: string;
  readonly madeAt: string;
  documents(): AsyncIterable<readonly BookDocument[]>;
  payments(): AsyncIterable<readonly BookPayment[]>;
  vouchers(): AsyncIterable<readonly Voucher[]>;
  everyVoucher(): AsyncIterable<readonly Voucher[]>;
  customers(): AsyncIterable<readonly ({ readonly customer: VoucherCustomer } & Balance)[]>;
  unplaced(): Promise<Balance>;
  openItems(): AsyncIterable<readonly OpenItem[]>;
}

/** A sheet, and the column whose sum 'Om' states. */
export interface Sheet extends Table {
  readonly summed: string;
}

/** How many rows a sheet had, and the sum of its column, once it was read. */
export interface Counted {
  readonly name: string;
  readonly summed: string;
  readonly count: number;
  readonly sum: Ore;
}

export function text(name: string, width: number): Column {
  return { name, type: 'TEXT', width };
}

export function money(name: string): Column {
  return { name, type: 'MONEY', width: 14 };
}

export function day(name: string): Column {
  return { name, type: 'DATE', width: 12 };
}

export function number(name: string, width = 10): Column {
  return { name, type: 'NUMBER', width };
}

/** The day that status and age are of (EXP-61): the last of the period, or that of making when it comes first. */
export function judgedOn({ scope, madeAt }: TableSource): IsoDate {
  const made = todayInOslo(new Date(madeAt));
  return made < scope.to ? made : scope.to;
}
