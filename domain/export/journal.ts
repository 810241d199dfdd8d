import type { IsoDate } from '../date.ts';
import type { TreatedSubtotal } from '../invoice/invoice.totals.ts';
import { formatOre, ore, type Ore } from '../money.ts';
import {
  treatmentOf,
  VAT_TREATMENT_NAMES,
  type VatRate,
  type VatTreatment,
} from '../vat-treatment.ts';
import { DEFAULT_BANK_ACCOUNT, type ExportAccounts } from './export-settings.schema.ts';
import type { Claim } from './claim.ts';
import type { BookDocument, BookPayment, OpenItem } from './figures.ts';

/** One line of a voucher. Debit is positive, credit negative. */
export interface Posting {
  readonly account: string;
  readonly accountName: string;
  readonly amount: Ore;
  /** The kind of account that this is in the settings. */
  readonly role: 'RECEIVABLES' | 'BANK' | 'VAT' | 'INCOME' | 'FEE' | 'INTEREST';
  /** On income alone: why it has its VAT, and the VAT of this amount (with the same sign). */
  readonly vat: {
    readonly treatment: VatTreatment;
    readonly rate: VatRate;
    readonly amount: Ore;
  } | null;
  /** Where money is moved: the claim of this posting, when it is not its voucher's. `claimOf` reads it. */
  readonly claim?: Claim;
  /** On receivables of payments: the text in the account of the claim's customer, which names nobody else's. */
  readonly text?: string;
}

/** The entries of one invoice, credit note or payment. The postings add up to 0. */
export interface Voucher extends Claim {
  readonly kind: 'INVOICE' | 'CREDIT_NOTE' | 'PAYMENT';
  /** The document's number; payments have a series of their own. */
  readonly number: number;
  readonly date: IsoDate;
  readonly text: string;
  /** When it was registered or recorded (ISO 8601 with time). */
  readonly recordedAt: string;
  readonly postings: readonly Posting[];
}

/** A customer's part of the books of a period. */
export interface CustomerBooks {
  /** The vouchers that concern the customer. Postings on others may be in them. */
  readonly vouchers: readonly Voucher[];
  /** The customer's debt at both ends. */
  readonly opening: Ore;
  readonly closing: Ore;
  readonly openItems: readonly OpenItem[];
}

/** The claim that a posting on receivables concerns. */
export function claimOf(voucher: Voucher, posting: Posting): Claim {
  return posting.claim ?? voucher;
}

type Account = Pick<Posting, 'account' | 'accountName' | 'role'>;

/** The accounts that vouchers are booked on. */
export interface Chart {
  readonly receivables: Account;
  readonly fee: Account;
  readonly interest: Account;
  bank(account: string | null): Account;
  vat(rate: VatRate): Account;
  income(treatment: VatTreatment): Account;
}

const INCOME_NAMES: Readonly<Record<VatTreatment, string>> = {
  STANDARD: 'Salgsinntekt, 25 % mva',
  FOOD: 'Salgsinntekt, 15 % mva',
  REDUCED: 'Salgsinntekt, 12 % mva',
  EXEMPT: 'Salgsinntekt, fritatt for mva',
  EXPORT: 'Salgsinntekt, utførsel',
  OUTSIDE: 'Salgsinntekt, uten mva',
  REVERSE: 'Salgsinntekt, omvendt avgiftsplikt',
  NOT_REGISTERED: 'Salgsinntekt, uten mva',
};

/** The chart of a company. An account that is chosen for several kinds has the name of the first one. */
export function chartOf(accounts: ExportAccounts): Chart {
  const names = new Map<string, string>();
  const named = (account: string, name: string, role: Posting['role']): Account => {
    if (!names.has(account)) names.set(account, name);
    return { account, accountName: names.get(account) ?? name, role };
  };
  const receivables = named(accounts.receivables, 'Kundefordringer', 'RECEIVABLES');
  const bank = (account: string | null) => {
    const chosen = account === null ? undefined : accounts.bank[account];
    return named(chosen ?? DEFAULT_BANK_ACCOUNT, 'Bankinnskudd', 'BANK');
  };
  bank(null);
  for (const account of Object.keys(accounts.bank)) bank(account);
  const vatOf = (rate: '25' | '15' | '12') =>
    named(accounts.vat[rate], `Utgående merverdiavgift, ${rate} %`, 'VAT');
  const vat = { 25: vatOf('25'), 15: vatOf('15'), 12: vatOf('12') };
  const income = Object.fromEntries(
    VAT_TREATMENT_NAMES.map((name) => [
      name,
      named(accounts.income[name], INCOME_NAMES[name], 'INCOME'),
    ]),
  ) as Record<VatTreatment, Account>;
  return {
    receivables,
    bank,
    vat: (rate) => vat[rate === 25 || rate === 15 ? rate : 12],
    income: (treatment) => income[treatment],
    fee: named(accounts.fee, 'Purregebyr', 'FEE'),
    interest: named(accounts.interest, 'Renteinntekt', 'INTEREST'),
  };
}

