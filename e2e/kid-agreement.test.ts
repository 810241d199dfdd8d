import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import {
  addCustomer,
  addDraft,
  call,
  COMPANY,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage(WITH_ALL);
const OCR = '15032080119';

// KID-2, KID-7, PRO-13
test('a KID agreement is entered as in the letter of the bank, used for KIDs, changed and ended', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kid@fjordlys.no');
  await page.goto('/profile/agreements/');
  await page.getByText('Legg til en bankkonto i profilen først.').waitFor();
  await completeProfile(page);
  await call(page, 'POST', '/api/users/update/', {
    ...COMPANY,
    bank_accounts: [...COMPANY.bank_accounts, { bank_account_number: OCR, is_primary: false }],
  });
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  await register(page, await addDraft(page, customer));

  await page.goto('/profile/agreements/');
  const form = page.getByRole('form', { name: 'KID-avtale' });
  await page.getByText('Ingen avtale').waitFor();
  await form.getByLabel('Konto').selectOption({ label: '1503.20.80119' });
  await form.getByRole('button', { name: 'Inngå KID-avtale' }).click();
  expect(await form.getByLabel('Lengde på KID').getAttribute('aria-invalid')).toBe('true');
  await form.getByLabel('Lengde på KID').fill('6');
  await form.getByLabel('Kontrollsiffer', { exact: true }).selectOption('MOD11');
  // The MOD11 check digit of 01001: 1·2 + 1·5 = 7, and 11 − 7 = 4.
  await page.getByText('Faktura 1001 til kunde 42 får KID 010014.').waitFor();
  await page.getByText(/rekker til fakturanummer 9.999\./).waitFor();
  await inspect(page, 'kid-agreement-new');

  // Following a link does not lose typed input.
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('button', { name: 'Avbryt' }).click();
  await form.getByRole('button', { name: 'Inngå KID-avtale' }).click();
  await page.getByText('KID-avtale lagret!').waitFor();
  await page.getByText('Aktiv', { exact: true }).waitFor();
  await inspect(page, 'kid-agreement');

  await register(page, await addDraft(page, customer));
  await follow(page, '/invoices/2/');
  await page.getByText('1503.20.80119').waitFor();
  expect(await page.getByText('KID', { exact: true }).count()).toBe(1);
  expect(await page.getByText('KID/melding').count()).toBe(0);
  expect(await call(page, 'GET', '/api/invoices/2/')).toMatchObject({
    customer_identification_number: expect.stringMatching(/^[01]0002\d$/),
  });
  await follow(page, '/invoices/1/');
  await page.getByText('KID/melding').waitFor();

  // The account of an agreement cannot be changed.
  await follow(page, '/profile/');
  await page.getByText('Har KID-avtalen.').waitFor();
  const remove = page.getByRole('button', { name: 'Fjern konto 2' });
  expect(await remove.getAttribute('aria-disabled')).toBe('true');

  await page.getByRole('link', { name: 'Endre avtalen' }).click();
  await form.getByLabel('Lengde på KID').fill('20');
  await form.getByRole('button', { name: 'Oppdater KID-avtale' }).click();
  await page.getByText('KID-avtale lagret!').waitFor();
  await form.getByRole('button', { name: 'Avslutt KID-avtale' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Avslutte KID-avtale' });
  await dialog.getByRole('button', { name: 'Avslutt' }).click();
  await page.getByText('KID-avtale avsluttet!').waitFor();
  await page.getByText('Ingen avtale').waitFor();
  await register(page, await addDraft(page, customer));
  await page.goto('/invoices/3/');
  await page.getByText('KID/melding').waitFor();
  expect(complaints).toEqual([]);
});

test('the request has the account on the screen after the chosen one was removed from the profile', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url, { alone: true });
  await page.clock.install();
  await createAccount(page, here.faktur, 'konto@fjordlys.no');
  await completeProfile(page);
  await call(page, 'POST', '/api/users/update/', {
    ...COMPANY,
    bank_accounts: [...COMPANY.bank_accounts, { bank_account_number: OCR, is_primary: false }],
  });
  await page.goto('/profile/agreements/');
  const form = page.getByRole('form', { name: 'KID-avtale' });
  await form.getByLabel('Konto').selectOption({ label: '1503.20.80119' });
  await form.getByLabel('Lengde på KID').fill('9');
  // Somebody else removes it, and the profile is read again when the line is back.
  await completeProfile(page);
  await page.clock.fastForward(6_000);
  await page.context().setOffline(true);
  await page.getByText('Du er uten nett.').waitFor();
  await page.context().setOffline(false);
  await expect.poll(async () => form.getByLabel('Konto').inputValue()).toBe('86011117947');
  await form.getByRole('button', { name: 'Inngå KID-avtale' }).click();
  await page.getByText('KID-avtale lagret!').waitFor();
  expect(await call(page, 'GET', '/api/users/kid-agreement/')).toMatchObject({
    account: '86011117947',
  });
  expect(complaints).toEqual([]);
});
