import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { todayInOslo } from '../../domain/date.ts';
import type { Faktur } from './faktur.ts';

/** Signs up on the screen with the code from the mail. Ends on the invoice list. */
export async function signUp(page: Page, faktur: Faktur, email: string): Promise<void> {
  await page.goto('/auth/signup/');
  await page.getByLabel('E-post').fill(email);
  await page.getByRole('button', { name: 'Registrer deg' }).click();
  await page.waitForURL('**/auth/magic-link/');
  await page.getByLabel('Kode').fill(await faktur.mailbox.takeCode(email));
  await page.waitForURL('**/invoices/');
  // The address changes before the code of the screen is loaded.
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
}

/**
 * Creates an account by a login link, and gives the browser its session. The page stays blank. For journeys that are
 * not about signing up: loading the screens for that takes a second of a processor, and a mail a fifth.
 */
export async function createAccount(page: Page, faktur: Faktur, email: string): Promise<void> {
  const token = await faktur.ask('makeLoginLink', email);
  const { is_profile_completed: isOld } = await call<{ is_profile_completed: boolean }>(
    page,
    'POST',
    '/api/users/login/verify/',
    { token },
  );
  if (isOld) throw new Error(`Another test has the account ${email}`);
}

export const COMPANY = {
  company_name: 'Fjordlys Snekkeri AS',
  org_number: '123456785',
  vat_registered: true,
  foretaksregisteret: true,
  email: 'post@fjordlys.no',
  billing_address1: 'Strandgata 12',
  billing_postal_code: '5003',
  billing_city: 'Bergen',
  bank_accounts: [{ bank_account_number: '86011117947', is_primary: true }],
} as const;

/** Calls the API with the page's session, to prepare data for a test. */
export async function call<T>(page: Page, method: string, path: string, data?: object): Promise<T> {
  const response = await page.request.fetch(path, { method, data });
  if (!response.ok()) throw new Error(`${method} ${path}: ${await response.text()}`);
  return (response.status() === 204 ? undefined : await response.json()) as T;
}

export async function completeProfile(page: Page): Promise<void> {
  await call(page, 'POST', '/api/users/update/', COMPANY);
}

export async function addCustomer(
  page: Page,
  name: string,
  fields: object = {},
): Promise<{ customer_number: number }> {
  return call(page, 'POST', '/api/customers/create/', { name, ...fields });
}

interface StoredInvoice {
  readonly uuid: string;
  readonly invoice_number: number | null;
}

/** One draft with one line of 1 000 kroner and 25 %. */
export async function addDraft(
  page: Page,
  customerNumber: number,
  fields: object = {},
): Promise<StoredInvoice> {
  const [draft] = await call<StoredInvoice[]>(page, 'POST', '/api/invoices/create/', {
    customer_numbers: [customerNumber],
    delivery_type: 'NONE',
    issue_date: todayInOslo(),
    due_days: 14,
    invoice_lines: [
      {
        invoiced_quantity: 1,
        description: 'Konsulenttime',
        net_unit_amount: 1000,
        vat_rate_percentage: 25,
      },
    ],
    ...fields,
  });
  if (!draft) throw new Error('No draft was made');
  return draft;
}

/** Registers a draft. Returns its number. */
export async function register(page: Page, draft: StoredInvoice): Promise<number> {
  const { registered } = await call<{ registered: { invoice_number: number }[] }>(
    page,
    'POST',
    `/api/invoices/queue/?invoice_uuid=${draft.uuid}`,
  );
  return registered[0]?.invoice_number ?? 0;
}

/** Opens an invoice's PDF in a new tab, as the link on its screen does, and closes the tab. */
export async function openPdf(
  page: Page,
  press = async (link: Locator): Promise<void> => link.click(),
): Promise<void> {
  const context = page.context();
  // Check the response, because a headless browser does not show PDFs.
  const [tab, answer] = await Promise.all([
    page.waitForEvent('popup'),
    context.waitForEvent('response', (response) => response.url().endsWith('/pdf/')),
    press(page.getByRole('link', { name: 'Vis PDF' })),
  ]);
  const file = await page.request.get(answer.url());
  expect([answer.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await tab.close();
}

/** Chooses a customer as a recipient of an invoice or an assignment. */
export async function choose(page: Page, name: string): Promise<void> {
  const customer = page.getByRole('option', { name: new RegExp(`^${name}`) });
  const others = page.getByRole('button', { name: 'Legg til flere' });
  await customer.or(others).first().waitFor();
  if (await others.isVisible()) await others.click();
  await customer.click();
  await page.getByRole('listitem').filter({ hasText: name }).first().waitFor();
}
