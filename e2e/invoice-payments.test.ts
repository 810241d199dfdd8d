import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, formatDate, todayInOslo } from '../domain/date.ts';
import { ocrFile } from '../server/testing/bank-files/ocr-file.ts';
import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage(WITH_ALL);

/** A user with a customer and invoices of 1 250 kroner to it. */
async function enterWithInvoices(email: string, count: number) {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  for (let made = 0; made < count; made++) await register(page, await addDraft(page, customer));
  return { page, complaints, customer };
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Registrer betaling' });
const cardOf = (page: Page, name: string) => page.getByRole('region', { name });

async function amountIn(dialog: Locator): Promise<string> {
  return (await dialog.getByLabel('Beløp').inputValue()).replaceAll(/\s/g, ' ');
}

// CUS-8, PAY-15
test('a user registers partial payments, undoes them, credits, and uses and refunds the credit', async () => {
  const { page, complaints, customer } = await enterWithInvoices('betaling@fjordlys.no', 2);
  const dialog = dialogOf(page);
  const card = cardOf(page, 'Betalinger');

  await page.goto('/invoices/1/');
  await card.getByRole('button', { name: 'Registrer betaling' }).waitFor();
  expect(await card.getByRole('table').count()).toBe(0);
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await dialog.getByText('Da er hele fakturaen betalt.').waitFor();
  expect(await amountIn(dialog)).toBe('1 250,00');
  await dialog.getByLabel('Beløp').fill('1300');
  await dialog.getByText('Bare 1 250,00 kr gjenstår.').waitFor();
  await dialog.getByLabel('Dato', { exact: true }).fill('01.01.2099');
  // Closing the dialog asks before it discards typed input.
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Forkaste det du har skrevet?' });
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await dialog.getByText('Beløpet er høyere enn det som gjenstår å betale').waitFor();
  await dialog.getByText('Datoen kan ikke være etter i dag').waitFor();
  await inspect(page, 'payment-dialog-faults');
  await dialog.getByRole('button', { name: 'Avbryt' }).click();
  await question.getByRole('button', { name: 'Forkast' }).click();
  await dialog.waitFor({ state: 'detached' });

  await card.getByRole('button', { name: 'Registrer betaling' }).click();
  expect(await amountIn(dialog)).toBe('1 250,00');
  await dialog.getByLabel('Beløp').fill('500,50');
  await dialog.getByRole('button', { name: 'Registrer betaling' }).dblclick();
  await page.getByText('Betaling registrert!').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await card.getByText('Ført for hånd').waitFor();
  await card.getByText('749,50 kr').waitFor();
  await page.getByText('Delvis betalt').waitFor();
  await page.getByText(/Betaling på 500,50/).waitFor();
  await inspect(page, 'payments-part');

  await follow(page, '/invoices/');
  await page.getByRole('cell', { name: '749,50', exact: true }).waitFor();
  await page.getByRole('table').getByText('Delvis betalt').waitFor();
  await inspect(page, 'invoices-part-paid');
  await page.getByRole('button', { name: 'Sett faktura 1 til betalt' }).click();
  expect(await amountIn(dialog)).toBe('749,50');
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await page.getByRole('table').getByText('Betalt', { exact: true }).waitFor();
  // The pressed button is gone, and the focus stays in the row.
  const pdf = page.getByRole('link', { name: 'Vis PDF av faktura 1' });
  await expect.poll(async () => pdf.evaluate((link) => link === document.activeElement)).toBe(true);

  await follow(page, '/invoices/1/');
  await card.getByText('0,00 kr', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Angre 749,50 kr/ }).click();
  await page.getByText('Betaling angret!').waitFor();
  await card.getByText('Angret').waitFor();
  await page.getByText('Delvis betalt').waitFor();
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await page.getByRole('button', { name: 'Ikke betalt' }).click();
  const unpaid = page.getByRole('alertdialog', { name: /til ikke betalt\?$/ });
  const today = formatDate(todayInOslo());
  await unpaid.getByText(`500,50 kr, ${today}`).waitFor();
  await unpaid.getByText(`749,50 kr, ${today}`).waitFor();
  await inspect(page, 'payments-unpaid-dialog');
  await unpaid.getByRole('button', { name: 'Avbryt' }).click();
  await card.getByText('0,00 kr', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Ikke betalt' }).click();
  await unpaid.getByRole('button', { name: 'Ikke betalt' }).click();
  await page.getByText('Faktura oppdatert!').waitFor();
  // There is no undo, because marking it as paid again would merge the two payments into one.
  expect(await page.getByRole('log').getByRole('button', { name: 'Angre' }).count()).toBe(0);
  await card.getByText('1 250,00 kr').waitFor();
  await expect.poll(async () => card.getByText('Angret').count()).toBe(3);
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();

  await page.getByRole('button', { name: 'Slett faktura' }).click();
  const deletion = page.getByRole('alertdialog', { name: 'Slett faktura' });
  await deletion.getByText('1 250,00 kr, får Nordnes Kaffebar til gode').waitFor();
  await inspect(page, 'payments-credit-dialog');
  await deletion.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Faktura slettet!').waitFor();
  await page.waitForURL('**/invoices/');
  await follow(page, '/invoices/1/');
  await card.getByText('Fjernet').first().waitFor();
  await inspect(page, 'payments-credited');
  await card.getByRole('link', { name: 'Til gode' }).click();
  await page.waitForURL(`**/customers/${customer}/edit/`);

  // A part of the next invoice is already paid, so that not all of the credit is used.
  await follow(page, '/invoices/2/');
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await dialog.getByLabel('Beløp').fill('250');
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await card.getByText('1 000,00 kr').waitFor();
  await card.getByText('Nordnes Kaffebar har 1 250,00 kr til gode.').waitFor();
  await follow(page, `/customers/${customer}/edit/`);
  const credit = cardOf(page, 'Til gode');
  await credit.getByText('1 250,00 kr').first().waitFor();
  await inspect(page, 'credit');
  await page.getByRole('button', { name: /^Bruk 1 250,00 kr.* på faktura$/ }).click();
  const use = page.getByRole('dialog', { name: 'Bruk på faktura' });
  await use.getByText('250,00 kr er fortsatt til gode').waitFor();
  await inspect(page, 'credit-use');
  await use.getByRole('button', { name: 'Bruk på faktura' }).click();
  await page.getByText('Betaling ført på faktura 2!').waitFor();
  await credit.getByText('250,00 kr', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: /^Merk 250,00 kr.* som tilbakebetalt$/ }).click();
  const refund = page.getByRole('alertdialog', { name: 'Merke som tilbakebetalt?' });
  await refund.getByRole('button', { name: 'Merk som tilbakebetalt' }).click();
  await page.getByText('Betaling merket som tilbakebetalt!').waitFor();
  await credit.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Angre tilbakebetalingen: .*250,00 kr$/ }).click();
  await credit.waitFor();
  await follow(page, '/invoices/2/');
  await card.getByText('0,00 kr', { exact: true }).waitFor();
  await card.getByText('Trukket fra kundens tilgodehavende').waitFor();
  expect(complaints).toEqual([]);
});

