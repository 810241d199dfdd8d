import { formatBankAccount } from '../../../domain/parties.ts';
import { formatDate } from '../../../domain/date.ts';
import { kidLabel, type InvoiceDocument } from '../../../domain/document/invoice-document.ts';
import type { InvoiceTotals } from '../../../domain/invoice/invoice.totals.ts';
import { formatOre } from '../../../domain/money.ts';
import { NO_BREAK_SPACE, type Pair, type PaymentBox } from './page.ts';
import type { Stamp } from './stamp.ts';

/** Stands where a draft has no number. */
export const NOT_YET = 'Tildeles senere';
/** How to pay or, where nothing is left to be paid, why. */
export function paymentBox(
  document: InvoiceDocument,
  { gross }: InvoiceTotals,
  stamp: Stamp | null,
): PaymentBox {
  const amount = `kr${NO_BREAK_SPACE}${formatOre(gross)}`;
  if (document.kind === 'CREDIT_NOTE') return credit(document, amount);
  switch (stamp?.kind) {
    case 'PAID':
      return {
        heading: 'Betalt',
        items: [...payee(document), ['Betalt dato', formatDate(stamp.paidDate)]],
        amount: ['Betalt beløp', amount],
      };
    case 'CREDITED':
      return {
        heading: 'Kreditert – skal ikke betales',
        items: [['Kreditert med kreditnota', String(stamp.creditNoteNumber)]],
        amount: ['Kreditert beløp', amount],
      };
    default:
      return {
        heading: 'Betaling',
        items: [...payee(document), ['Forfallsdato', formatDate(document.dueDate)]],
        amount: ['Å betale', amount],
      };
  }
}

/** A credit note asks for nothing: it says what the buyer is relieved of. */
function credit({ credits }: InvoiceDocument, amount: string): PaymentBox {
  return {
    heading: 'Beløpet krediteres',
    items: credits
      ? [
          ['Gjelder faktura', String(credits.invoiceNumber)],
          ['Fakturadato', formatDate(credits.issueDate)],
        ]
      : [],
    amount: ['Kreditert beløp', amount],
  };
}

/** Where the money goes, and what it is marked with. */
export function payee(
  document: Pick<InvoiceDocument, 'bankAccountNumber' | 'kid' | 'kidModulus' | 'invoiceNumber'>,
): Pair[] {
  const { bankAccountNumber, kid, invoiceNumber } = document;
  const message = invoiceNumber === null ? NOT_YET : `Faktura ${invoiceNumber}`;
  return [
    ['Kontonummer', formatBankAccount(bankAccountNumber)],
    [kidLabel(document), kid ?? message],
  ];
}
