import fs from 'node:fs';
import type { LightMyRequestResponse } from 'fastify';

import { toCamelCase, toSnakeCase } from '../domain/api/case.ts';
import type { Endpoint, RequestOf, ResponseOf } from '../domain/api/endpoint.ts';
import { createCustomerGroup } from '../domain/customer-group/customer-group.endpoints.ts';
import { createCustomer } from '../domain/customer/customer.endpoints.ts';
import { addDays, todayInOslo } from '../domain/date.ts';
import { createInvoiceTemplate } from '../domain/invoice-template/invoice-template.endpoints.ts';
import {
  createInvoices,
  deleteInvoice,
  queueInvoices,
  updateInvoice,
} from '../domain/invoice/invoice.endpoints.ts';
import { updateProfile } from '../domain/profile/profile.endpoints.ts';
import { verifyLogin } from '../domain/session/session.endpoints.ts';
import { createApp, createLog, type App } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { makeChallenge } from '../server/session/login.service.ts';

/** Whose company it is. */
export const DEV_EMAIL = 'kari@snekker.example';

/**
 * Makes a data folder with one company that has something of everything, as its owner would: by the
 * calls of the API. Nothing happens where the folder is there; it appears when it is whole.
 */
export async function makeDevData(folder: string): Promise<void> {
  if (fs.existsSync(folder)) return;
  const unfinished = `${folder}.unfinished`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  const config = readConfig({ DATA_DIR: unfinished, LOG_LEVEL: 'warn', PDF_THREADS: '1' });
  const app = await createApp({ config, log: createLog(config), webFolder: null });
  try {
    await fill(await logIn(app));
  } finally {
    await app.close();
  }
  fs.renameSync(unfinished, folder);
}

type Call = <E extends Endpoint>(endpoint: E, request: RequestOf<E>) => Promise<ResponseOf<E>>;

interface LooseRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly body?: unknown;
}

async function logIn({ context, http }: App): Promise<Call> {
  const cookies: Record<string, string> = {};
  const call: Call = async (endpoint, request) => {
    const { params = {}, query = {}, body } = request as LooseRequest;
    const answer: LightMyRequestResponse = await http.inject({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
      query: toSnakeCase(query) as Record<string, string>,
      cookies,
      ...(body !== undefined && { payload: toSnakeCase(body) as object }),
    });
    if (answer.statusCode >= 400) throw new Error(`${endpoint.id}: ${answer.body}`);
    for (const { name, value } of answer.cookies) cookies[name] = value;
    return (answer.body === '' ? undefined : toCamelCase(answer.json())) as never;
  };
  const challenge = await makeChallenge(context, 'register', DEV_EMAIL);
  await call(verifyLogin, { body: { token: challenge?.token ?? '' } });
  return call;
}

const PROFILE = {
  companyName: 'Snekker Andersen AS',
  orgNumber: '123456785',
  vatRegistered: true,
  foretaksregisteret: true,
  email: DEV_EMAIL,
  billingAddress1: 'Storgata 1',
  billingPostalCode: '0155',
  billingCity: 'Oslo',
  bankAccounts: [{ bankAccountNumber: '12341112344', isPrimary: true }],
};

const CUSTOMERS = [
  { name: 'Ørsta Båt AS', email: 'post@orstabat.example', orgNumber: '974760673', city: 'Ørsta' },
  { name: 'Bjørkely Borettslag', email: 'styret@bjorkely.example', city: 'Bergen' },
  { name: 'Åse Nilsen', email: 'ase@nilsen.example', phoneNumber: '98765432', city: 'Tromsø' },
  { name: 'Fjordgløtt Kafé', city: 'Molde' },
];

const HOURS = line('Snekkerarbeid, timer', 850, 8);
const TRIP = line('Kjøring', 350, 1);

function line(description: string, netUnitAmount: number, invoicedQuantity: number) {
  return { description, netUnitAmount, invoicedQuantity, vatRatePercentage: 25 as const };
}

async function fill(call: Call): Promise<void> {
  await call(updateProfile, { body: PROFILE });
  const numbers: number[] = [];
  for (const customer of CUSTOMERS) {
    const { customerNumber } = await call(createCustomer, { body: customer });
    numbers.push(customerNumber);
  }
  await call(createCustomerGroup, { body: { groupName: 'Faste kunder', customers: numbers } });
  await call(createInvoiceTemplate, {
    body: { name: 'Befaring', deliveryType: 'EMAIL', dueDays: 14, lines: [TRIP] },
  });
  const [boat = 1, housing = 2, person = 3, cafe = 4] = numbers;
  await invoice(call, { to: boat, daysAgo: 60, status: 'PAID' });
  await invoice(call, { to: housing, daysAgo: 40, status: 'REGISTERED' });
  await invoice(call, { to: person, daysAgo: 20, status: 'CANCELLED' });
  await invoice(call, { to: boat, daysAgo: 2, status: 'REGISTERED' });
  await invoice(call, { to: person, daysAgo: 0, status: 'DRAFT' });
  await invoice(call, { to: cafe, daysAgo: 0, status: 'DRAFT' });
}

interface Wanted {
  readonly to: number;
  readonly daysAgo: number;
  readonly status: 'DRAFT' | 'REGISTERED' | 'PAID' | 'CANCELLED';
}

async function invoice(call: Call, { to, daysAgo, status }: Wanted): Promise<void> {
  const [draft] = await call(createInvoices, {
    body: {
      customerNumbers: [to],
      // Nothing is mailed by a company that was made to be looked at.
      deliveryType: 'NONE',
      issueDate: addDays(todayInOslo(), -daysAgo),
      dueDays: 14,
      invoiceLines: [HOURS, TRIP],
    },
  });
  if (!draft) throw new Error('No draft was made');
  const { uuid } = draft;
  if (status === 'DRAFT') return;
  await call(queueInvoices, { query: { invoiceUuid: uuid }, body: undefined });
  if (status === 'PAID')
    await call(updateInvoice, { params: { invoiceUuid: uuid }, body: { status } });
  if (status === 'CANCELLED')
    await call(deleteInvoice, { params: { invoiceStr: uuid }, query: {} });
}
