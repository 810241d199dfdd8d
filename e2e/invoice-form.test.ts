import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { stage } from './support/journey.ts';
import { addCustomer, call, completeProfile, signUp } from './support/person.ts';

const here = stage();

interface Listed {
  readonly results: readonly { issue_date: string; due_days: number; due_date: string }[];
}

test('an invoice is due on the date that is written, which is counted back to days', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await signUp(page, here.faktur, 'forfall@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/create/');
  await page.getByRole('button', { name: /Nordnes Kaffebar/ }).click();
  const issued = page.getByLabel('Fakturadato', { exact: true });
  const days = page.getByLabel('Dager til forfall');
  const due = page.getByLabel('Forfallsdato', { exact: true });
  await issued.fill('10.08.2026');
  expect(await due.inputValue()).toBe('24.08.2026');
  await days.fill('30');
  expect(await due.inputValue()).toBe('09.09.2026');
  await page.getByText('Onsdag', { exact: true }).waitFor();

  await due.fill('9.8.2026');
  await page.getByText('Velg en dato etter fakturadatoen.').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('dueDays is a required field').waitFor();
  await due.fill('31.8.2026');
  expect(await days.inputValue()).toBe('21');

  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Konsulenttime');
  await line.getByLabel('Pris eks. mva.').fill('1000');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  const { results } = await call<Listed>(page, 'GET', '/api/invoices/');
  expect(results).toMatchObject([
    { issue_date: '2026-08-10', due_days: 21, due_date: '2026-08-31' },
  ]);
  expect(complaints).toEqual([]);
});
