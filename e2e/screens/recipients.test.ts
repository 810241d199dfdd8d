import { expect, test } from 'vitest';

import {
  createCustomer,
  getCustomerGroup,
  searchCustomers,
} from '../../domain/customer/customer.endpoints.ts';
import { getInvoiceTemplate } from '../../domain/invoice-template/invoice-template.endpoints.ts';
import { createInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import { AppError } from '../../server/errors.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { customerOf } from '../support/usual-answers.ts';

const here = screens();

test('a customer is created on the invoice form, and a chosen recipient is removed', async () => {
  const { page, api, company, complaints } = await here.open('/invoices/create/');
  // INV-40: the form of the first customer is open; the search is behind 'Avbryt'.
  const first = page.getByRole('region', { name: 'Ny kunde' });
  await expect
    .poll(async () => first.getByLabel('Navn').evaluate((one) => one === document.activeElement))
    .toBe(true);
  await first.getByRole('button', { name: 'Avbryt' }).click();
  await page.getByText('Du har ingen kunder ennå').waitFor();
  await page.getByRole('tab', { name: 'Grupper' }).click();
  await page.getByText('Du har ingen grupper ennå').waitFor();
  await page.getByPlaceholder('Søk etter gruppe').fill('Styret');
  await page.getByText('Ingen treff').waitFor();
  company.customers = [customerOf(1, { name: 'Nordnes Kaffebar' })];

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
  const made = Promise.withResolvers<void>();
  api.answer(createCustomer, async ({ body }) => {
    await made.promise;
    const kari = customerOf(2, { name: body.name });
    company.customers = [...company.customers, kari];
    return kari;
  });
  await inline.getByRole('button', { name: /Opprett|Lagre|Legg til/ }).click();
  await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).click();
  await page.getByText('Legg til kunde først').waitFor();
  made.resolve();
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
  expect(api.asked(createInvoices)).toMatchObject([
    { body: { customerNumbers: [2], invoiceLines: [{ netUnitAmount: 100 }] } },
  ]);
  expect(complaints).toEqual([]);
});

// INV-7, WEB-16
test('a company outside the VAT register starts at 0 %, and a line with VAT shows a warning', async () => {
  const { page, api } = await here.open('/invoices/create/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: ({ company }) => {
      company.profile = { ...company.profile, vatRegistered: false };
    },
  });
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  const vat = line.getByLabel('Mva.', { exact: true });
  await expect.poll(async () => vat.inputValue()).toBe('0');
  await line.getByLabel('Beskrivelse').fill('Klipp');
  // VAT-13
  await line.getByLabel('Pris', { exact: true }).fill('450');
  expect(await page.getByText('Sum uten mva.').count()).toBe(0);
  const warning = page.getByText(/ikke registrert i Merverdiavgiftsregisteret/i);
  expect(await warning.count()).toBe(0);
  await vat.selectOption('25');
  await warning.waitFor();
  await inspect(page, 'invoice-create-vat-warning');
  // The warning does not prevent saving.
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  expect(api.asked(createInvoices)).toMatchObject([
    { body: { invoiceLines: [{ netUnitAmount: 450, vatRatePercentage: 25 }] } },
  ]);

  const line25 = { description: 'Klipp', netUnitAmount: 450, vatRatePercentage: 25 } as const;
  api.answer(getInvoiceTemplate, () => ({
    id: 1,
    name: 'Klipp',
    deliveryType: 'EMAIL' as const,
    dueDays: 14,
    lines: [{ id: 1, invoicedQuantity: 1, ...line25 }],
    version: 1,
  }));
  await page.goto('/invoices/templates/1/edit/');
  await warning.waitFor();
  await inspect(page, 'template-edit-vat-warning');
  await vat.selectOption('0');
  await warning.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Legg til linje' }).click();
  const second = page.getByRole('listitem', { name: 'Linje 2' });
  expect(await second.getByLabel('Mva.', { exact: true }).inputValue()).toBe('0');
});

test('a failed search shows an error and can be retried', async () => {
  let isFailing = true;
  const { page, company } = await here.open('/invoices/create/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: (screen) =>
      screen.api.answer(searchCustomers, () => {
        // Only a 404 is not retried automatically.
        if (isFailing) throw new AppError('not_found');
        return company.customers;
      }),
  });
  await page.getByText('Innholdet kunne ikke hentes.').waitFor();
  await inspect(page, 'invoice-create-search-error');
  isFailing = false;
  await page.getByRole('button', { name: 'Prøv igjen' }).click();
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  expect(await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).count()).toBe(1);
});

test('a group that cannot be fetched is not left out of its invoice without a word', async () => {
  const uuid = crypto.randomUUID();
  let isFailing = true;
  const { page, company } = await here.open(`/invoices/create/?group=${uuid}`, {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: (screen) =>
      screen.api.answer(getCustomerGroup, () => {
        // A 403 is not retried automatically.
        if (isFailing) throw new AppError('not_staff');
        const { customers } = company;
        return { uuid, groupName: 'Husleie', customerCount: 1, customers, version: 1 };
      }),
  });
  await page.getByText('Innholdet kunne ikke hentes.').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).count()).toBe(0);
  isFailing = false;
  await page.getByRole('button', { name: 'Prøv igjen' }).click();
  await page.getByText('Husleie (1 kunde)').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).isDisabled()).toBe(false);
});
