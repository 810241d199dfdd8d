import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { call, completeProfile, createAccount } from './support/person.ts';

const here = stage(WITH_ALL);

test('reminder settings can be changed within legal limits', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'purring@frist.fjordlys.no');
  await completeProfile(page);
  await page.goto('/profile/reminder-settings/');
  const form = page.getByRole('form', { name: 'Purringer' });
  await page.getByText('For hånd', { exact: true }).waitFor();
  await inspect(page, 'reminder-settings-new');

  const step = (number: number) => form.getByRole('listitem', { name: `Trinn ${number}` });
  await step(2).getByLabel('Dager etter forfall').fill('13');
  await step(3).getByLabel('Dager etter forfall').fill('10');
  await form.getByRole('button', { name: 'Oppdater purringer' }).click();
  await form.getByRole('alert').waitFor();
  expect(await step(2).getByLabel('Gebyr').getAttribute('aria-invalid')).toBe('true');
  await step(3).getByText('days must be more than in the step before').waitFor();
  await inspect(page, 'reminder-settings-faults');

  await step(2).getByLabel('Type').selectOption({ label: 'Betalingspåminnelse' });
  expect(await step(2).getByLabel('Gebyr').isDisabled()).toBe(true);
  await form.getByRole('button', { name: 'Fjern trinn 3' }).click();
  await form.getByRole('button', { name: 'Legg til trinn' }).click();
  await form.getByLabel('Finn fakturaer som bør purres, hver virkedag').check();
  await form.getByLabel('La meg godkjenne før noe sendes').uncheck();
  await form.getByText(/mellom kl\. 08 og 16/).waitFor();
  await form.getByLabel('Minste beløp').fill('250,50');
  await form.getByLabel('Ettergi gebyr og renter når fakturaen er betalt').uncheck();
  await form.getByRole('button', { name: 'Oppdater purringer' }).click();
  await page.getByText('Purringer lagret!').waitFor();
  await page.getByText('Automatisk', { exact: true }).waitFor();
  await inspect(page, 'reminder-settings');
  expect(await call(page, 'GET', '/api/users/reminder-settings/')).toEqual({
    automatic: true,
    approve: false,
    steps: [
      { days: 3, kind: 'REMINDER', fee: false, interest: false },
      { days: 13, kind: 'REMINDER', fee: false, interest: true },
      { days: 30, kind: 'NOTICE', fee: true, interest: true },
    ],
    minimum_amount: 250.5,
    waive_rest: false,
    debt_collection_notice: false,
    version: 1,
  });
  expect(complaints).toEqual([]);
});
