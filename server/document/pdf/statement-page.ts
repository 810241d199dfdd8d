import { formatDate, todayInOslo } from '../../../domain/date.ts';
import { differenceKroner, formatKroner, sumKroner } from '../../../domain/money.ts';
import { AGE_NAMES } from '../../../domain/overview/figures.ts';
import { formatBankAccount } from '../../../domain/parties.ts';
import {
  NOT_AN_INVOICE,
  type StatementDocument,
} from '../../../domain/portal/statement-document.ts';
import type { Statement } from '../../../domain/portal/statement.schema.ts';
import type { TextCleaner } from '../../platform/pdf/printable-text.ts';
import { NO_BREAK_SPACE, page, type Pair } from './page.ts';

export interface StatementInput {
  readonly document: StatementDocument;
  readonly stamp: null;
  /** The PNG of the company. */
  readonly logo: Uint8Array | null;
}

/** How far the sums reach below the text beside them (points). */
const SUM_SPACE = 12;

/** A statement: its rows with the balance after each, and what is open by age (PORT-37). */
export function statementPage({ document, stamp, logo }: StatementInput, cleaner: TextCleaner) {
  const { clean } = cleaner;
  const { seller, buyer, bankAccountNumber, statement } = document;
  const { opening, closing, reminderAmount } = statement;
  const date = todayInOslo(new Date(statement.madeAt));
  const lines = rowsOf(statement);
  const amount = `kr${NO_BREAK_SPACE}${formatKroner(closing)}`;
  return page({ name: 'Kontoutskrift', date, stamp, seller, buyer, logo }, cleaner, {
    heading: 'KONTOUTSKRIFT',
    intro: [],
    credits: NOT_AN_INVOICE,
    facts: facts(statement, date),
    columns: ['Tekst', 'Dato', 'Forfall', 'Debet', 'Kredit', 'Saldo'],
    lines,
    products: lines.map(() => ''),
    carried: 'Saldo fra forrige side',
    'wide-rates': true,
    'vat-columns': ['Utestående', 'Antall', 'Beløp'],
    'vat-rows': agesOf(statement),
    notes: [
      ...(reminderAmount === 0
        ? []
        : [`Purregebyr og renter som ikke er betalt: ${formatKroner(reminderAmount)}`]),
      'Bruk KID eller melding fra hver faktura når du betaler.',
      'Alle beløp er i norske kroner (NOK).',
    ].map(clean),
    sums: [['Inngående saldo', formatKroner(opening)]],
    'sum-space': SUM_SPACE,
    total: ['Saldo', formatKroner(closing)],
    payment: {
      heading: 'Betaling',
      items: [['Kontonummer', formatBankAccount(bankAccountNumber)]],
      amount: [closing < 0 ? 'Til gode' : 'Utestående', amount],
    },
    attachment: null,
  });
}

function facts({ customerNumber, from, to }: Statement, date: string): Pair[] {
  return [
    ['Dato', formatDate(date)],
    ['Fra og med', formatDate(from)],
    ['Til og med', formatDate(to)],
    ['Kundenummer', String(customerNumber)],
  ];
}

function rowsOf({ from, to, opening, rows, closing }: Statement): string[][] {
  const kroner = (amount: number | null) => (amount === null ? '' : formatKroner(amount));
  return [
    ['Inngående saldo', formatDate(from), '', '', '', formatKroner(opening)],
    ...rows.map(({ text, date, dueDate, debit, credit, balance }) => [
      text,
      formatDate(date),
      dueDate === null ? '' : formatDate(dueDate),
      kroner(debit),
      kroner(credit),
      formatKroner(balance),
    ]),
    ['Utgående saldo', formatDate(to), '', '', '', formatKroner(closing)],
  ];
}

/** The groups by age and the customer's credit, which are together the closing balance. */
function agesOf({ ages, closing }: Statement): string[][] {
  const credit = differenceKroner(closing, sumKroner(ages.map(({ amount }) => amount)));
  return [
    ...ages.map(({ age, amount, count }) => [AGE_NAMES[age], String(count), formatKroner(amount)]),
    ...(credit === 0 ? [] : [['Til gode', '', formatKroner(credit)]]),
  ];
}
