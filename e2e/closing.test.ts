import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, formatDate, todayInOslo } from '../domain/date.ts';
import { visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import {
  addCustomer,
  addDraft,
  call,
  COMPANY,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = stage(WITH_ALL);

const YEAR = Number(todayInOslo().slice(0, 4));
const DAY = formatDate(addDays(todayInOslo(), 30));

/** A company with one registered invoice and one draft. Returns the number of the invoice. */
async function addCompany(page: Page, email: string): Promise<number> {
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Kari Nordmann');
  const number = await register(page, await addDraft(page, customer));
  await addDraft(page, customer);
  return number;
}

/** Goes from the profile to the closing, and fetches the archive on the way. */
async function fetchArchive(page: Page): Promise<void> {
  await page.goto('/profile/');
  await page.getByRole('link', { name: 'Avslutt bedriften' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Lag arkivet og last det ned' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  await page.getByText(/^Laget .+ Lastet ned .+/).waitFor();
}

async function confirm(page: Page): Promise<void> {
  await page.getByLabel('Organisasjonsnummer').fill(COMPANY.org_number);
  await page.getByRole('button', { name: 'Avslutt bedriften' }).click();
}

// CLO-12, CLO-13, CLO-14, CLO-15
test('an owner closes the company, regrets it, closes it again, and reads the books', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  const email = 'eier@avslutt.no';
  const number = await addCompany(page, email);
  await here.faktur.ask('addMember', email, 'ansatt@avslutt.no');
  const other = await visit(here.browser, here.faktur.url);
  const token = await here.faktur.ask('makeLoginLink', 'ansatt@avslutt.no');
  await call(other.page, 'POST', '/api/users/login/verify/', { token });
  await other.page.goto('/invoices/');
  await other.page.getByRole('cell', { name: 'Kari Nordmann' }).first().waitFor();

  await fetchArchive(page);
  await page.getByRole('radio', { name: `Behold bøkene her til 31.12.${YEAR + 5}` }).waitFor();
  await inspect(page, 'closing');
  await confirm(page);
  const notice = page.getByText(
    `${COMPANY.company_name} er avsluttet. Bøkene kan leses til 31.12.${YEAR + 5}.`,
  );
  await notice.waitFor();
  await page.getByText(`${DAY} slettes utkast`).waitFor();
  await here.faktur.mailbox.take(email, ({ subject }) => subject.includes('er avsluttet'));
  await other.page.goto('/invoices/');
  await other.page.getByRole('heading', { name: 'Ingen bedrift å vise' }).waitFor();
  await other.page.getByRole('button', { name: 'Slett kontoen min' }).waitFor();

  await page.getByRole('link', { name: 'Fakturaer', exact: true }).click();
  await page.getByRole('cell', { name: 'Kari Nordmann' }).first().waitFor();
  await page.getByRole('button', { name: 'Angre' }).click();
  await page.getByText('Bedriften er åpnet igjen!').waitFor();
  await page.getByRole('link', { name: 'Lag ny' }).waitFor();
  await other.page.reload();
  await other.page.getByRole('cell', { name: 'Kari Nordmann' }).first().waitFor();

  // The archive is still good, and a proof is asked for again.
  await here.faktur.ask('endProofs', email);
  await page.goto('/profile/closing/');
  await confirm(page);
  const dialog = page.getByRole('dialog', { name: 'Bekreft at det er deg' });
  await dialog.getByLabel('Kode').fill(await here.faktur.mailbox.takeProofCode(email));
  await notice.waitFor();
  await here.faktur.ask('letDaysPass', email, '30');
  const countInvoices = async () =>
    (await call<{ count: number }>(page, 'GET', '/api/invoices/')).count;
  await expect.poll(countInvoices).toBe(1);
  await page.goto(`/invoices/${number}/`);
  await page.getByRole('heading', { name: `Faktura ${number}` }).waitFor();
  await notice.waitFor();
  expect(await page.getByRole('button', { name: 'Angre' }).count()).toBe(0);
  await inspect(page, 'closed-invoice');
});

// CLO-14, CLO-16
test('an owner deletes everything, and then the account', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  const email = 'alt@avslutt.no';
  await addCompany(page, email);
  await fetchArchive(page);
  await page.getByRole('radio', { name: 'Slett alt' }).check();
  await page.getByLabel(`Jeg oppbevarer arkivet selv til 31.12.${YEAR + 5}`).check();
  await confirm(page);
  await page.getByText(`er avsluttet. Bøkene kan leses til ${DAY}.`).waitFor();
  await page.getByText(`${DAY} slettes alt.`).waitFor();

  await page.goto('/profile/');
  const open = page.getByRole('button', { name: 'Slett kontoen min' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Slette kontoen?' });
  await dialog.getByLabel('E-post').fill(email);
  await dialog.getByRole('button', { name: 'Slett kontoen' }).click();
  await dialog.getByText(`Du er den eneste eieren av ${COMPANY.company_name}.`).waitFor();

  await here.faktur.ask('letDaysPass', email, '30');
  const companyState = async () =>
    (await call<{ company_state: string | null }>(page, 'GET', '/api/users/session/'))
      .company_state;
  await expect.poll(companyState).toBe(null);
  await page.goto('/invoices/');
  await page.getByRole('heading', { name: 'Ingen bedrift å vise' }).waitFor();
  await inspect(page, 'no-company');
  await open.click();
  await dialog.getByLabel('E-post').fill(email);
  await dialog.getByRole('button', { name: 'Slett kontoen' }).click();
  await page.waitForURL('**/auth/login/');
  await page.getByText('Kontoen din er slettet!').waitFor();
  await here.faktur.mailbox.take(email, ({ subject }) => subject === 'Kontoen din er slettet');
  expect((await page.request.get('/api/users/session/')).status()).toBe(401);
});
