import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { deleteCustomer } from '../../domain/customer/customer.endpoints.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { invoiceOf } from '../support/usual-answers.ts';

const here = screens();

/** Loses files, as a connection does. */
const lose = async (page: Page, files: string) => page.route(files, async (route) => route.abort());

// WEB-4
test('a screen that cannot be loaded shows an error, and loads later', async () => {
  const { page } = await here.open('/invoices/');
  const code = '**/assets/CustomerListPage-*.js*';
  await lose(page, code);
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByText('An error has occurred').waitFor();
  await page.unroute(code);
  await page.getByRole('button', { name: 'Last siden på nytt' }).click();
  await page.getByText('Ingen kunder ennå').waitFor();
  expect(page.url()).toContain('/customers/');
});

test('a screen is shown when its code fails to load once', async () => {
  let times = 0;
  const { page } = await here.open('/privacy/', {
    prepare: async (screen) =>
      screen.page.route('**/assets/PrivacyPage-*.js*', async (route) => {
        // The import may wait for the preload that fails. Then the page asks for the file's status (HEAD) first.
        if (route.request().method() !== 'GET') return route.continue();
        times += 1;
        return times === 1 ? route.abort() : route.continue();
      }),
  });
  await page.getByRole('heading', { level: 1, name: /[Pp]ersonvern/ }).waitFor();
  expect(times).toBe(2);
});

// WEB-12
test('a failure that is told while the code of the next screen is awaited is read on that screen', async () => {
  const code = Promise.withResolvers<void>();
  const { page } = await here.open('/invoices/', {
    prepare: async (screen) => {
      screen.company.invoices = [invoiceOf({ invoiceNumber: 1, status: 'REGISTERED' })];
      await screen.page.route('**/assets/CustomerListPage-*.js*', async (route) => {
        await code.promise;
        await route.continue();
      });
      await screen.page.route('**/api/invoices/*/update/', async (route) =>
        route.fulfill({ status: 500, json: {} }),
      );
    },
  });
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.waitForURL('**/customers/');
  await page.getByRole('button', { name: /til betalt$/ }).click();
  const failure = page.getByText('Internal Server Error');
  await failure.waitFor();
  code.resolve();
  await page.getByText('Ingen kunder ennå').waitFor();
  expect(await failure.count()).toBe(1);
  await page.getByRole('link', { name: 'Fakturaer', exact: true }).click();
  await failure.waitFor({ state: 'detached' });
});

/** Opens a screen, and sets a mark on the page that a reload removes. */
async function openMarked(): Promise<Page> {
  const { page } = await here.open('/privacy/');
  await page.getByRole('heading', { level: 1, name: /[Pp]ersonvern/ }).waitFor();
  await page.evaluate(() => Object.assign(window, { marked: true }));
  return page;
}

const isMarked = async (page: Page) => page.evaluate(() => 'marked' in window);

// WEB-11
test.each([
  ['its script', '**/assets/ProfilePage-*.js*'],
  ['a script that it needs', '**/assets/signed-in-*.js*'],
  ['its stylesheet', '**/assets/ProfilePage-*.css*'],
])('the next press shows a screen that lost %s', async (_, lost) => {
  const page = await openMarked();
  await lose(page, lost);
  for (const _press of [1, 2]) {
    const refused = page.waitForEvent('requestfailed');
    await page.getByRole('link', { name: 'Profil' }).click();
    await refused;
    await page.getByText('An error has occurred').waitFor();
  }
  await page.unroute(lost);
  await page.getByRole('link', { name: 'Profil' }).click();
  await page.getByLabel('Firmanavn').waitFor();
  expect(await page.evaluate(() => document.styleSheets.length)).toBeGreaterThan(3);
});

// WEB-11
test.each([
  ['script', '**/assets/ProfilePage-*.js*'],
  ['stylesheet', '**/assets/ProfilePage-*.css*'],
])('after a release whose screen has another %s the page is loaded anew, once', async (_, gone) => {
  const page = await openMarked();
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.route(gone, async (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Profil' }).click();
  await page.getByText('An error has occurred').waitFor();
  expect([loads, await isMarked(page)]).toEqual([1, false]);
  await page.unroute(gone);
  await page.getByRole('link', { name: 'Profil' }).click();
  await page.getByLabel('Firmanavn').waitFor();
});

// WEB-30
test('who goes back before the next screen is there, gets the form anew, and what is typed then is saved', async () => {
  const saved: unknown[] = [];
  const { page } = await here.open('/customers/create/', {
    prepare: async (screen) => {
      await screen.page.route(
        '**/assets/CustomerListPage-*.js*',
        async () => new Promise(() => {}),
      );
      await screen.page.route('**/api/customers/create/', async (route) => {
        const form = route.request().postDataJSON() as { name: string };
        saved.push(form.name);
        await route.fulfill({ status: 201, json: { customer_number: saved.length, ...form } });
      });
    },
  });
  for (const name of ['Kari Nordmann', 'Ola Nordmann']) {
    await page.getByLabel('Navn').fill(name);
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.waitForURL('**/customers/');
    await page.goBack();
    await page.waitForURL('**/customers/create/');
    await expect.poll(async () => page.getByLabel('Navn').inputValue()).toBe('');
  }
  expect(saved).toEqual(['Kari Nordmann', 'Ola Nordmann']);
});

test('a dialog that cannot be loaded shows an error, and opens at the next try', async () => {
  const code = '**/assets/ModalContent-*.js*';
  const { page, api } = await here.open('/customers/1/edit/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: async (screen) => lose(screen.page, code),
  });
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  await page.getByText('Dialogen kunne ikke vises').waitFor();
  await inspect(page, 'dialog-not-loaded');
  await page.unroute(code);
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Slette kunde' });
  await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Ingen kunder ennå').waitFor();
  expect(page.url()).toContain('/customers/');
  expect(api.asked(deleteCustomer)).toHaveLength(1);
});