/** The SAF-T code of a posting's VAT; null on accounts that have none. */
export function vatCodeOf({ role, vat }: Posting): string | null {
  if (vat !== null) return treatmentOf(vat.treatment).saftCode;
  return role === 'FEE' || role === 'INTEREST' ? treatmentOf('NOT_REGISTERED').saftCode : null;
}

/**
 * Books a document: its sum is owed by the customer, against income per treatment and rate and VAT per rate. Null when it has
 * nothing to book. @throws RangeError when its sums do not add up
 */
export function documentVoucher(document: BookDocument, chart: Chart): Voucher | null {
  const { kind, number, creditsNumber, issueDate, recordedAt, kid, subtotals } = document;
  const { customer, customerId } = document;
  const sign = kind === 'INVOICE' ? 1 : -1;
  const rates = Map.groupBy(subtotals, ({ vatRate }) => vatRate);
  const postings: Posting[] = [
    entry(chart.receivables, sign * document.gross),
    ...subtotals.flatMap((part) => income(part, sign, chart)),
    ...[...rates]
      .filter(([rate]) => rate > 0)
      .map(([rate, parts]) =>
        entry(chart.vat(rate), -sign * parts.reduce((sum, { vat }) => sum + vat, 0)),
      ),
  ];
  return balanced({
    kind,
    number,
    date: issueDate,
    text:
      creditsNumber === null
        ? `Faktura ${number}`
        : `Kreditnota ${number} for faktura ${creditsNumber}`,
    recordedAt,
    invoiceNumber: number,
    kid,
    dueDate: document.dueDate,
    customerId,
    customer,
    postings,
  });
}

/**
 * Books a payment: bank against the customer's debt, and what reminders were paid against income. A row that moves money is booked
 * together with the rows that it moves it to, so that no bank account sees it. Null when it has nothing to book.
 */
export function paymentVoucher(payment: BookPayment, chart: Chart): Voucher | null {
  if (payment.isMoved) return null;
  const rows = [payment, ...payment.movedTo].filter(({ isBooked }) => isBooked);
  const [first] = rows;
  if (!first) return null;
  const { number, date, recordedAt, account } = payment;
  const sum = rows.reduce((total, { amount }) => total + amount, 0);
  const words = describe(payment, sum);
  const postings = [
    entry(chart.bank(account), sum),
    ...rows.flatMap(({ amount, fee, interest, claim }) => [
      {
        ...entry(chart.receivables, fee + interest - amount),
        text: `${words}${about(claim)}${besides(fee + interest)}`,
        ...(claim !== first.claim && { claim }),
      },
      entry(chart.fee, 0 - fee),
      entry(chart.interest, 0 - interest),
    ]),
  ];
  const text = `${words}${about(first.claim)}`;
  return balanced({ kind: 'PAYMENT', number, date, text, recordedAt, ...first.claim, postings });
}

function income(
  { vatTreatment: treatment, vatRate: rate, net, vat }: TreatedSubtotal,
  sign: 1 | -1,
  chart: Chart,
): Posting[] {
  const amount = ore(-sign * net);
  return [
    { ...chart.income(treatment), amount, vat: { treatment, rate, amount: ore(-sign * vat) } },
  ];
}

function entry(account: Account, amount: number): Posting {
  return { ...account, amount: ore(amount), vat: null };
}

/** @param sum what comes in with all rows of the voucher (øre) */
function describe({ kind, takesBack, movedTo }: BookPayment, sum: number): string {
  if (movedTo.length > 0 && sum === 0) return 'Flyttet innbetaling';
  if (kind === 'REFUND') return 'Tilbakebetaling';
  if (kind === 'REVERSAL') return 'Innbetaling trukket tilbake av banken';
  if (kind === 'PAYMENT' && takesBack !== null) return 'Angret tilbakebetaling';
  return sum < 0 ? 'Angret innbetaling' : 'Innbetaling';
}

function about({ invoiceNumber }: Claim): string {
  return invoiceNumber === null ? '' : `, faktura ${invoiceNumber}`;
}

/** @param amount what of a payment is no part of the balance, since reminders asked for it */
function besides(amount: number): string {
  return amount === 0
    ? ''
    : ` (i tillegg ${formatOre(ore(Math.abs(amount)))} til purregebyr og renter)`;
}

/** Drops postings of nothing. @throws RangeError when the others do not add up to 0 */
function balanced({ postings, ...voucher }: Voucher): Voucher | null {
  const kept = postings.filter(({ amount, vat }) => amount !== 0 || (vat && vat.amount !== 0));
  if (kept.length === 0) return null;
  if (kept.reduce((sum, { amount }) => sum + amount, 0) !== 0)
    throw new RangeError(`The postings of ${voucher.kind} ${voucher.number} do not add up to 0`);
  return { ...voucher, postings: kept };
}
