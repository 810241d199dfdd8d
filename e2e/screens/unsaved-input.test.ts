import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { createCustomer } from '../../domain/customer/customer.endpoints.ts';
import { NO_ANSWER } from '../support/fake-api.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { customerOf } from '../support/usual-answers.ts';

const here = screens();

const question = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Forkaste det du har skrevet?' });

const kept = async (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('faktur.typed') ?? '[]') as unknown[]);

test('the forward button asks too, also after a reload', async () => {
  const { page, complaints } = await here.open('/customers/');
  await page.getByRole('link', { name: 'Ny kunde' }).click();
  await page.getByRole('heading', { name: 'Opprett kunde' }).waitFor();
  await page.getByRole('link', { name: 'Fakturaer' }).click();
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
  await page.evaluate(() => history.back());
  await page.getByRole('heading', { name: 'Opprett kunde' }).waitFor();
  await page.reload();
  await page.getByLabel('Navn').fill('Nordnes Kaffebar');
  await page.evaluate(() => history.forward());
  await question(page).getByRole('button', { name: 'Avbryt' }).click();
  await question(page).waitFor({ state: 'hidden' });
  await page.waitForURL('**/customers/create/');
  expect(await page.getByLabel('Navn').inputValue()).toBe('Nordnes Kaffebar');
  await page.evaluate(() => history.forward());
  await question(page).getByRole('button', { name: 'Forkast' }).click();
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
  await page.waitForURL('**/invoices/');
  expect(complaints).toEqual([]);
});

test('typed input is kept while the page is hidden, and when it is loaded again', async () => {
  const { page, complaints } = await here.open('/customers/create/');
  const turn = async (state: 'hidden' | 'visible') =>
    page.evaluate((visibilityState) => {
      Object.defineProperty(document, 'visibilityState', {
        value: visibilityState,
        configurable: true,
      });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, state);
  await page.getByLabel('Navn').fill('Nordnes Kaffebar');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText('Det du skrev, er hentet fram igjen.').waitFor();
  expect(await page.getByLabel('Navn').inputValue()).toBe('Nordnes Kaffebar');
  // Another page in its place is a choice.
  await page.goto('/customers/create/');
  expect(await page.getByLabel('Navn').inputValue()).toBe('');
  await page.getByLabel('Navn').fill('Nordnes Kaffebar');
  await turn('hidden');
  expect(await kept(page)).toHaveLength(1);
  await turn('visible');
  expect(await kept(page)).toEqual([]);
  await turn('hidden');
  expect(await kept(page)).toHaveLength(1);
  await page.getByLabel('Navn').fill('');
  await turn('hidden');
  expect(await kept(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('leaving a form during a save keeps the new screen, and loses nothing if the save fails', async () => {
  let held = Promise.withResolvers<boolean>();
  const { page, api } = await here.open('/customers/create/', {
    prepare: (screen) =>
      screen.api.answer(createCustomer, async ({ body: { name } }) =>
        (await held.promise) ? customerOf(1, { name }) : NO_ANSWER,
      ),
  });
  await page.getByLabel('Navn').fill('Nordnes Kaffebar');
  const saves = () => api.asked(createCustomer).length;
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect.poll(saves).toBe(1);
  await page.getByRole('link', { name: 'Profil' }).click();
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor();
  expect(await question(page).count()).toBe(0);
  expect(await kept(page)).toEqual([]);
  held.resolve(false);
  await page.getByText('Får ikke kontakt med Faktur').waitFor();
  await page.getByText('Noe du skrev, er ikke lagret.').waitFor();
  await inspect(page, 'profile-kept-input');
  held = Promise.withResolvers();
  await page.getByRole('link', { name: 'Fortsett der du slapp' }).click();
  await expect.poll(async () => page.getByLabel('Navn').inputValue()).toBe('Nordnes Kaffebar');

  const before = saves();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect.poll(saves).toBe(before + 1);
  // Closing the tab asks, because it would also end the save.
  const dialog = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  await (await dialog).dismiss();
  await page.getByRole('link', { name: 'Profil' }).click();
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor();
  expect(await kept(page)).toEqual([]);
  held.resolve(true);
  await page.getByText('Kunde opprettet!').waitFor();
  expect(new URL(page.url()).pathname).toBe('/profile/');
  expect(await kept(page)).toEqual([]);
  expect(await page.getByText('Noe du skrev, er ikke lagret.').count()).toBe(0);
});
