import type { Readable } from 'node:stream';

import type { Db } from '../../platform/db/database.ts';
import type { TestApp } from '../app.ts';
import type { Answer, TestClient } from '../client.ts';
import { completeProfile, createCustomer, createDraft, line, register } from '../factories.ts';
import { until } from '../until.ts';
import { ACCOUNTS } from './payment-files.ts';

/** Milliseconds. Longer than a job takes, also after its process was killed. */
const LARGE_FILE_WAIT = 120_000;

/** A profile update that sets these accounts. */
export const WITH_ACCOUNTS = {
  bank_accounts: ACCOUNTS.map((account, index) => ({
    bank_account_number: account,
    is_primary: index === 0,
  })),
};

/** Creates a new company with both accounts and one customer. */
export async function createBankCompany(
  testApp: TestApp,
): Promise<{ client: TestClient; customer: number }> {
  const client = await testApp.login();
  await completeProfile(client, WITH_ACCOUNTS);
  return { client, customer: await createCustomer(client) };
}

/** The outcome of each entry of a file, expected or booked. */
export function outcomesOf({ body }: Answer): string[] {
  return (body as { entries: { outcome: string }[] }).entries.map(({ outcome }) => outcome);
}

/** The paid amount of an invoice, in kroner. */
export async function paidOf(client: TestClient, uuid: string): Promise<number> {
  const answer = await client.get(`/api/invoices/${uuid}/`);
  return (answer.body as { paid_amount: number }).paid_amount;
}

/** Uploads a file. A stream is sent as it is; text is sent as UTF-8 when it is XML, otherwise as Latin-1 (OCR). */
export async function upload(
  client: TestClient,
  content: string | Buffer | Readable,
  name = 'fil.txt',
): Promise<Answer> {
  const encoding = typeof content === 'string' && content.startsWith('<') ? 'utf8' : 'latin1';
  return client.send({
    method: 'POST',
    url: `/api/payments/files/?name=${encodeURIComponent(name)}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: typeof content === 'string' ? Buffer.from(content, encoding) : content,
  });
}

/** Uploads a file and books it. @throws Error when the file or the booking is refused */
export async function uploadAndBook(
  client: TestClient,
  content: string | Buffer,
  name?: string,
): Promise<Answer> {
  const preview = await upload(client, content, name);
  if (preview.status > 201) throw new Error(`The file got ${preview.status}: ${preview.text}`);
  const { uuid } = preview.body as { uuid: string };
  const booked = await client.post(`/api/payments/files/${uuid}/book/`);
  if (booked.status !== 200) throw new Error(`Booking got ${booked.status}: ${booked.text}`);
  if ((booked.body as FileState).state !== 'BOOKING') return booked;
  await waitUntilSettled(client, uuid);
  return client.get(`/api/payments/files/${uuid}/`);
}

interface FileState {
  readonly state: string;
  readonly count: number;
  readonly booked_count: number;
}

/** Waits until the job has booked or undone the whole file. Returns the file without its entries. */
export async function waitUntilSettled(client: TestClient, uuid: string): Promise<FileState> {
  const look = async () =>
    (await client.get(`/api/payments/files/${uuid}/?entries=false`)).body as FileState;
  const isSettled = ({ state }: FileState) => state !== 'BOOKING' && state !== 'UNDOING';
  return until(look, isSettled, LARGE_FILE_WAIT);
}

/** A registered invoice, as the tests of payments use it. */
export interface Billed {
  readonly uuid: string;
  readonly number: number;
  readonly kid: string;
}

/** Registers an invoice of the given amount, without VAT. */
export async function bill(
  client: TestClient,
  customer: number,
  kroner: number,
  changes: object = {},
): Promise<Billed> {
  const uuid = await createDraft(client, customer, {
    invoice_lines: [line('Kontingent', kroner, 0)],
    ...changes,
  });
  const number = await register(client, uuid);
  const invoice = await client.get(`/api/invoices/${uuid}/`);
  const { customer_identification_number: kid } = invoice.body as {
    customer_identification_number: string;
  };
  return { uuid, number, kid };
}

/** The total credit of the customers of a client's company, in kroner. */
export async function creditOf(db: Db, client: TestClient): Promise<number> {
  const { email } = (await client.get('/api/users/session/')).body as { email: string };
  const { credit } = await db
    .selectFrom('customer')
    .innerJoin('company', 'company.id', 'customer.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select(({ fn }) => fn.sum<number>('customer.credit').as('credit'))
    .where('account.email', '=', email)
    .executeTakeFirstOrThrow();
  return credit / 100;
}
