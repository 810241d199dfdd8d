import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITHOUT } from './support/faktur.ts';
import { addCustomer, call, COMPANY, completeProfile, createAccount } from './support/person.ts';

const here = stage();
// With `vat` the form of a company outside of the VAT register offers no line with VAT.
const withoutVat = stage(WITHOUT);

interface Listed {
  readonly results: readonly { customer_name: string; gross_amount: number }[];
}

test('a customer is created on the invoice form, and a chosen recipient is removed', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'mottakere@fjordlys.no');
  await completeProfile(page);
  await page.goto('/invoices/create/');
  await page.getByText('Du har ingen kunder ennå').waitFor();
  await page.getByRole('tab', { name: 'Grupper' }).click();
  await page.getByText('Du har ingen grupper ennå').waitFor();
  await page.getByPlaceholder('Søk etter gruppe').fill('Styret');
  await page.getByText('Ingen treff').waitFor();
  await addCustomer(page, 'Nordnes Kaffebar');

  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Skrevet først');
  await line.getByLabel('Pris eks. mva.').fill('100');

  await page.getByRole('button', { name: 'Legg til flere' }).click();
  await page.getByPlaceholder('Søk etter kunde').fill('Kari på hjørnet');
  await page.getByText('Ingen treff').waitFor();
  await page.getByRole('button', { name: 'Ny kunde' }).click();
  const inline = page.getByRole('region', { name: 'Ny kunde' });
  const name = inline.getByLabel('Navn');
  expect(await name.inputValue()).toBe('Kari på hjørnet');
  await name.fill('');
  await inline.getByRole('button', { name: /Opprett|Lagre|Legg til/ }).click();
  await inline.getByText('name is a required field').waitFor();
  await inspect(page, 'invoice-create-new-customer');
  await name.fill('Kari på hjørnet');
  // Optional fields are collapsed, but never while one has an error.
  const more = inline.getByRole('button', { name: 'Flere opplysninger' });
  await more.click();
  const phone = inline.getByLabel('Telefonnummer');
  await phone.fill('5555');
  await expect.poll(async () => phone.getAttribute('aria-invalid')).toBe('true');
  await more.click();
  expect(await phone.isVisible()).toBe(true);
  await phone.fill('');
  // A recipient removed during the save stays removed.
  const made = Promise.withResolvers<undefined>();
  await page.route('**/api/customers/create/', async (route) => {
    await made.promise;
    await route.continue();
  });
  await inline.getByRole('button', { name: /Opprett|Lagre|Legg til/ }).click();
  await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).click();
  await page.getByText('Legg til kunde først').waitFor();
  made.resolve(undefined);
  const chosen = page.getByRole('list', { name: 'Valgte mottakere' });
  await chosen.getByText('Kari på hjørnet').waitFor();
  await inline.waitFor({ state: 'hidden' });
  expect(await chosen.getByText('Nordnes Kaffebar').count()).toBe(0);
  // The form keeps the typed input of the invoice.
  expect(await line.getByLabel('Beskrivelse').inputValue()).toBe('Skrevet først');

  await page.getByRole('button', { name: 'Fjern Kari på hjørnet' }).click();
  await page.getByText('Legg til kunde først').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Missing customerNumbers').waitFor();
  await page.getByRole('option', { name: /Kari på hjørnet/ }).click();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  const { results } = await call<Listed>(page, 'GET', '/api/invoices/');
  expect(results).toMatchObject([{ customer_name: 'Kari på hjørnet', gross_amount: 125 }]);
  expect(complaints).toEqual([]);
});

test('a company outside the VAT register starts at 0 %, and a line with VAT shows a warning', async () => {
  const { page } = await visit(withoutVat.browser, withoutVat.faktur.url);
  await createAccount(page, withoutVat.faktur, 'uten-mva@fjordlys.no');
  await call(page, 'POST', '/api/users/update/', { ...COMPANY, vat_registered: false });
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  const vat = line.getByLabel('Mva.', { exact: true });
  await expect.poll(async () => vat.inputValue()).toBe('0');
  await line.getByLabel('Beskrivelse').fill('Klipp');
  await line.getByLabel('Pris eks. mva.').fill('450');
  const warning = page.getByText(/ikke registrert i Merverdiavgiftsregisteret/i);
  expect(await warning.count()).toBe(0);
  await vat.selectOption('25');
  await warning.waitFor();
  await inspect(page, 'invoice-create-vat-warning');
  // The warning does not prevent saving.
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();

  const { id } = await call<{ id: number }>(page, 'POST', '/api/invoices/template/create/', {
    name: 'Klipp',
    delivery_type: 'EMAIL',
    due_days: 14,
    lines: [
      { description: 'Klipp', invoiced_quantity: 1, net_unit_amount: 450, vat_rate_percentage: 25 },
    ],
  });
  await page.goto(`/invoices/templates/${id}/edit/`);
  await warning.waitFor();
  await inspect(page, 'template-edit-vat-warning');
  await vat.selectOption('0');
  await warning.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Legg til linje' }).click();
  const second = page.getByRole('listitem', { name: 'Linje 2' });
  expect(await second.getByLabel('Mva.', { exact: true }).inputValue()).toBe('0');
});
