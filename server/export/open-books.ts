import { todayInOslo, type IsoDate } from '../../domain/date.ts';
import {
  restOf,
  type BookDocument,
  type BookPayment,
  type OpenItem,
} from '../../domain/export/figures.ts';
import {
  chartOf,
  documentVoucher,
  paymentVoucher,
  type Chart,
  type CustomerBooks,
  type Voucher,
} from '../../domain/export/journal.ts';
import { DEFAULT_ACCOUNTS } from '../../domain/export/export-settings.schema.ts';
import { splitReminders } from '../../domain/export/reminder-split.ts';
import { ore, type Ore } from '../../domain/money.ts';
import { requireIssuer } from '../company/profile.repository.ts';
import { findNumbersOfList, hasFew } from '../issuing/invoice-search.repository.ts';
import type { Db } from '../platform/db/database.ts';
import type { AccountBalance, Basis, Books, CustomerBalance, ExportScope, Point } from './books.ts';
import { readExportSettings } from './export-settings.repository.ts';
import { isSettled, toCustomer, toDocument, toPayment } from './figures.ts';
import * as figures from './figures.repository.ts';
import * as money from './money.repository.ts';

/** Rows of a statement: others wait no longer than for one of these. */
const PAGE = 100;

/** The last number and payment there are. The caller holds the company, so that nothing comes before them later. */
export async function currentMoment(
  db: Db,
  companyId: number,
): Promise<Pick<ExportScope, 'lastNumber' | 'lastPaymentId'>> {
  return figures.findMoment(db, companyId);
}

/** The seller and the settings of a company as they are now, and whether `einvoice` is on. @throws AppError profile_incomplete */
export async function readBasis(db: Db, companyId: number, einvoice = false): Promise<Basis> {
  const { seller } = await requireIssuer(db, companyId);
  const settings = await readExportSettings(db, companyId);
  return { seller, settings: einvoice ? { ...settings, einvoice } : settings };
}

/** The sums of an export, and its scope with what its filter finds now: the file is made of the same later (EXP-2). */
export async function sumUp(db: Db, scope: ExportScope): Promise<Pick<Books, 'scope' | 'sums'>> {
  const { sums, wanted, numbers } = await findContents(db, scope);
  return { scope: wanted === numbers ? scope : { ...scope, listed: wanted }, sums };
}

/** @returns all numbers of the period, and which of them the filter wants: the same list without a filter */
async function findContents(db: Db, scope: ExportScope) {
  const numbers = await figures.findNumbers(db, scope);
  const wanted = await filtered(db, scope, numbers);
  const sums = await figures.sumDocuments(db, scope, wanted === numbers ? null : wanted);
  return { numbers, wanted, sums };
}

/**
 * Opens the books of a company (EXP-2). They read pages of at most some hundred rows, so that memory is bounded and others wait
 * for no long statement. Everything in them is of one moment (EXP-7): documents never change, and nothing after the moment is
 * read.
 */
export async function openBooks(
  db: Db,
  scope: ExportScope,
  { madeBy, madeAt, basis }: Pick<Books, 'madeBy' | 'madeAt'> & { readonly basis?: Basis | null },
): Promise<Books> {
  const { seller, settings } = basis ?? (await readBasis(db, scope.companyId));
  const { numbers, wanted, sums } = await findContents(db, scope);
  const reader = new Reader(db, scope, chartOf(settings.accounts));
  return {
    scope,
    seller,
    settings,
    madeBy,
    madeAt,
    sums,
    documents: () => reader.documents(wanted),
    payments: () => reader.payments(),
    vouchers: () => reader.vouchers(wanted),
    everyVoucher: () => reader.vouchers(numbers),
    accounts: async () => reader.accounts(numbers),
    customers: () => reader.customers(),
    unplaced: async () => reader.unplaced(),
    openItems: () => reader.openItems(),
  };
}

/** The numbers that the list's filter found, or finds at this moment: a payment may change them at the next. */
async function filtered(
  db: Db,
  { companyId, filter, listed }: ExportScope,
  numbers: readonly number[],
): Promise<readonly number[]> {
  if (filter === null) return numbers;
  if (listed) return listed;
  const readsAll = await hasFew(db, companyId);
  const found = await findNumbersOfList(db, companyId, {
    ...filter,
    status: filter.status ?? undefined,
    customerNumber: filter.customerNumber ?? undefined,
    today: todayInOslo(),
    readsAll,
  });
  const those = new Set(found);
  return numbers.filter((number) => those.has(number));
}

