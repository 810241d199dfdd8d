import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage();

/** A new user opens an invoice that was mailed to an address without a mailbox. */
async function seeRefused(email: string) {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, email);
  await completeProfile(page);
  const customer = await addCustomer(page, 'Nordnes Kaffebar', { email: 'ukjent@nordnes.no' });
  const draft = await addDraft(page, customer.customer_number, { delivery_type: 'EMAIL' });
  await register(page, draft);
  await page.goto(`/invoices/${draft.uuid}/`);
  await page.getByText(/E-postadressen finnes ikke/).waitFor();
  return { page, complaints, customer, draft };
}

// DEL-18, DEL-21
test('an undelivered invoice is named on the list, and sent again to a corrected address', async () => {
  const { faktur } = here;
  const { page, complaints, customer } = await seeRefused('feilet@fjordlys.no');
  await inspect(page, 'invoice-failed');
  await page.goto('/invoices/');
  await page.getByRole('link', { name: '1 faktura kom ikke fram' }).waitFor();
  await inspect(page, 'invoices-not-arrived');
  await page.getByRole('link', { name: '1 faktura kom ikke fram' }).click();
  await expect.poll(async () => page.getByLabel('Status').inputValue()).toBe('FAILED');
  await page.goto('/invoices/1/');
  await page.getByRole('button', { name: 'Send på nytt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send på nytt' });
  await dialog.getByText('Kom ikke fram til ukjent@nordnes.no.').waitFor();
  const address = dialog.getByLabel('Ny adresse');
  await expect
    .poll(async () => address.evaluate((field) => field === document.activeElement))
    .toBe(true);
  await page.keyboard.press('Enter');
  await dialog.getByText('Skriv en annen adresse').waitFor();
  await inspect(page, 'invoice-new-address');
  await address.fill('faktura@nordnes.no');
  await dialog.getByRole('button', { name: 'Lagre hos kunden og send' }).click();
  await page.getByText('Faktura lagt til utsending').waitFor();
  expect(await call(page, 'GET', `/api/customers/${customer.customer_number}/`)).toMatchObject({
    email: 'faktura@nordnes.no',
  });
  const mail = await faktur.mailbox.take('faktura@nordnes.no');
  expect(mail.subject).toContain('Faktura 1');
  await page.getByText(/^Til faktura@nordnes\.no/).waitFor();
  expect(await page.getByRole('button', { name: 'Send på nytt' }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

// INV-39
test('an invoice for delivery by hand is sent to a typed address', async () => {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'siri@fjordlys.no');
  await completeProfile(page);
  const customer = await addCustomer(page, 'Nordnes Kaffebar', { email: 'gammel@nordnes.no' });
  const draft = await addDraft(page, customer.customer_number, { delivery_type: 'NONE' });
  await page.goto(`/invoices/${draft.uuid}/`);
  await page.getByText('Ikke registrert ennå').waitFor();
  const send = page.getByRole('button', { name: 'Send på e-post' });
  expect(await send.count()).toBe(0);
  await register(page, draft);
  await page.reload();
  await page.getByText('Ingen leveringsmetode er valgt').waitFor();
  await inspect(page, 'invoice-given-by-hand');
  await send.click();
  const address = page.getByRole('textbox', { name: 'E-post' });
  await address.waitFor();
  expect(await address.inputValue()).toBe('gammel@nordnes.no');
  await address.fill('kasse@nordnes');
  const confirm = page.getByRole('button', { name: 'Send', exact: true });
  await confirm.click();
  await page.getByText('Skriv en e-postadresse, for eksempel').waitFor();
  await inspect(page, 'send-by-email');
  await address.fill('kasse@nordnes.no');
  await confirm.click();
  const { subject, attachments } = await faktur.mailbox.take('kasse@nordnes.no');
  expect(subject).toContain('Faktura 1');
  expect(attachments).toHaveLength(1);
  await page.getByText(/^Til kasse@nordnes\.no/).waitFor();
  await page.getByText('Sendt', { exact: true }).waitFor();
  await send.waitFor();
  expect(complaints).toEqual([]);
});

test('an invoice of a deleted customer is not sent to a new customer with the same number', async () => {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'liv@fjordlys.no');
  await completeProfile(page);
  const { customer_number: number } = await addCustomer(page, 'Nordnes Kaffebar');
  const draft = await addDraft(page, number, { delivery_type: 'NONE' });
  await register(page, draft);
  await call(page, 'DELETE', `/api/customers/${number}/`);
  await call(page, 'POST', '/api/customers/create/', {
    name: 'En annen',
    email: 'en.annen@example.no',
    customer_number: number,
  });
  await page.goto(`/invoices/${draft.uuid}/`);
  await page.getByText('Nordnes Kaffebar').first().waitFor();
  expect(await page.getByRole('link', { name: 'Nordnes Kaffebar' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Send på e-post' }).click();
  const address = page.getByRole('textbox', { name: 'E-post' });
  await address.waitFor();
  expect(await address.inputValue()).toBe('');
  await address.fill('kasse@nordnes.no');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  expect((await faktur.mailbox.take('kasse@nordnes.no')).subject).toContain('Faktura 1');
  expect(complaints).toEqual([]);
});

test('an invoice credited before it was sent says so, and only its credit note can be sent', async () => {
  const { faktur } = here;
  const { page, complaints, customer, draft } = await seeRefused('kreditert@fjordlys.no');
  await call(page, 'DELETE', `/api/invoices/${draft.uuid}/`);
  await page.reload();
  await page.getByText('Kansellert med').waitFor();
  expect(await page.getByRole('button', { name: 'Send på nytt' }).count()).toBe(0);

  await page.getByRole('link', { name: 'kreditnota 2' }).click();
  await page.getByText('Ikke sendt: kreditert før utsending').waitFor();
  await page.getByText('Ikke sendt', { exact: true }).waitFor();
  await inspect(page, 'credit-note-unsent');
  await call(page, 'PUT', `/api/customers/${customer.customer_number}/update/`, {
    name: 'Nordnes Kaffebar',
    email: 'post@nordnes.no',
  });
  await page.getByRole('button', { name: 'Send likevel' }).click();
  const mail = await faktur.mailbox.take('post@nordnes.no');
  expect(mail.subject).toContain('Kreditnota 2');
  expect(complaints).toEqual([]);
});

test('an address that refuses the mail is named beside those that got it', async () => {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'flere-adresser@fjordlys.no');
  await completeProfile(page);
  const customer = await addCustomer(page, 'Nordnes Kaffebar', {
    invoice_emails: ['regnskap@nordnes.no', 'ukjent@nordnes.no', 'sjef@nordnes.no'],
  });
  const draft = await addDraft(page, customer.customer_number, { delivery_type: 'EMAIL' });
  await register(page, draft);
  expect((await faktur.mailbox.take('sjef@nordnes.no')).subject).toContain('Faktura 1');
  await page.goto(`/invoices/${draft.uuid}/`);
  await page.getByText(/^Til regnskap@nordnes.no og sjef@nordnes.no/).waitFor();
  await page.getByText('Ikke levert til ukjent@nordnes.no').waitFor();
  await page.getByText(/E-postadressen finnes ikke/).waitFor();
  await inspect(page, 'invoice-sent-to-several');
  expect(complaints).toEqual([]);
});
