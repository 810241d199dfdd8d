import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { linkIn } from './support/mailbox.ts';
import { addCustomer, call, completeProfile, createAccount, signUp } from './support/person.ts';

const here = stage();

test('typed input survives a lost connection and is then sent once', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'uten-nett@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Skrevet på toget');
  await line.getByLabel('Pris eks. mva.').fill('750,25');

  await page.context().setOffline(true);
  await page.getByText('Du er uten nett.').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Får ikke kontakt med Faktur').waitFor();
  expect(await line.getByLabel('Beskrivelse').inputValue()).toBe('Skrevet på toget');
  await page.context().setOffline(false);
  await page.getByText('Du er uten nett.').waitFor({ state: 'hidden' });

  // An unreachable server has another message than a lost network.
  await here.faktur.stop();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect.poll(async () => page.getByText('Får ikke kontakt med Faktur').count()).toBe(2);
  await here.faktur.start();

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await page.getByRole('button', { name: 'Lagre' }).dblclick();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByText('Du har ett utkast').waitFor();
  expect(sent).toHaveLength(1);
});

test('an invoice whose answer was lost is not said to be unsaved or unsent, and is not made twice', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'tapt-svar@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar', { email: 'faktura@nordnes.no' });
  const lose = async (path: string) =>
    page.route(path, async (route) => {
      await route.fetch();
      await route.abort();
    });
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /^Nordnes Kaffebar/ }).click();
  await page.getByLabel('Beskrivelse').fill('Skrevet på toget');
  await page.getByLabel('Pris eks. mva.').fill('100');
  await lose('**/api/invoices/create/');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Se om det er lagret likevel før du prøver igjen').waitFor();
  await page.unroute('**/api/invoices/create/');

  await lose('**/api/invoices/queue/');
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByText('Usikkert om alt er sendt').waitFor();
  await page.waitForURL('**/invoices/');
  expect(await page.getByText('Ikke registrert og sendt').count()).toBe(0);
  const { results } = await call<{ results: { status: string }[] }>(page, 'GET', '/api/invoices/');
  // Saved again, it had the key of the saving whose answer was lost (WIRE-22).
  expect(results.map(({ status }) => status)).toEqual(['REGISTERED']);
});

test('a login link whose request failed can be retried, and is not reported as used', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.goto('/auth/signup/');
  await page.getByLabel('E-post').fill('uten-svar@fjordlys.no');
  await page.getByRole('button', { name: 'Registrer deg' }).click();
  const link = linkIn(await here.faktur.mailbox.take('uten-svar@fjordlys.no'), '/auth/magic-link/');
  await page.route('**/api/users/login/verify/', async (route) => route.abort());
  await page.goto(link);
  await page.getByText('Vi fikk ikke logget deg inn.').waitFor();
  expect(await page.getByText('Lenken virker ikke lenger.').count()).toBe(0);
  await inspect(page, 'login-link-unanswered');
  await page.unroute('**/api/users/login/verify/');
  await page.getByRole('button', { name: 'Prøv igjen' }).click();
  await page.waitForURL('**/invoices/');
  await page.context().clearCookies();
  await page.goto(link);
  await page.getByText('Lenken virker ikke lenger.').waitFor();
});

test('a screen that cannot be loaded shows an error, and loads later', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await signUp(page, here.faktur, 'ingen-kode@fjordlys.no');
  await page.route('**/assets/CustomerListPage-*.js*', async (route) => route.abort());
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByText('An error has occurred').waitFor();
  await page.unroute('**/assets/CustomerListPage-*.js*');
  await page.getByRole('button', { name: 'Last siden på nytt' }).click();
  await page.getByText('Ingen kunder ennå').waitFor();
  expect(page.url()).toContain('/customers/');
});

test('a screen is shown when its code fails to load once', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  let times = 0;
  await page.route('**/assets/PrivacyPage-*.js*', async (route) => {
    // The import may wait for the preload that fails. Then the page asks for the file's status (HEAD) first.
    if (route.request().method() !== 'GET') return route.continue();
    times += 1;
    return times === 1 ? route.abort() : route.continue();
  });
  await page.goto('/privacy/');
  await page.getByRole('heading', { level: 1, name: /[Pp]ersonvern/ }).waitFor();
  expect(times).toBe(2);
});

/** Sets a mark on the page that a reload removes. */
const mark = async (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }));
const isMarked = async (page: Page) => page.evaluate(() => 'marked' in window);

test.each([
  ['its script', '**/assets/ProfilePage-*.js*'],
  ['a script that it needs', '**/assets/signed-in-*.js*'],
  ['its stylesheet', '**/assets/ProfilePage-*.css*'],
])('the next press shows a screen that lost %s', async (_, lost) => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, `neste${lost.length}@fjordlys.no`);
  await page.goto('/privacy/');
  await page.getByRole('heading', { level: 1, name: /[Pp]ersonvern/ }).waitFor();
  await mark(page);
  await page.route(lost, async (route) => route.abort());
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

test.each([
  ['script', '**/assets/ProfilePage-*.js*'],
  ['stylesheet', '**/assets/ProfilePage-*.css*'],
])('after a release whose screen has another %s the page is loaded anew, once', async (_, gone) => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, `utgave${gone.length}@fjordlys.no`);
  await page.goto('/privacy/');
  await page.getByRole('heading', { level: 1, name: /[Pp]ersonvern/ }).waitFor();
  await mark(page);
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

test('a dialog that cannot be loaded shows an error, and opens at the next try', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'ingen-dialog@fjordlys.no');
  const { customer_number: number } = await addCustomer(page, 'Nordnes Kaffebar');
  await page.route('**/assets/ModalContent-*.js*', async (route) => route.abort());
  await page.goto(`/customers/${number}/edit/`);
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  await page.getByText('Dialogen kunne ikke vises').waitFor();
  await inspect(page, 'dialog-not-loaded');
  await page.unroute('**/assets/ModalContent-*.js*');
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Slette kunde' });
  await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Ingen kunder ennå').waitFor();
  expect(page.url()).toContain('/customers/');
});

test('a failed search shows an error and can be retried', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'sok@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  // Only a 404 is not retried automatically.
  await page.route('**/api/customers/search/**', async (route) => route.fulfill({ status: 404 }));
  await page.goto('/invoices/create/');
  await page.getByText('Innholdet kunne ikke hentes.').waitFor();
  await inspect(page, 'invoice-create-search-error');
  await page.unroute('**/api/customers/search/**');
  await page.getByRole('button', { name: 'Prøv igjen' }).click();
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  expect(await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).count()).toBe(1);
});

test('a group that cannot be fetched is not left out of its invoice without a word', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'gruppe@fjordlys.no');
  await completeProfile(page);
  const { customer_number: number } = await addCustomer(page, 'Nordnes Kaffebar');
  const group = { group_name: 'Husleie', customers: [number] };
  const path = '/api/customers/groups/create/';
  const { uuid } = await call<{ uuid: string }>(page, 'POST', path, group);
  // A 403 is not retried automatically.
  await page.route(`**/api/customers/groups/${uuid}/`, async (route) =>
    route.fulfill({ status: 403 }),
  );
  await page.goto(`/invoices/create/?group=${uuid}`);
  await page.getByText('Innholdet kunne ikke hentes.').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).count()).toBe(0);
  await page.unroute(`**/api/customers/groups/${uuid}/`);
  await page.getByRole('button', { name: 'Prøv igjen' }).click();
  await page.getByText('Husleie (1 kunde)').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).isDisabled()).toBe(false);
});
