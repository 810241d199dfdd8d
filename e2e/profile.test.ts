import { expect, test } from 'vitest';

import { PHONE, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, withoutAndWithAll } from './support/faktur.ts';
import { profileParts } from './support/features.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage();

test('an invoice shows the main one of two accounts', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kontoer@fjordlys.no');
  await completeProfile(page);
  await page.goto('/profile/');
  const numbers = page.getByLabel('Kontonummer');
  const ticks = page.getByLabel('Hovedkonto');
  await page.getByRole('button', { name: 'Legg til konto' }).click();
  // The error is of no single field, so it takes the focus itself: the button is far below it.
  await numbers.nth(1).fill(await numbers.nth(0).inputValue());
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  const isFocused = async () =>
    page
      .getByText('Samme konto står to ganger.')
      .evaluate((text) => text.closest('p') === document.activeElement);
  await expect.poll(isFocused).toBe(true);
  // Banks write account numbers with spaces.
  await numbers.nth(1).fill('1503 20 80119');
  expect(await ticks.nth(0).isChecked()).toBe(true);
  // Choosing one main account unchecks the other.
  await ticks.nth(1).check();
  expect(await ticks.nth(0).isChecked()).toBe(false);
  await inspect(page, 'profile-two-accounts');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  expect(await call(page, 'GET', '/api/users/profile/')).toMatchObject({
    bank_accounts: [
      { bank_account_number: '86011117947', is_primary: false },
      { bank_account_number: '15032080119', is_primary: true },
    ],
  });

  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  await register(page, await addDraft(page, customer));
  await page.goto('/invoices/1/');
  await page.getByText('1503.20.80119').waitFor();

  await page.goto('/profile/');
  await page.getByRole('button', { name: 'Fjern konto 2' }).click();
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  expect(await call(page, 'GET', '/api/users/profile/')).toMatchObject({
    bank_accounts: [{ bank_account_number: '86011117947', is_primary: true }],
  });
  expect(complaints).toEqual([]);
});

test.each(withoutAndWithAll())(
  'links and addresses lead to the parts of the profile, and typed input stays, with FEATURES=%s',
  async (_, { browser, faktur }) => {
    const { page, complaints } = await visit(browser, faktur.url, { viewport: PHONE });
    await createAccount(page, faktur, 'deler@fjordlys.no');
    await completeProfile(page);
    await page.goto('/profile/#agreements');
    const agreements = page.getByText('Eksisterende avtale!');
    await expect.poll(async () => (await agreements.boundingBox())?.y).toBeLessThan(PHONE.height);
    await page.getByLabel('Firmanavn').fill('Fjordlys og sønner AS');
    const parts = page.getByRole('navigation', { name: 'Deler av profilen' });
    expect(await parts.getByRole('link').allTextContents()).toEqual(await profileParts(page));
    await parts.getByRole('link', { name: 'Fakturering' }).click();
    await expect
      .poll(async () => (await page.getByLabel('Kontonummer').boundingBox())?.y)
      .toBeLessThan(PHONE.height);
    expect(new URL(page.url()).hash).toBe('#invoicing');
    expect(await page.getByLabel('Firmanavn').inputValue()).toBe('Fjordlys og sønner AS');
    await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
    await page.getByText('Profil oppdatert!').waitFor();
    expect(complaints).toEqual([]);
  },
);

test('saving does not reload the profile, and a session that cannot be read blocks nothing', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'lagret@fjordlys.no');
  await completeProfile(page);
  await page.goto('/profile/');
  const name = page.getByLabel('Firmanavn');
  await name.fill('Fjordlys og sønner AS');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET') asked.push(new URL(request.url()).pathname);
  });
  const saves = page.getByRole('button', { name: 'Oppdater', exact: true });
  await saves.click();
  await page.getByText('Profil oppdatert!').waitFor();
  await expect.poll(() => asked).toContain('/api/users/session/');
  await expect.poll(async () => saves.getAttribute('aria-busy')).not.toBe('true');
  expect(asked).not.toContain('/api/users/profile/');

  // The first request fails, and the second gets no answer.
  let tries = 0;
  await page.route('**/api/users/session/', async (route) => {
    tries += 1;
    if (tries === 1) await route.fulfill({ status: 503 });
  });
  await name.fill('Fjordlys AS');
  await saves.click();
  await expect.poll(() => tries).toBe(2);
  await name.fill('Fjordlys igjen AS');
  const again = page.waitForRequest('**/api/users/update/');
  await saves.click();
  await again;
});
