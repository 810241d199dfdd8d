import { camtText, type CamtFileDetail, type CamtFileEntry } from './camt-file.ts';
import { ocrFile as writeOcr } from './ocr-file.ts';

/** The accounts of the companies that get files in tests. */
export const ACCOUNTS = ['86011117947', '12345678903'] as const;
export const [ACCOUNT] = ACCOUNTS;

export interface OcrPaymentInput {
  /** Kroner; negative is a reversal. */
  readonly amount: number;
  readonly kid?: string;
  /** Sets the transaction type to one with a text (20 or 21). */
  readonly text?: string;
}

interface Transmission {
  readonly account?: string;
  readonly transmission?: number;
  /** DDMMYY. */
  readonly date?: string;
}

/** A transmission of OCR giro with one assignment, in Latin-1. */
export function ocrFile(
  payments: readonly OcrPaymentInput[],
  { account = ACCOUNT, transmission = 1, date = '201126' }: Transmission = {},
): string {
  const written = payments.map(({ amount, text, ...rest }) => ({
    ...rest,
    ...(text !== undefined && { text }),
    amount: Math.abs(Math.round(amount * 100)),
    type: text === undefined ? (amount < 0 ? 18 : 13) : amount < 0 ? 20 : 21,
    sign: amount < 0 ? ('-' as const) : ('0' as const),
    netsDate: date,
    payerAccount: '00000000000',
  }));
  const assignments = [{ account, payments: written }];
  return writeOcr([{ number: transmission, date, assignments }]).toString('latin1');
}

export interface CamtPaymentInput {
  /** Kroner; negative is a reversal. */
  readonly amount: number;
  readonly kids?: readonly string[];
  /** Kroner for each KID, in the order of `kids`. */
  readonly kidAmounts?: readonly number[];
  readonly text?: string;
  readonly payer?: string;
  readonly payerAccount?: string;
  /** The element is omitted when null. */
  readonly reference?: string | null;
  /** The reference of the detail. A reversal repeats the reference of its payment. */
  readonly detailReference?: string;
  readonly date?: string;
  readonly invoiceNumber?: string;
}

interface Notification {
  readonly account?: string;
  readonly format?: 'CAMT053' | 'CAMT054';
}

/** A camt file with one entry for each payment. */
export function camtFile(
  payments: readonly CamtPaymentInput[],
  { account = ACCOUNT, format = 'CAMT054' }: Notification = {},
): string {
  const entries = payments.map((payment, index): CamtFileEntry => {
    const { amount, date, reference = `${format}-${index}` } = payment;
    return {
      amount: Math.abs(amount).toFixed(2),
      ...(amount < 0 && { direction: 'DBIT', reversal: true }),
      ...(date !== undefined && { date }),
      ...(reference !== null && { reference }),
      details: [detailOf(payment)],
    };
  });
  return camtText({ format, statements: [{ account, entries }] });
}

function detailOf(payment: CamtPaymentInput): CamtFileDetail {
  const { amount, kids = [], kidAmounts, text, detailReference, payer, payerAccount } = payment;
  const { invoiceNumber } = payment;
  return {
    amount: Math.abs(amount).toFixed(2),
    ...(detailReference !== undefined && { reference: detailReference }),
    ...(payer !== undefined && { payer }),
    ...(payerAccount !== undefined && { payerAccount }),
    ...(text !== undefined && { texts: [text] }),
    kids: [
      ...kids.map((kid, index) => {
        const part = kidAmounts?.[index];
        return part === undefined ? { kid } : { kid, amount: part.toFixed(2) };
      }),
      ...(invoiceNumber === undefined ? [] : [{ invoice: invoiceNumber }]),
    ],
  };
}
