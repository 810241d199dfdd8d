import { bookBankFile, uploadBankFile } from '../../domain/bank-file/bank-file.endpoints.ts';
import type { IsoDate } from '../../domain/date.ts';
import { getInvoice } from '../../domain/invoice/invoice.endpoints.ts';
import { kronerToOre } from '../../domain/money.ts';
import { ocrFile } from '../../server/testing/bank-files/ocr-file.ts';
import { ACCOUNT } from './company.ts';
import type { Call } from './owner.ts';

/** A customer's payment to the bank, by KID. */
export interface BankPayment {
  readonly day: IsoDate;
  /** The uuid is set by the time the file is read. */
  readonly invoice: { readonly uuid: string };
}

/** Uploads and books a bank file with these payments and one that matches no invoice. */
export async function readPayments(
  call: Call,
  day: IsoDate,
  payments: readonly BankPayment[],
): Promise<void> {
  const rows = [];
  for (const { day: paid, invoice } of payments) {
    const found = await call(getInvoice, { params: { invoiceStr: invoice.uuid } });
    const kid = found.customerIdentificationNumber ?? '';
    rows.push({ amount: kronerToOre(found.amountDue), kid, netsDate: shortDate(paid) });
  }
  rows.push({ amount: 125_000, netsDate: shortDate(day) });
  const file = ocrFile([
    { date: shortDate(day), assignments: [{ account: ACCOUNT, payments: rows }] },
  ]);
  const { uuid } = await call(uploadBankFile, { query: { name: `OCR-${day}.txt` } }, file);
  await call(bookBankFile, { params: { fileUuid: uuid }, query: {} });
}

/** DDMMYY, the format of OCR giro. */
function shortDate(date: IsoDate): string {
  return date.slice(8) + date.slice(5, 7) + date.slice(2, 4);
}
