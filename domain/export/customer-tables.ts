import { daysBetween, type IsoDate } from '../date.ts';
import { ore } from '../money.ts';
import type { OpenItem } from './figures.ts';
import { VOUCHER_KINDS } from './journal-tables.ts';
import type { VoucherCustomer } from './claim.ts';
import { claimOf, type Voucher } from './journal.ts';
import {
  judgedOn,
  day,
  money,
  number,
  text,
  type Balance,
  type Cell,
  type Sheet,
  type TableSource,
} from './table.ts';

const KINDS = ['INVOICE', 'CREDIT_NOTE', 'PAYMENT'] as const;
/** The numbers that a posting takes in `postingsOf`. */
const FIELDS = 5;

/** All postings on each customer, as plain numbers: a million of them fit in memory. */
export type Postings = Map<number | null, number[]>;

/** @param collected of the sheet of vouchers, which has all of them where there is no filter */
export function customerSheet(source: TableSource, collected: Postings): Sheet {
  return {
    name: 'Kundespesifikasjon',
    summed: 'Utgående',
    columns: [
      number('Kundenr'),
      text('Navn', 30),
      text('Orgnr', 11),
      money('Inngående'),
      day('Dato'),
      text('Bilag', 18),
      text('Tekst', 36),
      money('Debet'),
      money('Kredit'),
      money('Utgående'),
    ],
    async *rows() {
      const postings = source.scope.filter === null ? collected : await postingsOf(source);
      for await (const balances of source.customers()) {
        for (const { customer, ...balance } of balances) {
          yield specification(customer, balance, postings.get(keyOf(customer)) ?? []);
        }
      }
      const nobody = postings.get(keyOf(null)) ?? [];
      const balance = await source.unplaced();
      if (nobody.length > 0 || balance.opening !== 0 || balance.closing !== 0) {
        yield specification(null, balance, nobody);
      }
    },
  };
}

/** The number is the customer's account (EXP-22); money that is nobody's has none. */
function keyOf(customer: VoucherCustomer | null): number | null {
  return customer?.customerNumber ?? null;
}

async function postingsOf(source: TableSource): Promise<Postings> {
  const postings: Postings = new Map();
  for await (const vouchers of source.everyVoucher()) collectPostings(vouchers, postings);
  return postings;
}

export function collectPostings(vouchers: readonly Voucher[], postings: Postings): void {
  for (const voucher of vouchers) collect(voucher, postings);
}

function collect(voucher: Voucher, postings: Postings): void {
  const { kind, number: own, date } = voucher;
  for (const posting of voucher.postings) {
    if (posting.role !== 'RECEIVABLES') continue;
    const { customer, invoiceNumber } = claimOf(voucher, posting);
    const key = keyOf(customer);
    const list = postings.get(key) ?? [];
    const days = daysBetween('1970-01-01', date);
    list.push(days, KINDS.indexOf(kind), own, invoiceNumber ?? 0, posting.amount);
    postings.set(key, list);
  }
}

function specification(
  customer: VoucherCustomer | null,
  { opening, closing }: Balance,
  postings: readonly number[],
): Cell[][] {
  const who = customer
    ? [customer.customerNumber, customer.name, customer.orgNumber]
    : [null, 'Uplasserte innbetalinger', null];
  const rows: Cell[][] = [[...who, opening, null, null, 'Inngående saldo', null, null, null]];
  for (let index = 0; index < postings.length; index += FIELDS) {
    const [days = 0, kind = 0, own = 0, invoice = 0, amount = 0] = postings.slice(
      index,
      index + FIELDS,
    );
    const words = `${VOUCHER_KINDS[KINDS[kind] ?? 'PAYMENT']} ${own}`;
    const about = kind === KINDS.indexOf('PAYMENT') && invoice > 0 ? `Faktura ${invoice}` : null;
    const debit = amount >= 0 ? ore(amount) : null;
    rows.push([
      ...who,
      null,
      dateOf(days),
      words,
      about,
      debit,
      debit === null ? ore(-amount) : null,
      null,
    ]);
  }
  return [...rows, [...who, null, null, null, 'Utgående saldo', null, null, closing]];
}

function dateOf(days: number): IsoDate {
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

/** Days overdue at most, and the group of such claims. */
const AGES = [
  [0, 'Ikke forfalt'],
  [14, '1–14 dager'],
  [30, '15–30 dager'],
  [60, '31–60 dager'],
  [90, '61–90 dager'],
] as const;

export function openSheet(source: TableSource): Sheet {
  return {
    name: 'Åpne poster',
    summed: 'Rest',
    columns: [
      number('Kundenr'),
      number('Nummer'),
      day('Dato'),
      day('Forfall'),
      money('Total'),
      money('Rest'),
      number('Dager', 8),
      text('Aldersgruppe', 16),
    ],
    async *rows() {
      const asOf = judgedOn(source);
      for await (const items of source.openItems()) {
        yield items.map((item) => openRow(item, asOf));
      }
    },
  };
}

function openRow({ customer, document, rest }: OpenItem, asOf: IsoDate): Cell[] {
  const who = customer?.customerNumber ?? null;
  if (document === null) {
    return [who, null, null, null, null, rest, null, customer ? 'Til gode' : 'Uplassert'];
  }
  const { number: own, issueDate, dueDate, gross } = document;
  const days = Math.max(0, daysBetween(dueDate, asOf));
  const age = AGES.find(([most]) => days <= most)?.[1] ?? 'Over 90 dager';
  return [who, own, issueDate, dueDate, gross, rest, days, age];
}
