import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../domain/date.ts';
import { PHONE, visit } from './support/browser.ts';
import { inspect, takePicture } from './support/inspect.ts';
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

/** A registered invoice of 1 250 kroner, due the given number of days from now. */
async function issue(page: Page, customer: number, inDays: number): Promise<string> {
  const draft = await addDraft(page, customer, {
    issue_date: addDays(todayInOslo(), inDays - 14),
  });
  await register(page, draft);
  return draft.uuid;
}

// INV-36, PAY-13
test('a treasurer sees the outstanding and overdue sums, and opens the invoices from a sum', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kasserer@ute.fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const { customer_number: other } = await addCustomer(
    page,
    'Vestlandets Forening for Eldre Trebåter og Fartøyvern',
  );
  await issue(page, customer, 10);
  await issue(page, other, -1);
  const late = await issue(page, customer, -43);
  await call(page, 'POST', `/api/invoices/${await issue(page, customer, -5)}/update/`, {
    status: 'PAID',
  });
  await call(page, 'DELETE', `/api/invoices/${await issue(page, customer, -9)}/`);
  await call(page, 'POST', '/api/payments/', {
    invoice_uuid: late,
    amount: 250,
    date: todayInOslo(),
  });
  await addDraft(page, customer);

  await page.goto('/invoices/');
  const sums = page.getByRole('region', { name: 'Utsending' });
  await sums.getByText('3 500,00 kr').waitFor();
  await sums.getByText('2 250,00 kr').waitFor();
  const table = page.getByRole('table', { name: 'Fakturaer' });
  for (const heading of ['Utestående', 'Forfalt']) {
    await table.getByRole('columnheader', { name: heading }).waitFor();
  }
  await table.getByRole('cell', { name: '43 dager' }).waitFor();
  await table.getByRole('cell', { name: '1 dag', exact: true }).waitFor();
  await table.getByRole('cell', { name: '1 000,00', exact: true }).waitFor();
  const firstRow = table.getByRole('row').nth(1);
  expect((await firstRow.boundingBox())?.y).toBeLessThan(420);
  await inspect(page, 'outstanding');
  await page.setViewportSize({ width: 860, height: 900 });
  await takePicture(page, 'outstanding-860');

  // The same on a phone.
  await page.setViewportSize(PHONE);
  const { y, height } = (await firstRow.boundingBox()) ?? { y: Infinity, height: 0 };
  expect(y + height).toBeLessThanOrEqual(PHONE.height);
  // The sum and the list behind it include all customers.
  await page.getByLabel('Søk i fakturaer').fill('ingen slik');
  await page.getByText('0 treff', { exact: true }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Vis forfalt: 2 fakturaer' }).click();
  await expect.poll(async () => table.getByRole('row').count()).toBe(3);
  expect(await page.getByLabel('Status').inputValue()).toBe('OVERDUE');
  expect(await page.getByLabel('Søk i fakturaer').inputValue()).toBe('');
  await page.getByText('2 treff', { exact: true }).waitFor({ state: 'attached' });
  expect(new URL(page.url()).searchParams.get('status')).toBe('OVERDUE');
  await inspect(page, 'outstanding-overdue');
  await page.getByLabel('Status').selectOption({ label: 'Ikke betalt' });
  await expect.poll(async () => table.getByRole('row').count()).toBe(4);
  // The list begins with the earliest due date.
  expect(await firstRow.innerText()).toContain('43 dager');
  await page.reload();
  await expect.poll(async () => table.getByRole('row').count()).toBe(4);
  expect(complaints).toEqual([]);
});