/** A customer's part of the books, read in pages as they are. */
export async function readCustomerBooks(
  db: Db,
  scope: ExportScope & { readonly customerId: number },
): Promise<CustomerBooks> {
  const reader = new Reader(db, scope, chartOf(DEFAULT_ACCOUNTS));
  const vouchers = await Array.fromAsync(reader.vouchers(await figures.findNumbers(db, scope)));
  const openItems = await Array.fromAsync(reader.openItems());
  return { ...(await reader.total()), vouchers: vouchers.flat(), openItems: openItems.flat() };
}

class Reader {
  readonly #db: Db;
  readonly #scope: ExportScope;
  readonly #chart: Chart;
  readonly #closing: Point;
  /** They take a pass over the period, and are asked for by several sheets. */
  #balances: Promise<readonly figures.BalanceRow[]> | null = null;

  constructor(db: Db, scope: ExportScope, chart: Chart) {
    const { to, ranges, lastNumber: number, lastPaymentId: paymentId } = scope;
    this.#db = db;
    this.#scope = scope;
    this.#chart = chart;
    this.#closing = { date: ranges ? null : to, number, paymentId };
  }

  async *documents(numbers: readonly number[]): AsyncGenerator<readonly BookDocument[]> {
    for (const page of pagesOf(numbers)) {
      const { companyId } = this.#scope;
      const rows = await figures.findDocuments(this.#db, companyId, page, this.#closing);
      const paidOn = await this.#findPaidDays(rows);
      yield rows.map((row) => toDocument(row, paidOn.get(row.number) ?? null));
    }
  }

  /** A single payment was made on its own day; only of several it must be found out. */
  async #findPaidDays(rows: readonly figures.DocumentRow[]) {
    const several = rows.filter((row) => row.payments > 1 && isSettled(row));
    if (several.length === 0) return new Map<number, IsoDate>();
    const claims = new Map(
      several.map(({ number, gross, credited }) => [number, gross - credited]),
    );
    return figures.findPaidDays(this.#db, this.#scope.companyId, claims, this.#closing);
  }

  async *payments(): AsyncGenerator<readonly BookPayment[]> {
    const { companyId } = this.#scope;
    const ids = await money.findPaymentIds(this.#db, this.#scope);
    let before = 0;
    let place = 0;
    for (const page of pagesOf(ids)) {
      const ranks = await money.rankPayments(this.#db, companyId, before, page);
      const places = new Map([...ranks].map(([id, rank]) => [id, place + rank]));
      before = page.at(-1) ?? before;
      place = places.get(before) ?? place;
      yield await this.#readPayments(page, places);
    }
  }

  async #readPayments(
    ids: readonly number[],
    places: ReadonlyMap<number, number>,
  ): Promise<BookPayment[]> {
    const { companyId } = this.#scope;
    const rows = await money.findPayments(this.#db, companyId, ids);
    const taken = rows.flatMap(({ kind, undoesId }) => (kind === 'UNDO' && undoesId) || []);
    const moved = await money.findMoved(this.#db, companyId, taken);
    const fees = await this.#feesOf([...rows, ...moved]);
    const figure = (row: money.PaymentFigureRow, movedTo: readonly BookPayment[]) =>
      toPayment(row, { number: places.get(row.id) ?? 0, fee: fees.get(row.id) ?? ore(0), movedTo });
    const partsOf = Map.groupBy(moved, ({ fromId }) => fromId);
    return rows.map((row) => {
      const parts = row.kind === 'UNDO' ? (partsOf.get(row.undoesId) ?? []) : [];
      return figure(
        row,
        parts.map((part) => figure(part, [])),
      );
    });
  }

  async #feesOf(rows: readonly money.PaymentFigureRow[]): Promise<ReadonlyMap<number, Ore>> {
    const paying = rows.filter(({ reminderAmount }) => reminderAmount !== 0);
    const invoices = new Set(paying.flatMap(({ invoiceId }) => invoiceId ?? []));
    const all = await money.findPaidReminders(this.#db, this.#scope.companyId, [...invoices]);
    const ofInvoice = Map.groupBy(all, ({ invoiceId }) => invoiceId);
    return new Map([...ofInvoice.values()].flatMap((paid) => Array.from(splitReminders(paid))));
  }

  async *vouchers(numbers: readonly number[]): AsyncGenerator<readonly Voucher[]> {
    for await (const documents of this.documents(numbers)) {
      yield documents.flatMap((document) => documentVoucher(document, this.#chart) ?? []);
    }
    for await (const payments of this.payments()) {
      yield payments.flatMap((payment) => paymentVoucher(payment, this.#chart) ?? []);
    }
  }

  /** Receivables open with what is owed. Others may have been booked on the other accounts, so these open with 0. */
  async accounts(numbers: readonly number[]): Promise<readonly AccountBalance[]> {
    const { receivables } = this.#chart;
    const owed: number = (await this.total()).opening;
    const accounts = new Map([[receivables.account, { ...receivables, opening: owed, moved: 0 }]]);
    for await (const vouchers of this.vouchers(numbers)) {
      for (const { account, accountName, role, amount } of vouchers.flatMap(
        ({ postings }) => postings,
      )) {
        const balance = accounts.get(account) ?? {
          account,
          accountName,
          role,
          opening: 0,
          moved: 0,
        };
        accounts.set(account, { ...balance, moved: balance.moved + amount });
      }
    }
    return [...accounts.values()]
      .toSorted((one, other) => Number(one.account) - Number(other.account))
      .map(({ account, accountName, role, opening, moved }) => ({
        account,
        accountName,
        role,
        opening: ore(opening),
        closing: ore(opening + moved),
      }));
  }

  async #owed(): Promise<readonly figures.BalanceRow[]> {
    this.#balances ??= figures.findBalances(this.#db, this.#scope, this.#closing);
    return this.#balances;
  }

  async *customers(): AsyncGenerator<readonly CustomerBalance[]> {
    for (const page of pagesOf(await this.#owed())) {
      const found = await figures.findCustomers(this.#db, this.#scope.companyId, page);
      yield page.flatMap(({ customerNumber, opening, closing }) => {
        const buyer = customerNumber === null ? undefined : found.get(customerNumber);
        return buyer ? [{ customer: toCustomer(buyer), opening, closing }] : [];
      });
    }
  }

  /** The balance of all: a customer that was renumbered has one for each number. */
  async total(): Promise<Pick<CustomerBalance, 'opening' | 'closing'>> {
    const balances = await this.#owed();
    const sum = (end: 'opening' | 'closing') =>
      ore(balances.reduce((total, balance) => total + balance[end], 0));
    return { opening: sum('opening'), closing: sum('closing') };
  }

  /** The balance of money that is nobody's. */
  async unplaced(): Promise<Pick<CustomerBalance, 'opening' | 'closing'>> {
    const nobody = (await this.#owed()).find(({ customerNumber }) => customerNumber === null);
    return nobody ?? { opening: ore(0), closing: ore(0) };
  }

  /** Claims by number, then credit by customer. Together they are the closing balance of receivables. */
  async *openItems(): AsyncGenerator<readonly OpenItem[]> {
    const numbers = await figures.findOpenNumbers(this.#db, this.#scope, this.#closing);
    for await (const documents of this.documents(numbers)) {
      yield documents.flatMap((document): OpenItem[] => {
        const { customer, paid } = document;
        // An invoice of after the end may have been paid before it.
        const isLater = isAfter(document, this.#closing);
        const rest = ore(isLater ? 0 - paid : restOf(document));
        return rest === 0 ? [] : [{ customer, document: isLater ? null : document, rest }];
      });
    }
    const credits = await money.findCredit(this.#db, this.#scope, this.#closing);
    yield credits.map(({ credit, buyer }) => ({
      customer: buyer && toCustomer(buyer),
      document: null,
      rest: ore(0 - credit),
    }));
  }
}

function isAfter({ number, issueDate }: BookDocument, closing: Point): boolean {
  return number > closing.number || (closing.date !== null && issueDate > closing.date);
}

function* pagesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += PAGE) yield all.slice(start, start + PAGE);
}
