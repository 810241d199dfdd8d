import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspect, takePicture } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { addCustomer, call, completeProfile, createAccount } from './support/person.ts';

const here = stage(WITH_ALL);

async function fillLine(page: Page, place: number, line: Record<string, string>): Promise<void> {
  const row = page.getByRole('listitem', { name: `Linje ${place}` });
  await row.getByLabel('Antall').fill(line['quantity'] ?? '');
  await row.getByLabel('Enhet').selectOption({ label: line['unit'] ?? '' });
  await row.getByLabel('Beskrivelse').fill(line['text'] ?? '');
  await row.getByLabel('Pris eks. mva.').fill(line['price'] ?? '');
}

// INV-5
test('half an hour is billed from a template or by typing, and looks the same everywhere', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'snekker@enheter.fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');

  await page.goto('/invoices/templates/create/');
  await page.getByLabel('Navn', { exact: true }).fill('Snekring');
  await fillLine(page, 1, { quantity: '0,5', unit: 'time', text: 'Befaring', price: '950,33' });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Fakturamal opprettet!').waitFor();
  await page.waitForURL('**/invoices/templates/');
  const [template] = await call<{ lines: object[] }[]>(page, 'GET', '/api/invoices/template/');
  expect(template?.lines).toMatchObject([{ invoiced_quantity: 0.5, unit: 'HUR' }]);

  await follow(page, '/invoices/create/');
  await page.getByRole('option', { name: /^Nordnes/ }).click();
  // By keyboard: a step down from 1 does nothing, and Control changes the value by a tenth.
  const quantity = page.getByLabel('Antall');
  await quantity.press('ArrowDown');
  expect(await quantity.inputValue()).toBe('1');
  await quantity.press('Control+ArrowUp');
  expect(await quantity.inputValue()).toBe('1,1');
  // Zero is not changed to the minimum, a thousandth.
  await quantity.fill('0');
  await quantity.blur();
  await page.getByText('Skriv et tall større enn 0.').waitFor();
  expect(await quantity.inputValue()).toBe('0');
  await quantity.press('ArrowUp');
  expect(await quantity.inputValue()).toBe('1');
  await quantity.fill('1,0005');
  await quantity.press('Tab');
  await page.getByText('Skriv høyst tre desimaler.').waitFor();
  expect(await page.getByLabel('Enhet').evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
  await fillLine(page, 1, { quantity: '7,5', unit: 'time', text: 'Snekring', price: '950,33' });
  // The unit that was chosen last comes first.
  expect(await page.getByLabel('Enhet').locator('option').first().textContent()).toBe('time');
  await page.getByRole('button', { name: 'Legg til linje' }).click();
  await fillLine(page, 2, { quantity: '12,125', unit: 'm²', text: 'Eik', price: '349' });
  await page.getByRole('button', { name: 'Legg til linje' }).click();
  await fillLine(page, 3, { quantity: '2', unit: 'pakke', text: 'Skruer', price: '89,90' });
  // The sum is 7127.48 + 4231.63 + 179.80, plus 25 % VAT.
  await page.getByText('14 423,64 kr', { exact: true }).waitFor();
  await inspect(page, 'units-form');
  await page.setViewportSize({ width: 768, height: 1024 });
  await takePicture(page, 'units-form-768');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.waitForURL('**/invoices/');

  const { results } = await call<{ results: { uuid: string; gross_amount: number }[] }>(
    page,
    'GET',
    '/api/invoices/',
  );
  expect(results[0]?.gross_amount).toBe(14_423.64);
  await page.setViewportSize({ width: 1440, height: 900 });
  await follow(page, `/invoices/${results[0]?.uuid}/`);
  for (const text of ['7,5 timer', '12,125 m²', '2 pakker']) {
    await page.getByRole('cell', { name: text.replaceAll(' ', '\u00A0') }).waitFor();
  }
  await inspect(page, 'units-invoice');
  expect(complaints).toEqual([]);
});
