import fc from 'fast-check';

import type { ExportSettings } from '../../domain/export/export-settings.schema.ts';
import { DEFAULT_ACCOUNTS } from '../../domain/export/export-settings.schema.ts';
import type { Claim, VoucherCustomer } from '../../domain/export/claim.ts';
import { chartOf, claimOf, type Posting, type Voucher } from '../../domain/export/journal.ts';
import { ore } from '../../domain/money.ts';
import {
  VAT_TREATMENT_NAMES,
  vatRateOn,
  type VatRate,
  type VatTreatment,
} from '../../domain/vat-treatment.ts';
import type { AccountBalance, Books, CustomerBalance, ExportScope } from '../export/books.ts';

const SELLER: Books['seller'] = {
  name: 'Ørsta Båtbyggeri AS',
  orgNumber: '987654325',
  email: 'post@batbyggeri.example',
  vatRegistered: true,
  foretaksregisteret: true,
  address1: 'Kaigata 1',
  address2: null,
  postalCode: '6150',
  city: 'Ørsta',
};

export const CUSTOMER: VoucherCustomer = {
  customerNumber: 10_007,
  name: 'Nordavind Rør & Varme AS',
  orgNumber: '123456785',
  address1: 'Storgata 1',
  address2: 'Oppgang B',
  zipCode: '0155',
  city: 'Oslo',
};

const SCOPE: ExportScope = {
  companyId: 1,
  from: '2026-01-01',
  to: '2026-12-31',
  filter: null,
  lastNumber: 1_000_000,
  lastPaymentId: 1_000_000,
};

export const SETTINGS: ExportSettings = {
  accounts: DEFAULT_ACCOUNTS,
  customerOffset: 0,
  accountantEmail: null,
};

const NO_SUMS: Books['sums'] = {
  invoices: 0,
  creditNotes: 0,
  firstNumber: null,
  lastNumber: null,
  net: ore(0),
  vat: ore(0),
  gross: ore(0),
};

interface Given {
  readonly settings?: ExportSettings;
  readonly scope?: Partial<ExportScope>;
  readonly seller?: Partial<Books['seller']>;
  readonly madeBy?: string;
}

/** Books in memory: of these vouchers, read in parts of two, with nothing before them. */
export function booksOf(
  vouchers: readonly Voucher[],
  { settings = SETTINGS, scope, seller, madeBy = 'Kari Nordmann' }: Given = {},
): Books {
  const postings = vouchers.flatMap((voucher) =>
    voucher.postings.map((posting) => ({ posting, claim: claimOf(voucher, posting) })),
  );
  const accounts = Map.groupBy(postings, ({ posting }) => posting.account);
  const ledger = postings.filter(({ posting }) => posting.role === 'RECEIVABLES');
  const customers = Map.groupBy(
    ledger.filter(({ claim }) => claim.customer !== null),
    ({ claim }) => claim.customer?.customerNumber,
  );
  return {
    scope: { ...SCOPE, ...scope },
    seller: { ...SELLER, ...seller },
    settings,
    madeBy,
    madeAt: '2027-01-04T23:30:00.000Z',
    sums: NO_SUMS,
    documents: () => inParts([]),
    payments: () => inParts([]),
    unplaced: async () => ({ opening: ore(0), closing: ore(0) }),
    openItems: () => inParts([]),
    vouchers: () => inParts(vouchers),
    everyVoucher: () => inParts(vouchers),
    accounts: async () =>
      [...accounts].map(([account, booked]): AccountBalance => ({
        account,
        accountName: booked[0]?.posting.accountName ?? '',
        role: booked[0]?.posting.role ?? 'BANK',
        opening: ore(0),
        closing: sumOf(booked.map(({ posting }) => posting)),
      })),
    customers: () =>
      inParts(
        [...customers.values()].flatMap((booked): CustomerBalance[] => {
          const customer = booked[0]?.claim.customer;
          const closing = sumOf(booked.map(({ posting }) => posting));
          return customer ? [{ customer, opening: ore(0), closing }] : [];
        }),
      ),
  };
}

async function* inParts<T>(all: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < all.length; start += 2) yield all.slice(start, start + 2);
}

function sumOf(postings: readonly Posting[]) {
  return ore(postings.reduce((sum, { amount }) => sum + amount, 0));
}

