import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { addCustomer, addDraft, call, COMPANY, register, createAccount } from './support/person.ts';

const here = stage();

const DEFAULT = 'Takk for handelen!\n\nHilsen Fjordlys';

interface Stored {
  readonly uuid: string;
  readonly customer_name: string;
  readonly reference: string | null;
  readonly message: string | null;
  readonly due_days: number;
  readonly gross_amount: number;
  readonly version: number;
}

const read = async (page: Page, uuid: string) =>
  call<Stored>(page, 'GET', `/api/invoices/${uuid}/`);
const message = (page: Page) => page.getByLabel('Melding til kunden');
const reference = (page: Page) => page.getByLabel('Referanse');

// INV-39, INV-41
test('a draft is changed, and a registered invoice is copied', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'utkast@fjordlys.no');
  await call(page, 'POST', '/api/users/update/', COMPANY);
  const { customer_number } = await addCustomer(page, 'Nordnes Kaffebar');
  await addCustomer(page, 'Bryggen Bakeri', { email: 'post@bryggen.example' });

  // The default message to customers.
  await page.goto('/profile/');
  await message(page).fill(DEFAULT);
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  await inspect(page, 'profile-message');

  const { uuid } = await addDraft(page, customer_number);
  await follow(page, `/invoices/${uuid}/`);
  await page.getByRole('link', { name: 'Endre' }).click();
  await page.getByRole('heading', { name: 'Endre faktura' }).waitFor();
  await page.getByRole('navigation', { name: /sti/i }).getByText('Endre').waitFor();
  expect(await message(page).inputValue()).toBe(DEFAULT);
  await page
    .getByRole('list', { name: 'Valgte mottakere' })
    .getByText('Nordnes Kaffebar')
    .waitFor();

  // Replace the customer by keyboard.
  await page.getByRole('button', { name: 'Bytt kunde' }).press('Enter');
  await page.getByRole('option', { name: /Bryggen Bakeri/ }).waitFor();
  await page.getByLabel('Søk etter kunde').press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('list', { name: 'Valgte mottakere' }).textContent()).not.toContain(
    'Nordnes',
  );
  await reference(page).fill('Kari Nordmann');
  await message(page).fill('Hei Kari!\nTakk for sist.');
  await page.getByRole('listitem', { name: 'Linje 1' }).getByLabel('Antall').fill('3');
  await inspect(page, 'draft-edit');
  await page.getByRole('button', { name: 'Lagre' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Faktura oppdatert!').waitFor();
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await page.getByText('Takk for sist.').waitFor();
  await page.getByText('Endret', { exact: true }).waitFor();
  await inspect(page, 'draft-with-message');
  expect(await read(page, uuid)).toMatchObject({
    customer_name: 'Bryggen Bakeri',
    reference: 'Kari Nordmann',
    message: 'Hei Kari!\nTakk for sist.',
    gross_amount: 3750,
    version: 2,
  });

  // A registered invoice cannot be changed, but it can be copied. The copy exists only after it is saved.
  await register(page, { uuid, invoice_number: null });
  await page.goto(`/invoices/${uuid}/`);
  await page.getByRole('heading', { name: 'Faktura 1' }).waitFor();
  expect(await page.getByRole('link', { name: 'Endre' }).count()).toBe(0);
  await follow(page, `/invoices/${uuid}/edit/`);
  await page.getByText('Bare utkast kan endres.').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Vis fakturaen' }).click();
  await page.getByRole('link', { name: 'Kopier' }).click();
  await page.getByRole('heading', { name: 'Ny faktura' }).waitFor();
  await page.getByRole('list', { name: 'Valgte mottakere' }).getByText('Bryggen Bakeri').waitFor();
  expect(await reference(page).inputValue()).toBe('Kari Nordmann');
  expect(await message(page).inputValue()).toBe('Hei Kari!\nTakk for sist.');
  await inspect(page, 'invoice-copy');
  const count = async () => (await call<{ count: number }>(page, 'GET', '/api/invoices/')).count;
  expect(await count()).toBe(1);
  // Leaving an unchanged copy asks no question.
  await page.getByRole('link', { name: 'Fakturaer', exact: true }).click();
  await page.waitForURL('**/invoices/');
  await page.goBack();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  expect(await count()).toBe(2);
  expect(complaints).toEqual([]);
});

test('a concurrent change loses no typed input', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'samtidig@fjordlys.no');
  await call(page, 'POST', '/api/users/update/', COMPANY);
  const { customer_number } = await addCustomer(page, 'Nordnes Kaffebar');
  const draft = await addDraft(page, customer_number);
  const { uuid } = draft;
  await page.goto(`/invoices/${uuid}/edit/`);
  await page.getByRole('button', { name: 'Flere valg' }).click();
  await reference(page).fill('Det jeg skrev');

  const now = await read(page, uuid);
  await call(page, 'PUT', `/api/invoices/${uuid}/`, {
    ...now,
    customer_number,
    invoice_lines: [
      {
        invoiced_quantity: 2,
        description: 'Maling',
        net_unit_amount: 500,
        vat_rate_percentage: 25,
      },
    ],
    due_days: 30,
  });
  await page.getByRole('button', { name: 'Lagre' }).click();
  const notice = page.getByText('Noen har endret dette mens du skrev');
  await notice.waitFor();
  await inspect(page, 'draft-changed-elsewhere');
  expect(await reference(page).inputValue()).toBe('Det jeg skrev');
  await page.getByRole('button', { name: 'Behold det jeg skrev' }).click();
  await notice.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Dager til forfall').inputValue()).toBe('30');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura oppdatert!').waitFor();
  expect(await read(page, uuid)).toMatchObject({
    due_days: 30,
    reference: 'Det jeg skrev',
    version: 3,
  });

  // The draft is registered while the user types.
  await page.getByRole('link', { name: 'Endre' }).click();
  await message(page).fill('Skal ikke gå tapt');
  await register(page, draft);
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Fakturaen ble registrert mens du skrev').waitFor();
  await inspect(page, 'draft-registered-elsewhere');
  expect(await message(page).inputValue()).toBe('Skal ikke gå tapt');
  expect(complaints).toEqual([]);
});

test('a form says that its draft or customer was deleted while the user typed', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'slettet@fjordlys.no');
  await call(page, 'POST', '/api/users/update/', COMPANY);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const { uuid } = await addDraft(page, customer);
  const notice = page.getByText('Dette ble slettet mens du skrev');
  await page.goto(`/invoices/${uuid}/edit/`);
  const description = page.getByLabel('Beskrivelse');
  await description.fill('Skrevet forgjeves');
  await call(page, 'DELETE', `/api/invoices/${uuid}/`);
  await page.getByRole('button', { name: 'Lagre' }).click();
  await notice.waitFor();
  await expect.poll(async () => page.locator(':focus').textContent()).toContain('slettet');
  expect(await description.inputValue()).toBe('Skrevet forgjeves');
  await inspect(page, 'draft-edit-deleted');

  await page.goto(`/customers/${customer}/edit/`);
  await page.getByLabel('Navn').fill('Nordnes Bar');
  await call(page, 'DELETE', `/api/customers/${customer}/`);
  await page.getByRole('button', { name: 'Lagre' }).click();
  await notice.waitFor();
});