test('a payment from the bank is not undone by hand, but detached from the invoice', async () => {
  const { page, complaints } = await enterWithInvoices('bank@fjordlys.no', 1);
  const { customer_identification_number: kid } = await call<{
    customer_identification_number: string;
  }>(page, 'GET', '/api/invoices/1/');
  const payments = [{ amount: 125_000, kid }];
  const upload = await page.request.post('/api/payments/files/?name=ocr.txt', {
    data: ocrFile([{ assignments: [{ payments }] }]),
    headers: { 'content-type': 'application/octet-stream' },
  });
  const { uuid } = (await upload.json()) as { uuid: string };
  await call(page, 'POST', `/api/payments/files/${uuid}/book/`);

  const card = cardOf(page, 'Betalinger');
  await page.goto('/invoices/1/');
  await card.getByText('Fra banken').waitFor();
  await card.getByText(`KID ${kid}`).waitFor();
  await cardOf(page, 'Historikk').getByText('ocr.txt').first().waitFor();
  await page.getByRole('button', { name: 'Ikke betalt' }).click();
  const refusal = page.getByRole('status').filter({ hasText: 'Betalingen kommer fra banken' });
  await refusal.getByRole('link', { name: 'Innbetalinger' }).waitFor();
  await inspect(page, 'payments-of-bank');
  await page.getByRole('button', { name: /^Fjern 1 250,00 kr/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Ta betalingen av fakturaen?' });
  await question.getByText('blir stående under Innbetalinger').waitFor();
  await question.getByRole('button', { name: 'Fjern' }).click();
  await card.getByText('Fjernet').waitFor();
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await dialogOf(page).getByRole('button', { name: 'Registrer betaling' }).click();
  await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();
  expect(await refusal.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('the claims of a reminder are paid with the invoice, and the card shows this', async () => {
  const { page, complaints, customer } = await enterWithInvoices('purret@fjordlys.no', 0);
  const issueDate = addDays(todayInOslo(), -60);
  const draft = await addDraft(page, customer, { issue_date: issueDate });
  await register(page, draft);
  await here.faktur.ask('registerInTime');
  await call(page, 'POST', `/api/invoices/${draft.uuid}/reminders/`, {
    kind: 'NOTICE',
    fee: true,
    interest: false,
  });
  await page.goto('/invoices/1/');
  const card = cardOf(page, 'Betalinger');
  await card.getByText('Purregebyr og renter').waitFor();
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  const dialog = dialogOf(page);
  await dialog
    .getByText(/^Da er fakturaen betalt\. Purregebyr og renter, .* ettergis hvis/)
    .waitFor();
  const { reminder_amount: fee } = await call<{ reminder_amount: number }>(
    page,
    'GET',
    '/api/invoices/1/',
  );
  await dialog.getByLabel('Beløp').fill(String(1250 + fee).replace('.', ','));
  await dialog.getByText('Da er alt betalt, purregebyr og renter også.').waitFor();
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await card.getByText('Herav purregebyr og renter').waitFor();
  await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();
  await inspect(page, 'payments-of-reminders');
  expect(complaints).toEqual([]);
});

test('the last unplaced payment is placed in the finder, and this is undone', async () => {
  const { page, complaints } = await enterWithInvoices('sist@fjordlys.no', 2);
  const { uuid } = await call<{ uuid: string }>(page, 'GET', '/api/invoices/1/');
  const date = todayInOslo();
  await call(page, 'POST', '/api/payments/', { invoice_uuid: uuid, amount: 1250, date });
  await call(page, 'DELETE', `/api/invoices/${uuid}/?expect=PAID`);
  await page.goto('/payments/');
  const waiting = cardOf(page, 'Ikke koblet til faktura');
  await waiting.getByRole('button', { name: /^Finn faktura/ }).click();
  const finder = page.getByRole('dialog', { name: 'Finn faktura' });
  await finder.getByRole('option', { name: /^2 Nordnes Kaffebar/ }).click();
  await waiting.getByText('er koblet til faktura 2.').waitFor();
  await waiting.getByText('Alle innbetalinger er koblet til en faktura.').waitFor();
  await finder.waitFor({ state: 'detached' });
  await waiting.getByRole('button', { name: 'Angre' }).click();
  await waiting.getByRole('button', { name: /^Finn faktura/ }).waitFor();
  expect(await call(page, 'GET', '/api/invoices/2/')).toMatchObject({ status: 'REGISTERED' });
  expect(complaints).toEqual([]);
});

// INV-37
test('marking several invoices as paid and undoing it changes the unpaid ones and names the rest', async () => {
  const { page, complaints } = await enterWithInvoices('flere@fjordlys.no', 3);
  const { uuid, customer_identification_number: kid } = await call<{
    uuid: string;
    customer_identification_number: string;
  }>(page, 'GET', '/api/invoices/1/');
  const date = addDays(todayInOslo(), -1);
  const upload = await page.request.post('/api/payments/files/?name=ocr.txt', {
    data: ocrFile([{ assignments: [{ payments: [{ amount: 50_000, kid }] }] }]),
    headers: { 'content-type': 'application/octet-stream' },
  });
  const { uuid: file } = (await upload.json()) as { uuid: string };
  await call(page, 'POST', `/api/payments/files/${file}/book/`);
  await call(page, 'POST', '/api/payments/', { invoice_uuid: uuid, amount: 250, date });

  await page.goto('/invoices/');
  const bar = page.getByRole('region', { name: 'Valgte fakturaer' });
  const all = page.getByRole('checkbox', { name: 'Velg alle på siden' });
  await all.click();
  await bar.getByText(/^3\s000,00 kr å betale$/).waitFor();
  await bar.getByRole('button', { name: 'Sett til betalt' }).click();
  const paid = page.getByRole('dialog', { name: 'Sett til betalt' });
  await paid.getByRole('button', { name: 'Sett til betalt' }).click();
  const messages = page.getByRole('log');
  await messages.getByText('3 fakturaer satt til betalt').waitFor();
  await messages.getByRole('button', { name: 'Angre' }).click();
  await messages.getByText('1 faktura kunne ikke angres').waitFor();
  await messages.getByText('faktura 1: noe var betalt fra før').waitFor();
  await expectStatus(page, 1, 'PAID');
  await expectStatus(page, 2, 'REGISTERED');
  await expectStatus(page, 3, 'REGISTERED');

  await all.click();
  await bar.getByRole('button', { name: 'Ikke betalt' }).click();
  const question = page.getByRole('alertdialog', { name: /til ikke betalt\?$/ });
  const taken = question.getByRole('list').first();
  await taken.getByText(`250,00 kr, ${formatDate(date)}`).waitFor();
  await taken.getByText(`500,00 kr, ${formatDate(todayInOslo())}`).waitFor();
  await question.getByText('Dette har banken meldt, og det blir stående:').waitFor();
  expect(await question.getByRole('list').nth(1).getByRole('listitem').count()).toBe(1);
  await inspect(page, 'invoices-unpaid-dialog');
  await question.getByRole('button', { name: 'Ikke betalt' }).click();
  await messages.getByText('1 faktura satt til ikke betalt').waitFor();
  expect(await call(page, 'GET', '/api/invoices/1/')).toMatchObject({ paid_amount: 500 });
  expect(complaints).toEqual([]);
});

async function expectStatus(page: Page, number: number, status: string): Promise<void> {
  await expect
    .poll(async () => call(page, 'GET', `/api/invoices/${number}/`))
    .toMatchObject({ status });
}

// PAY-5
test('a payment dated before the invoice shows a hint and is accepted, and one too many says that it is paid', async () => {
  const { page, complaints, customer } = await enterWithInvoices('forut@fjordlys.no', 0);
  const issueDate = addDays(todayInOslo(), 20);
  await register(page, await addDraft(page, customer, { issue_date: issueDate }));
  await page.goto('/invoices/1/');
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  const dialog = dialogOf(page);
  const hint = dialog.getByText(`Før fakturadatoen, ${formatDate(issueDate)}.`);
  await hint.waitFor();
  // A date that is still being typed is before nothing.
  await dialog.getByLabel('Dato', { exact: true }).fill('12');
  await hint.waitFor({ state: 'detached' });
  await dialog.getByLabel('Dato', { exact: true }).fill(formatDate(todayInOslo()));
  await hint.waitFor();
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await page.getByText('Betaling registrert!').waitFor();
  await expectStatus(page, 1, 'PAID');

  // Somebody else registers the payment meanwhile: one sentence says so, and nothing else stands in the dialog.
  const second = await addDraft(page, customer);
  await register(page, second);
  await follow(page, '/invoices/2/');
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  const paid = { invoice_uuid: second.uuid, amount: 1250, date: todayInOslo() };
  await call(page, 'POST', '/api/payments/', paid);
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await dialog.getByText('Fakturaen er allerede betalt').waitFor();
  expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['Lukk']);
  await inspect(page, 'payment-paid-meanwhile');
  await dialog.getByRole('button', { name: 'Lukk' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page
    .getByRole('button', { name: 'Ikke betalt' })
    .or(page.getByText('Betalt', { exact: true }))
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
});

// PAY-11
test('credit of one customer pays an invoice of another only after confirmation', async () => {
  const { page, complaints } = await enterWithInvoices('annen@fjordlys.no', 1);
  const { customer_number: other } = await addCustomer(page, 'Vestland Bakeri');
  await register(page, await addDraft(page, other));
  const { uuid } = await call<{ uuid: string }>(page, 'GET', '/api/invoices/1/');
  const payment = { invoice_uuid: uuid, amount: 1250, date: todayInOslo() };
  await call(page, 'POST', '/api/payments/', payment);
  await call(page, 'DELETE', `/api/invoices/${uuid}/?expect=PAID`);
  await page.goto('/payments/');
  const waiting = cardOf(page, 'Ikke koblet til faktura');
  await waiting.getByRole('button', { name: /^Finn faktura/ }).click();
  const finder = page.getByRole('dialog', { name: 'Finn faktura' });
  const choice = finder.getByRole('option', { name: /^2 Vestland Bakeri/ });
  await choice.click();
  const question = page.getByRole('alertdialog', { name: 'Bruke pengene på en annen kunde?' });
  await question.getByText(/Nordnes Kaffebar har 1\s250,00\skr til gode/).waitFor();
  await question.getByText(/Faktura 2 er til Vestland Bakeri/).waitFor();
  await inspect(page, 'payments-other-customer');
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await expectStatus(page, 2, 'REGISTERED');
  await choice.click();
  // By keyboard: a second click at the same place would be taken for a double tap.
  await question.getByRole('button', { name: 'Bruk på faktura' }).press('Enter');
  await waiting.getByText('er koblet til faktura 2.').waitFor();
  await expectStatus(page, 2, 'PAID');
  expect(complaints).toEqual([]);
});

test('a payment undone before crediting does not become credit, and the card shows none', async () => {
  const { page, complaints } = await enterWithInvoices('angret@fjordlys.no', 1);
  const path = '/api/invoices/1/';
  const { uuid } = await call<{ uuid: string }>(page, 'GET', path);
  const payment = { invoice_uuid: uuid, amount: 100, date: todayInOslo() };
  const undone = await call<{ uuid: string }>(page, 'POST', '/api/payments/', payment);
  await call(page, 'POST', `/api/payments/${undone.uuid}/undo/`);
  await call(page, 'DELETE', `${path}?expect=REGISTERED`);
  await page.goto('/invoices/1/');
  const card = cardOf(page, 'Betalinger');
  await card.getByText('Fjernet').waitFor();
  await cardOf(page, 'Historikk').getByText('Kreditert').waitFor();
  expect(await card.getByText('Det som var betalt').count()).toBe(0);
  await inspect(page, 'payments-undone-credited');
  expect(complaints).toEqual([]);
});