/** The sums of the journal by account, of those that are not 0. */
export function sumsByAccount(
  rows: Iterable<{ readonly account: string; readonly amount: number }>,
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, amount } of rows) sums[account] = (sums[account] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

interface Part {
  readonly treatment: VatTreatment;
  readonly net: number;
  readonly rate?: VatRate;
}

type Document = Partial<Omit<Voucher, 'postings'>> & Pick<Voucher, 'kind' | 'number'>;

/** An invoice or a credit note; amounts in øre without VAT, positive on both. */
export function documentOf(
  document: Document,
  parts: readonly Part[],
  accounts = DEFAULT_ACCOUNTS,
): Voucher {
  const chart = chartOf(accounts);
  const sign = document.kind === 'INVOICE' ? 1 : -1;
  const date = document.date ?? '2026-02-01';
  const income = parts.map(
    ({ treatment, net, rate = vatRateOn(treatment, date) ?? 0 }): Posting => {
      const vat = Math.round((net * rate) / 100);
      return {
        ...chart.income(treatment),
        amount: ore(-sign * net),
        vat: { treatment, rate, amount: ore(-sign * vat) },
      };
    },
  );
  const vat = income.flatMap((posting): Posting[] =>
    posting.vat && posting.vat.amount !== 0
      ? [{ ...chart.vat(posting.vat.rate), amount: posting.vat.amount, vat: null }]
      : [],
  );
  const owed = ore(0 - sumOf([...income, ...vat]));
  const postings = [{ ...chart.receivables, amount: owed, vat: null }, ...income, ...vat];
  return { ...claimed(document), date, ...document, postings };
}

interface Money {
  readonly amount: number;
  readonly fee?: number;
  readonly interest?: number;
  readonly account?: string | null;
  /** Moved to this claim instead, out of the voucher's own. */
  readonly movedTo?: Claim;
}

/** A payment, or with negative amounts a refund or a reversal; amounts in øre. */
export function paymentOf(
  document: Partial<Omit<Voucher, 'postings' | 'kind'>> & Pick<Voucher, 'number'>,
  { amount, fee = 0, interest = 0, account = null, movedTo }: Money,
  accounts = DEFAULT_ACCOUNTS,
): Voucher {
  const chart = chartOf(accounts);
  const receivables = { ...chart.receivables, vat: null };
  const postings: Posting[] = movedTo
    ? [
        { ...receivables, amount: ore(amount) },
        { ...receivables, amount: ore(-amount), claim: movedTo },
      ]
    : [
        { ...chart.bank(account), amount: ore(amount), vat: null },
        { ...receivables, amount: ore(fee + interest - amount) },
        { ...chart.fee, amount: ore(-fee), vat: null },
        { ...chart.interest, amount: ore(-interest), vat: null },
      ];
  const kept = postings.filter((posting) => posting.amount !== 0);
  return {
    ...claimed({ kind: 'PAYMENT', text: 'Innbetaling' }),
    ...document,
    kind: 'PAYMENT',
    postings: kept,
  };
}

function claimed({ kind, number = 1001, text = `Faktura ${number}` }: Partial<Voucher>) {
  return {
    kind,
    number,
    date: '2026-02-01',
    text,
    recordedAt: '2026-02-01T10:00:00.000Z',
    invoiceNumber: number,
    kid: '000100070000001001',
    dueDate: '2026-02-15',
    customer: CUSTOMER,
  } as const;
}

/** Texts that have broken files before. */
export const HOSTILE_TEXTS = [
  '=1+1',
  '-2+3;"=cmd|x!A1"',
  '@SUM(A1)',
  'linje\r\nskift\ttabulator\u0085\u2028slutt',
  'nul\0tegn\u0001\u001F\uFFFE\uFFFF',
  '😀 Blomster 👩‍👩‍👧 og 🇳🇴',
  'Ærlig & Søn <AS> ]]> "sitat" \'enkel\'',
  'Łódź Šibenik €5 – “sitat” Иванов 東京',
  'Langt navn æøå '.repeat(20),
  '😀'.repeat(300),
  'e\u0301'.repeat(150),
  '\uD800alene',
  ' ',
  '',
];

const text = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const optionalText = fc.option(text);
const date = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

const customer: fc.Arbitrary<VoucherCustomer> = fc.record({
  customerNumber: fc.option(fc.integer({ min: 1, max: 9_999_999 })),
  name: text,
  orgNumber: fc.option(fc.constantFrom('123456785', '000000000')),
  address1: optionalText,
  address2: optionalText,
  zipCode: optionalText,
  city: optionalText,
});

const claim = fc.record({
  invoiceNumber: fc.option(fc.integer({ min: 1, max: 9_999_999_999 })),
  kid: fc.option(fc.constantFrom('0001', '000100070000001001', '123-')),
  dueDate: fc.option(date),
  customer: fc.option(customer),
});

const heading = fc.record({
  number: fc.integer({ min: 1, max: 9_999_999_999 }),
  date,
  text,
  recordedAt: fc.constant('2026-06-30T22:30:00.000Z'),
});

const MOST = 1_000_000_000_000;

const part = fc
  .record({
    treatment: fc.constantFrom(...VAT_TREATMENT_NAMES),
    net: fc.oneof(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -MOST, max: MOST })),
    isOld: fc.boolean(),
  })
  .map(({ treatment, net, isOld }): Part =>
    treatment === 'REDUCED' && isOld ? { treatment, net, rate: 6 } : { treatment, net },
  );

/** Documents by number, then payments, as books have them. */
export function anyVouchers(accounts = DEFAULT_ACCOUNTS): fc.Arbitrary<Voucher[]> {
  const document = fc
    .tuple(
      fc.constantFrom('INVOICE' as const, 'CREDIT_NOTE' as const),
      heading,
      claim,
      fc.array(part),
    )
    .map(([kind, head, of, parts]) => documentOf({ ...head, ...of, kind }, parts, accounts));
  const amount = fc.integer({ min: -MOST, max: MOST });
  const money = fc.record(
    {
      amount,
      fee: fc.integer({ min: -7000, max: 7000 }),
      interest: fc.integer({ min: -90_000, max: 90_000 }),
      account: fc.option(fc.constantFrom('12341112344', ...Object.keys(accounts.bank))),
      movedTo: claim,
    },
    { requiredKeys: ['amount'] },
  );
  const payment = fc
    .tuple(heading, claim, money)
    .map(([head, of, paid]) => paymentOf({ ...head, ...of }, paid as Money, accounts));
  return fc
    .tuple(fc.array(document, { maxLength: 8 }), fc.array(payment, { maxLength: 6 }))
    .map(([documents, payments]) =>
      [...documents, ...payments].filter(({ postings }) => postings.length > 1),
    );
}

/** The bytes of a format, whole. */
export async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(parts));
}
