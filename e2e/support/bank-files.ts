import type { Page } from 'playwright-core';

import { ocrFile, type OcrPayment } from '../../server/testing/bank-files/ocr-file.ts';
import { addCustomer, addDraft, call, register } from './person.ts';

export interface Owed {
  readonly number: number;
  readonly uuid: string;
  readonly kid: string;
}

/** An invoice of 1 250 kroner to a new customer. */
export async function addInvoice(page: Page, name: string): Promise<Owed> {
  const { customer_number: customer } = await addCustomer(page, name);
  const draft = await addDraft(page, customer);
  const number = await register(page, draft);
  const { customer_identification_number: kid } = await call<{
    customer_identification_number: string;
  }>(page, 'GET', `/api/invoices/${number}/`);
  return { number, uuid: draft.uuid, kid };
}

/** A file of OCR giro for `setInputFiles`. Each number is a transmission of its own. */
export function bankFile(name: string, number: number, payments: readonly OcrPayment[]) {
  return {
    name,
    mimeType: 'text/plain',
    buffer: ocrFile([{ number, assignments: [{ payments }] }]),
  };
}
