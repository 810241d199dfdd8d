import { todayInOslo } from '../../domain/date.ts';
import type { Answer, TestClient } from './client.ts';

/** A complete profile, as a request body. */
export const PROFILE = {
  company_name: 'Snekker Andersen AS',
  org_number: '123456785',
  vat_registered: true,
  foretaksregisteret: true,
  email: 'post@snekker.example',
  billing_address1: 'Storgata 1',
  billing_postal_code: '0155',
  billing_city: 'Oslo',
  bank_accounts: [{ bank_account_number: '12341112344', is_primary: true }],
};

export const CUSTOMER = {
  name: 'Ørsta Båt AS',
  email: 'kunde@example.no',
  org_number: '974760673',
  address1: 'Kaia 2',
  postal_code: '6150',
  city: 'Ørsta',
};

/** Three lines at 25, 15 and 0 %: 143.43 without VAT, 30.03 VAT, 173.46 to pay. */
export const LINES = [line('Reparasjon', 100.1, 25), line('Mat', 33.33, 15), line('Frakt', 10, 0)];

/** An invoice line as part of a request body; the price in kroner. */
export function line(description: string, price: number, vatRate: 0 | 15 | 25, quantity = 1) {
  return {
    invoiced_quantity: quantity,
    description,
    net_unit_amount: price,
    vat_rate_percentage: vatRate,
  };
}

export async function completeProfile(client: TestClient, changes: object = {}): Promise<void> {
  expectStatus(await client.post('/api/users/update/', { ...PROFILE, ...changes }), 200);
}

/** Adds a customer and returns its number. */
export async function createCustomer(client: TestClient, changes: object = {}): Promise<number> {
  const answer = await client.post('/api/customers/create/', { ...CUSTOMER, ...changes });
  expectStatus(answer, 201);
  return (answer.body as { customer_number: number }).customer_number;
}

/** Adds a group of these customers and returns its uuid. */
export async function createGroup(client: TestClient, customers: number[]): Promise<string> {
  const answer = await client.post('/api/customers/groups/create/', {
    group_name: 'Medlemmer',
    customers,
  });
  expectStatus(answer, 201);
  return (answer.body as { uuid: string }).uuid;
}

/** Adds a template with three lines and returns its id. */
export async function createTemplate(client: TestClient, changes: object = {}): Promise<number> {
  const answer = await client.post('/api/invoices/template/create/', {
    name: 'Kontingent',
    delivery_type: 'NONE',
    due_days: 30,
    lines: LINES,
    ...changes,
  });
  expectStatus(answer, 201);
  return (answer.body as { id: number }).id;
}

/** The request body that creates invoices. */
export function invoiceBody(customerNumbers: number[], changes: object = {}) {
  return {
    customer_numbers: customerNumbers,
    delivery_type: 'NONE',
    issue_date: todayInOslo(),
    due_days: 14,
    invoice_lines: LINES,
    ...changes,
  };
}

/** Makes a draft for a customer and returns its uuid. */
export async function createDraft(
  client: TestClient,
  customerNumber: number,
  changes: object = {},
): Promise<string> {
  const answer = await client.post('/api/invoices/create/', invoiceBody([customerNumber], changes));
  expectStatus(answer, 201);
  const [draft] = answer.body as { uuid: string }[];
  if (!draft) throw new Error('No draft was made');
  return draft.uuid;
}

/** Registers a draft and returns its number. */
export async function register(client: TestClient, uuid: string): Promise<number> {
  const answer = await client.post(`/api/invoices/queue/?invoice_uuid=${uuid}`);
  expectStatus(answer, 200);
  const [registered] = (answer.body as { registered: { invoice_number: number }[] }).registered;
  if (!registered) throw new Error('Nothing was registered');
  return registered.invoice_number;
}

/** Fails at once when a set-up call is refused, instead of at a later line. */
function expectStatus(answer: Answer, status: number): void {
  if (answer.status !== status) throw new Error(`Set-up got ${answer.status}: ${answer.text}`);
}

/** The API's response for a standing assignment, as far as tests read it. */
export interface AssignmentAnswer {
  readonly uuid: string;
  readonly version: number;
  readonly state: string;
  readonly next_date: string | null;
  readonly waiting_reason: string | null;
}

/** The request body of a standing assignment: rent on the first of each month, as drafts. */
export function assignmentBody(changes: object = {}) {
  return {
    name: 'Husleie',
    delivery_type: 'NONE',
    due_days: 14,
    invoice_lines: [line('Husleie {periode}', 9000, 0)],
    interval: { unit: 'MONTH', count: 1 },
    day: 1,
    first_date: todayInOslo(),
    ...changes,
  };
}

/** Adds a standing assignment. */
export async function addAssignment(
  client: TestClient,
  changes: object,
): Promise<AssignmentAnswer> {
  const answer = await client.post('/api/invoices/recurring/create/', assignmentBody(changes));
  if (answer.status !== 201) throw new Error(`Set-up got ${answer.status}: ${answer.text}`);
  return answer.body as AssignmentAnswer;
}

export interface QuoteAnswer {
  readonly uuid: string;
  readonly version: number;
  readonly lines: readonly { readonly id: number }[];
}

/** A quote of an hour that costs 1,000 kroner and VAT. */
export function quoteBody(customerNumber: number, changes: object = {}) {
  return {
    customer_number: customerNumber,
    price_kind: 'FIXED',
    valid_until: '2099-12-31',
    lines: [line('Arbeid', 1000, 25)],
    ...changes,
  };
}

/** Adds the draft of a quote. */
export async function addQuote(
  client: TestClient,
  customerNumber: number,
  changes: object = {},
): Promise<QuoteAnswer> {
  const answer = await client.post('/api/quotes/create/', quoteBody(customerNumber, changes));
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as QuoteAnswer;
}
