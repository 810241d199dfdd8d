import type { LightMyRequestResponse } from 'fastify';

import { toCamelCase, toSnakeKey, toWireText } from '../../domain/api/case.ts';
import type { Endpoint, RequestOf, ResponseOf } from '../../domain/api/endpoint.ts';
import { bookBankFile, uploadBankFile } from '../../domain/bank-file/bank-file.endpoints.ts';
import type { IsoDate } from '../../domain/date.ts';
import { getInvoice } from '../../domain/invoice/invoice.endpoints.ts';
import { kronerToOre } from '../../domain/money.ts';
import { verifyLogin } from '../../domain/session/session.endpoints.ts';
import type { App } from '../../server/app.ts';
import { makeChallenge } from '../../server/account/login.service.ts';
import { ocrFile } from '../../server/testing/bank-files/ocr-file.ts';
import { ACCOUNT } from './company.ts';

/** Calls the API as the owner of a company. @throws Error with the answer when it is refused */
export type Call = <E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  file?: Buffer,
) => Promise<ResponseOf<E>>;

interface LooseRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** Registers a new owner. */
export async function signUp({ context, http }: App, email: string): Promise<Call> {
  const cookies: Record<string, string> = {};
  const call: Call = async (endpoint, request, file) => {
    const { params = {}, query = {}, body } = request as LooseRequest;
    const answer: LightMyRequestResponse = await http.inject({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
      query: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [toSnakeKey(name), String(value)]),
      ),
      cookies,
      ...(body !== undefined && {
        payload: toWireText(body),
        headers: { 'content-type': 'application/json' },
      }),
      ...(file && { payload: file, headers: { 'content-type': 'application/octet-stream' } }),
    });
    if (answer.statusCode >= 400) throw new Error(`${endpoint.id}: ${answer.body}`);
    for (const { name, value } of answer.cookies) cookies[name] = value;
    return (answer.body === '' ? undefined : toCamelCase(answer.json())) as never;
  };
  const challenge = await makeChallenge(context, 'register', email);
  await call(verifyLogin, { body: { token: challenge?.token ?? '' } });
  return call;
}

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
