import { formatDate } from '../date.ts';
import type { BookPayment } from './figures.ts';
import { claimOf, vatCodeOf, type Voucher } from './journal.ts';
import { day, money, number, text, type Cell, type Sheet, type TableSource } from './table.ts';

export function paymentSheet(source: TableSource): Sheet {
  return {
    name: 'Innbetalinger',
    summed: 'Beløp',
    columns: [
      day('Dato'),
      money('Beløp'),
      text('Kilde', 10),
      number('Fakturanr'),
      number('Kundenr'),
      text('KID', 27),
      text('Betaler', 30),
      text('Bankref', 24),
      text('Tar tilbake', 36),
    ],
    async *rows() {
      for await (const payments of source.payments()) {
        yield payments.filter(({ isBooked }) => isBooked).map(paymentRow);
      }
    },
  };
}

function paymentRow(payment: BookPayment): Cell[] {
  const { date, amount, source, claim, kid, payer, reference } = payment;
  return [
    date,
    amount,
    source === 'BANK' ? 'Bank' : 'Manuell',
    claim.invoiceNumber,
    claim.customer?.customerNumber ?? null,
    kid,
    payer,
    reference,
    takenBack(payment),
  ];
}

function takenBack({ kind, takesBack }: BookPayment): string | null {
  if (takesBack === null) return null;
  const date = formatDate(takesBack);
  return kind === 'PAYMENT' ? `Tilbakebetaling ${date}` : `Innbetaling ${date}`;
}

export const VOUCHER_KINDS: Readonly<Record<Voucher['kind'], string>> = {
  INVOICE: 'Faktura',
  CREDIT_NOTE: 'Kreditnota',
  PAYMENT: 'Innbetaling',
};

/** @param seen is given the vouchers, so that they are read once less */
export function journalSheet(
  source: TableSource,
  seen: (vouchers: readonly Voucher[]) => void,
): Sheet {
  return {
    name: 'Bilag',
    summed: 'Debet',
    columns: [
      number('Bilagsnr'),
      text('Bilagsart', 12),
      day('Dato'),
      text('Konto', 8),
      text('Kontonavn', 32),
      number('Kundenr'),
      number('Fakturanr'),
      text('KID', 27),
      day('Forfall'),
      text('Mva-kode', 10),
      money('Debet'),
      money('Kredit'),
      text('Tekst', 36),
    ],
    async *rows() {
      for await (const vouchers of source.vouchers()) {
        seen(vouchers);
        yield vouchers.flatMap(postingRows);
      }
    },
  };
}

function postingRows(voucher: Voucher): Cell[][] {
  const { number: own, kind, date, postings } = voucher;
  return postings.map((posting) => {
    const { role, account, accountName, amount } = posting;
    const claim = claimOf(voucher, posting);
    const isClaim = role === 'RECEIVABLES';
    return [
      own,
      VOUCHER_KINDS[kind],
      date,
      account,
      accountName,
      isClaim ? (claim.customer?.customerNumber ?? null) : null,
      claim.invoiceNumber,
      isClaim ? claim.kid : null,
      isClaim && kind === 'INVOICE' ? claim.dueDate : null,
      vatCodeOf(posting),
      amount >= 0 ? amount : null,
      amount < 0 ? 0 - amount : null,
      voucher.text,
    ];
  });
}
