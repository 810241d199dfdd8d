import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { linkIn } from './support/mailbox.ts';
import { addCustomer, signUp } from './support/person.ts';

const here = stage();

// ACC-20, ACC-22, ACC-24
test('a user logs in with a code and with a link', async () => {
  const { faktur, browser } = here;
  const email = 'kode-og-lenke@fjordlys.no';
  const first = await visit(browser, faktur.url);
  await signUp(first.page, faktur, email);
  await first.page.goto('/profile/');
  await first.page.getByRole('button', { name: 'Logg ut' }).first().click();
  await first.page.getByRole('heading', { name: 'Fakturaer – enkelt.' }).waitFor();
  await first.page.getByRole('link', { name: 'Logg inn' }).click();

  const { page } = first;
  await page.getByRole('button', { name: 'Logg inn', exact: true }).waitFor();
  await inspect(page, 'login');
  await page.getByLabel('E-post').fill('ikke en adresse');
  await page.getByRole('button', { name: 'Logg inn', exact: true }).click();
  await page.getByText('email must be a valid email').waitFor();
  await page.getByLabel('E-post').fill(email);
  await page.getByRole('button', { name: 'Logg inn', exact: true }).click();

  await page.getByRole('heading', { name: 'Sjekk din e-post for en kode' }).waitFor();
  await page.getByText(email).waitFor();
  await inspect(page, 'code');
  const hasFocus = async () =>
    page.getByLabel('Kode').evaluate((field) => field === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  const styleOf = async () =>
    page.getByLabel('Kode').evaluate((field) => getComputedStyle(field).textTransform);
  expect(await styleOf()).toBe('uppercase');
  await page.getByLabel('Kode').fill('abc');
  await page.getByRole('button', { name: 'Logg inn', exact: true }).click();
  await page.getByText('registrationToken must be exactly 6 characters').waitFor();
  // A whole code is sent by itself.
  await page.getByLabel('Kode').fill('xxxxxx');
  await page.getByText('Bad Request').waitFor();
  await expect.poll(hasFocus).toBe(true);
  // Lower case is accepted, and the request has upper case.
  const code = await faktur.mailbox.takeCode(email);
  await page.getByLabel('Kode').fill(` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`);
  await page.waitForURL('**/invoices/');
  expect(first.complaints).toEqual([]);
  await first.close();

  const second = await visit(browser, faktur.url);
  await second.page.goto('/auth/login/');
  await second.page.getByLabel('E-post').fill(email);
  await second.page.getByRole('button', { name: 'Logg inn', exact: true }).click();
  const mail = await faktur.mailbox.take(email);
  const link = linkIn(mail, '/auth/magic-link/');
  await second.page.goto(link);
  await second.page.waitForURL('**/invoices/');
  await second.close();

  // The link works once. Afterwards the screen says so and still accepts a code.
  const third = await visit(browser, faktur.url);
  await third.page.goto(link);
  await third.page.getByText('Lenken virker ikke lenger.').waitFor();
  // So does a message, as of every change that fails (WEB-12).
  await third.page.getByText('Bad Request').waitFor();
  await third.page.getByLabel('E-post').waitFor();
  await inspect(third.page, 'code-link-used');
  await third.close();
});

test('a session that ended elsewhere leads to the login, and the next account sees only its own data', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await signUp(page, here.faktur, 'den-forste@fjordlys.no');
  await addCustomer(page, 'Kunde av den første');
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByText('Kunde av den første').waitFor();

  // Log out as another tab would, without the knowledge of this one.
  await page.request.get('/api/users/logout/');
  await page.getByRole('link', { name: 'Kundegrupper' }).click();
  await page.getByRole('heading', { name: 'Logg inn' }).waitFor();

  await page.getByRole('link', { name: 'Registrer deg' }).click();
  await page.getByRole('heading', { name: 'Registrer deg' }).waitFor();
  await page.getByLabel('E-post').fill('den-andre@fjordlys.no');
  await page.getByRole('button', { name: 'Registrer deg' }).click();
  await page.getByLabel('Kode').fill(await here.faktur.mailbox.takeCode('den-andre@fjordlys.no'));
  await page.waitForURL('**/invoices/');
  // The answer never comes, so the screen could only show cached data.
  await page.route('**/api/customers/', () => undefined);
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByRole('heading', { name: 'Kunder' }).waitFor();
  expect(await page.getByText('Kunde av den første').count()).toBe(0);
});

test('logging in or out in one tab changes the other tabs at once', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  const other = await page.context().newPage();
  const asked: string[] = [];
  other.on('request', (request) => {
    if (request.url().includes('/users/session/')) asked.push(request.url());
  });
  await other.goto('/auth/login/');
  await other.getByRole('heading', { name: 'Logg inn' }).waitFor();
  // The absence of a session is cached between screens like any response.
  await other.getByRole('link', { name: 'Kunder' }).click();
  await other.getByRole('link', { name: 'Registrer deg' }).click();
  await other.getByRole('heading', { name: 'Registrer deg' }).waitFor();
  expect(asked).toHaveLength(1);
  const landing = await page.context().newPage();
  await landing.goto('/');

  await signUp(page, here.faktur, 'to-faner@fjordlys.no');
  await other.waitForURL('**/invoices/');
  await other.getByText('Ingen fakturaer ennå').waitFor();
  await landing.getByRole('link', { name: 'Logg inn' }).waitFor({ state: 'hidden' });
  await follow(page, '/profile/');
  await page.getByRole('button', { name: 'Logg ut' }).first().click();
  await other.waitForURL('**/auth/login/');
  await landing.getByRole('link', { name: 'Logg inn' }).waitFor();
});

// ACC-21, ACC-22
test('a new code is requested with the same kind of mail as the first one', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  const email = 'ny-kode@fjordlys.no';
  await page.goto('/auth/signup/');
  await page.getByLabel('E-post').fill(email);
  await page.getByRole('button', { name: 'Registrer deg' }).click();
  await page.waitForURL('**/auth/magic-link/');
  const first = await here.faktur.mailbox.takeCode(email);
  await page.reload();
  await page.getByRole('button', { name: 'Send en ny kode' }).click();
  await page.getByText('Ny kode er sendt!').waitFor();
  const second = await here.faktur.mailbox.takeCode(email);
  expect(second).not.toBe(first);
  await page.getByLabel('Kode').fill(second);
  await page.waitForURL('**/invoices/');

  // Users who log in get another login mail.
  const returning = await visit(here.browser, here.faktur.url);
  await returning.page.goto('/auth/login/');
  await returning.page.getByLabel('E-post').fill(email);
  await returning.page.getByRole('button', { name: 'Logg inn', exact: true }).click();
  const [asked] = await Promise.all([
    returning.page.waitForRequest('**/login/email/'),
    returning.page.getByRole('button', { name: 'Send en ny kode' }).click(),
  ]);
  expect(asked.postDataJSON()).toEqual({ email });
  await returning.close();
  await page.close();
});
