import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';

import { readWithPoppler, removeFolder, temporaryFolder } from '../server/testing/poppler.ts';
import { follow, visit } from './support/browser.ts';
import { stage, WITH_ALL, WITHOUT_PAYMENTS } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = stage(WITH_ALL);
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

/** 8 062,50 kr with VAT. */
const CARPENTRY = [
  {
    invoiced_quantity: 5,
    description: 'Planke 48 × 148 mm, kjerneved',
    net_unit_amount: 250,
    vat_rate_percentage: 25,
  },
  {
    invoiced_quantity: 8,
    description: 'Arbeid på terrassen',
    net_unit_amount: 650,
    vat_rate_percentage: 25,
  },
];

interface Shown {
  readonly uuid: string;
  readonly lines: readonly { readonly id: number }[];
}

/** Counts the crediting calls of the page, without previews. */
function countCredits(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/credit/')) count += 1;
  });
  return () => count;
}

async function pay(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Registrer betaling' });
  await dialog.getByLabel('Beløp').fill(amount);
  await dialog.getByRole('button', { name: 'Registrer betaling' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function printedText(page: Page, { uuid }: Pick<Shown, 'uuid'>): Promise<string> {
  const pdf = await page.request.get(`/invoices/${uuid}/pdf/`);
  return readWithPoppler(folder, await pdf.body())
    .text()
    .replaceAll(/\s+/g, ' ');
}

// CRE-15, CRE-16, CRE-17, CRE-18
test('a carpenter credits two of five planks, gives a price reduction, and credits the rest', async () => {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  const credits = countCredits(page);
  await createAccount(page, faktur, 'snekker@delvis.no');
  await completeProfile(page);
  const email = 'post@nordnes-kaffebar.no';
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar', { email });
  const { uuid } = await addDraft(page, customer, {
    delivery_type: 'EMAIL',
    invoice_lines: CARPENTRY,
  });
  await page.goto(`/invoices/${uuid}/`);
  await page.locator('input[type=file]').setInputFiles({
    name: 'Terrassen.jpg',
    mimeType: 'image/jpeg',
    buffer: await sharp({ create: { width: 40, height: 30, channels: 3, background: '#7ab' } })
      .jpeg()
      .toBuffer(),
  });
  await page.getByRole('link', { name: 'Terrassen.jpg' }).waitFor();
  // A draft is changed or deleted.
  expect(await page.getByRole('button', { name: 'Krediter' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await faktur.mailbox.take(email);
  await pay(page, '2000');

  // Two of five planks, by a double click.
  await follow(page, '/invoices/1/');
  await page.getByRole('button', { name: 'Krediter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Krediter faktura 1' });
  await dialog.getByRole('button', { name: 'Krediter 8 062,50 kr' }).waitFor();
  await dialog.getByText('2 000,00 kr blir stående til gode hos Nordnes Kaffebar').waitFor();
  await dialog.getByText(`Den sendes til ${email}.`).waitFor();
  await dialog.getByText('Igjen på fakturaen').waitFor();
  expect(await dialog.getByLabel('Hele fakturaen').isChecked()).toBe(true);
  await inspect(page, 'credit-all');
  await dialog.getByLabel('Noen av linjene').check();
  await dialog.getByRole('button', { name: 'Krediter', exact: true }).click();
  await dialog.getByText('Skriv et antall eller et beløp på minst én linje.').waitFor();
  // The buttons stay in view below a long dialog, and do not hide the field that has the focus.
  const cancel = dialog.getByRole('button', { name: 'Avbryt' });
  expect((await cancel.boundingBox())?.y).toBeLessThan(860);
  const reason = dialog.getByLabel('Årsak');
  await reason.focus();
  const firstLine = ((await reason.boundingBox())?.y ?? Infinity) + 40;
  expect(firstLine).toBeLessThan((await cancel.boundingBox())?.y ?? 0);
  const planks = dialog.getByRole('listitem', { name: 'Linje 1' });
  await planks.getByLabel('Antall').fill('6');
  await planks.getByText('Bare 5 stk er igjen.').waitFor();
  await inspect(page, 'credit-too-much');
  await planks.getByLabel('eller beløp').fill('100');
  expect(await planks.getByLabel('Antall').inputValue()).toBe('');
  await planks.getByLabel('Antall').fill('2');
  await dialog.getByLabel('Årsak').fill('To planker var sprukket');
  await dialog.getByText('Nordnes Kaffebar skal da betale 5 437,50 kr.').waitFor();
  await inspect(page, 'credit-lines');
  await dialog.getByRole('button', { name: 'Krediter 625,00 kr' }).dblclick();
  await page.getByText('Kreditnota 2 er laget').waitFor();
  await page.getByText('Kreditert −625,00 kr').waitFor();
  await page.getByText('5 437,50 kr').first().waitFor();
  expect(credits()).toBe(1);
  const { subject, attachments } = await faktur.mailbox.take(email);
  expect(subject).toContain('2');
  expect(attachments.map(({ filename }) => filename)).toEqual(['Kreditnota-2.pdf']);

  // A reduction of the price.
  await page.getByRole('button', { name: 'Krediter' }).click();
  await dialog.getByLabel('Prisavslag').check();
  await dialog.getByLabel('Tekst').fill('Avslag for forsinkelse');
  await dialog.getByLabel('Beløp uten mva.').fill('300');
  await dialog.getByText('Nordnes Kaffebar skal da betale 5 062,50 kr.').waitFor();
  await inspect(page, 'credit-reduction');
  await dialog.getByRole('button', { name: 'Krediter 375,00 kr' }).click();
  await page.getByText('Kreditnota 3 er laget').waitFor();
  await page.getByText('Kreditert −1 000,00 kr').waitFor();
  await inspect(page, 'credit-part-invoice');
  await follow(page, '/invoices/');
  await page.getByText('Delvis kreditert').first().waitFor();
  await inspect(page, 'credit-part-list');

  await follow(page, '/invoices/1/');
  await page.getByText('Kreditert med').getByRole('link', { name: 'kreditnota 2' }).click();
  await page.getByRole('heading', { name: 'Kreditnota 2' }).waitFor();
  await page.getByRole('link', { name: 'faktura 1' }).waitFor();
  await inspect(page, 'credit-note-of-part');
  const printed = await printedText(page, await call<Shown>(page, 'GET', '/api/invoices/2/'));
  for (const text of ['Planke 48 × 148 mm, kjerneved', 'To planker var sprukket', '625,00']) {
    expect(printed).toContain(text);
  }
  expect(printed).not.toContain('Arbeid på terrassen');

  // Somebody else credits a plank meanwhile: it is told, and what was typed stays.
  await follow(page, '/invoices/1/');
  await page.getByRole('button', { name: 'Krediter' }).click();
  await dialog.getByLabel('Noen av linjene').check();
  await planks.getByText('3 stk er igjen').waitFor();
  await planks.getByLabel('Antall').fill('3');
  await dialog.getByLabel('Årsak').fill('Resten av plankene');
  await dialog.getByRole('button', { name: 'Krediter 937,50 kr' }).waitFor();
  const { lines } = await call<Shown>(page, 'GET', '/api/invoices/1/');
  await call(page, 'POST', `/api/invoices/${uuid}/credit/`, {
    lines: [{ id: lines[0]?.id, quantity: 1 }],
  });
  await dialog.getByRole('button', { name: 'Krediter 937,50 kr' }).click();
  await page.getByRole('log').getByText('Det er mindre igjen å kreditere').waitFor();
  await planks.getByText('Bare 2 stk er igjen.').waitFor();
  expect(await planks.getByLabel('Antall').inputValue()).toBe('3');
  expect(await dialog.getByLabel('Årsak').inputValue()).toBe('Resten av plankene');
  await inspect(page, 'credit-race');
  await dialog.getByRole('button', { name: 'Avbryt' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Forkast' }).click();
  await dialog.waitFor({ state: 'detached' });

  // The rest: what was paid becomes the customer's credit.
  await page.getByRole('button', { name: 'Krediter' }).click();
  expect(await dialog.getByLabel('Resten').isChecked()).toBe(true);
  await dialog.getByText('2 000,00 kr blir stående til gode hos Nordnes Kaffebar').waitFor();
  await inspect(page, 'credit-rest');
  await dialog.getByRole('button', { name: 'Krediter 6 750,00 kr' }).click();
  await page.getByText('Faktura slettet!').waitFor();
  await page.getByText('Kansellert med kreditnota 2, 3, 4 og 5.').waitFor();
  await page.getByText('Kreditert 625,00 kr med kreditnota 2').waitFor();
  expect(await page.getByRole('button', { name: 'Krediter' }).count()).toBe(0);
  await inspect(page, 'credit-cancelled');
  await follow(page, `/customers/${customer}/edit/`);
  await page.getByRole('region', { name: 'Til gode' }).getByText('2 000,00 kr').first().waitFor();
  expect(credits()).toBe(4);
  expect(complaints).toEqual([]);
});

test('what was paid for a plank that is credited is the customer’s', async () => {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'betalt@delvis.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Sandviken Bakeri');
  await register(page, await addDraft(page, customer, { invoice_lines: CARPENTRY }));
  await page.goto('/invoices/1/');
  await pay(page, '8062,50');
  await page.getByRole('button', { name: 'Krediter' }).click();
  const dialog = page.getByRole('dialog', { name: 'Krediter faktura 1' });
  await dialog.getByLabel('Noen av linjene').check();
  await dialog.getByRole('listitem', { name: 'Linje 1' }).getByLabel('eller beløp').fill('100');
  await dialog.getByText('125,00 kr blir stående til gode hos Sandviken Bakeri').waitFor();
  await dialog.getByRole('button', { name: 'Krediter 125,00 kr' }).click();
  await page.getByText('Kreditnota 2 er laget').waitFor();
  await page.getByText('Kreditert −125,00 kr').waitFor();
  await page.getByText('Det som var betalt for mye').waitFor();
  await inspect(page, 'credit-of-paid');
  await follow(page, `/customers/${customer}/edit/`);
  await page.getByRole('region', { name: 'Til gode' }).getByText('125,00 kr').first().waitFor();
  expect(complaints).toEqual([]);
});

describe('without payments', () => {
  const here = stage(WITHOUT_PAYMENTS);

  // CRE-15, CRE-18
  test('a paid invoice is not credited, and one that is not paid is', async () => {
    const { faktur, browser } = here;
    const { page, complaints } = await visit(browser, faktur.url);
    await createAccount(page, faktur, 'uten-betalinger@delvis.no');
    await completeProfile(page);
    const { customer_number: customer } = await addCustomer(page, 'Sandviken Bakeri');
    const paid = await addDraft(page, customer, { invoice_lines: CARPENTRY });
    await register(page, paid);
    await call(page, 'POST', `/api/invoices/${paid.uuid}/update/`, { status: 'PAID' });
    const unpaid = await addDraft(page, customer, {
      invoice_lines: CARPENTRY,
      issue_date: '2026-01-05',
    });
    await register(page, unpaid);
    await page.goto('/invoices/1/');
    const credit = page.getByRole('button', { name: 'Krediter' });
    expect(await credit.isDisabled()).toBe(true);
    expect(await credit.getAttribute('title')).toContain('Sett den til «Ikke betalt» først');
    await follow(page, '/invoices/2/');
    await credit.click();
    const late = page.getByRole('dialog', { name: 'Krediter faktura 2' });
    await late.getByLabel('Prisavslag').check();
    await late.getByLabel('Beløp uten mva.').fill('50');
    await late.getByText('Sandviken Bakeri skal da betale 8 000,00 kr.').waitFor();
    await late.getByRole('button', { name: 'Krediter 62,50 kr' }).click();
    await page.getByText('Kreditert −62,50 kr').waitFor();
    await inspect(page, 'credit-without-payments');
    await follow(page, '/invoices/');
    await page.getByText('Igjen 8 000,00').waitFor();
    await inspect(page, 'credit-list-without-payments');
    expect(complaints).toEqual([]);
  });
});
