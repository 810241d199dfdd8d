import { expect, test } from 'vitest';

import { SCREENS } from '../web/app/routes.ts';
import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITHOUT } from './support/faktur.ts';
import { linkIn } from './support/mailbox.ts';
import { addCustomer, call, completeProfile, createAccount, signUp } from './support/person.ts';

const here = stage();
const withoutFeatures = stage(WITHOUT);

test('a user logs in with a code and with a link', async () => {
  const { faktur, browser } = here;
  const email = 'kode-og-lenke@fjordlys.no';
  const first = await visit(browser, faktur.url);
  await signUp(first.page, faktur, email);
  await first.page.goto('/profile/');
  await first.page.getByRole('button', { name: 'Logg ut' }).click();
  await first.page.getByRole('heading', { name: 'Fakturaer – enkelt.' }).waitFor();
  await first.page.getByRole('link', { name: 'Logg inn' }).click();

  const { page } = first;
  await page.getByRole('button', { name: 'Logg inn' }).waitFor();
  await inspect(page, 'login');
  await page.getByLabel('E-post').fill('ikke en adresse');
  await page.getByRole('button', { name: 'Logg inn' }).click();
  await page.getByText('email must be a valid email').waitFor();
  await page.getByLabel('E-post').fill(email);
  await page.getByRole('button', { name: 'Logg inn' }).click();

  await page.getByRole('heading', { name: 'Sjekk din e-post for en kode' }).waitFor();
  await page.getByText(email).waitFor();
  await inspect(page, 'code');
  const hasFocus = async () =>
    page.getByLabel('Kode').evaluate((field) => field === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  await page.getByLabel('Kode').fill('abc');
  await page.getByRole('button', { name: 'Logg inn' }).click();
  await page.getByText('registrationToken must be exactly 6 characters').waitFor();
  await page.getByLabel('Kode').fill('xxxxxx');
  await page.getByRole('button', { name: 'Logg inn' }).click();
  await page.getByText('Bad Request').waitFor();
  // Lower case is accepted, and the request has upper case.
  const code = await faktur.mailbox.takeCode(email);
  await page.getByLabel('Kode').fill(` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)}`);
  await page.getByRole('button', { name: 'Logg inn' }).click();
  await page.waitForURL('**/invoices/');
  expect(first.complaints).toEqual([]);
  await first.close();

  const second = await visit(browser, faktur.url);
  await second.page.goto('/auth/login/');
  await second.page.getByLabel('E-post').fill(email);
  await second.page.getByRole('button', { name: 'Logg inn' }).click();
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

test('screens that need a session redirect visitors to the login, and login screens redirect users', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  const protectedScreens = [
    '/invoices/',
    '/invoices/create/',
    '/invoices/1/',
    '/invoices/templates/',
    '/invoices/templates/create/',
    '/invoices/templates/1/',
    '/invoices/templates/1/edit/',
    '/customers/',
    '/customers/create/',
    '/customers/1/',
    '/customers/1/edit/',
    '/customers/groups/',
    '/customers/groups/create/',
    '/customers/groups/8f7f5b3e-0000-4000-8000-000000000000/edit/',
    '/profile/',
  ];
  for (const screen of protectedScreens) {
    await page.goto(screen);
    await page.waitForURL('**/auth/login/');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Logg inn');
  }
  await createAccount(page, here.faktur, 'vender-tilbake@fjordlys.no');
  for (const screen of ['/auth/login/', '/auth/signup/', '/auth/magic-link/']) {
    await page.goto(screen);
    await page.waitForURL('**/invoices/');
  }
});

test('the log-in form stays, with what is typed, while the session is asked for again', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  let asked = 0;
  let isHeld = false;
  const held = Promise.withResolvers<void>();
  await page.route('**/api/users/session/', async (route) => {
    asked += 1;
    if (isHeld) await held.promise;
    await route.abort();
  });
  await page.goto('/auth/login/');
  // Shown once the session could not be fetched, also at the last try.
  const field = page.getByLabel('E-post');
  await field.focus();
  await page.keyboard.type('kari@');
  isHeld = true;
  const before = asked;
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await expect.poll(() => asked).toBeGreaterThan(before);
  await page.keyboard.type('firma.no');
  expect(await field.inputValue()).toBe('kari@firma.no');
  held.resolve();
});

test('unknown addresses show a 404 screen', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'ingen@fjordlys.no');
  // A path that cannot name anything shows 404 at once, without a request.
  const asked: string[] = [];
  page.on('response', (response) => {
    if (/\/api\/(invoices|customers)\/./.test(response.url())) asked.push(response.url());
  });
  const nothing = [
    '/finnes-ikke/',
    '/invoices/123/',
    '/invoices/tull/',
    '/invoices/12345678901/',
    '/invoices/a%2Fb/',
    '/invoices/%00/',
    '/invoices/%25E0%25A4%25A/',
    `/invoices/${'x'.repeat(3000)}/`,
    '/customers/groups/a%2Fb/edit/',
    `/customers/groups/${'x'.repeat(3000)}/edit/`,
    '/invoices/templates/tull/',
    '/invoices/templates/1.5/edit/',
    '/invoices/templates/99/',
    '/invoices/templates/99/edit/',
    '/customers/77/',
    '/customers/tull/edit/',
    '/customers/groups/8f7f5b3e-0000-4000-8000-000000000000/edit/',
    '/customers/groups/tull/edit/',
  ];
  for (const screen of nothing) {
    await page.goto(screen);
    await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
    expect(asked.splice(0).length).toBeLessThanOrEqual(1);
  }
  expect(await page.title()).toContain('404');
  await inspect(page, 'not-found');
  await page.getByRole('link', { name: 'Tilbake' }).click();
  await page.waitForURL('**/invoices/');
});

test('addresses of a feature that is off show a 404 screen, and the menu leads to none', async () => {
  const { browser, faktur } = withoutFeatures;
  const { page } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'uten-tillegg@fjordlys.no');
  for (const screen of ['/payments/', '/payments/files/8f7f5b3e-0000-4000-8000-000000000000/']) {
    await page.goto(screen);
    await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
  }
  const menu = page.getByRole('navigation', { name: 'Hovedmeny' }).getByRole('link');
  expect(await menu.allTextContents()).toEqual(['Fakturaer', 'Kunder']);
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
  await page.getByRole('button', { name: 'Logg inn' }).click();
  await page.waitForURL('**/invoices/');
  // The answer never comes, so the screen could only show cached data.
  await page.route('**/api/customers/', () => undefined);
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByRole('heading', { name: 'Kunder' }).waitFor();
  expect(await page.getByText('Kunde av den første').count()).toBe(0);
});

test('a typed address is kept from login to registration and back', async () => {
  const visitor = await visit(here.browser, here.faktur.url);
  const { page } = visitor;
  await page.goto('/auth/login/');
  await page.getByLabel('E-post').fill('ny@fjordlys.no');
  await page.getByRole('link', { name: 'Registrer deg' }).click();
  await page.getByRole('heading', { name: 'Registrer deg' }).waitFor();
  expect(await page.getByLabel('E-post').inputValue()).toBe('ny@fjordlys.no');
  await page.getByLabel('E-post').fill('ny@fjordlys.com');
  await page.getByRole('main').getByRole('link', { name: 'Logg inn' }).click();
  await page.getByRole('heading', { name: 'Logg inn' }).waitFor();
  expect(await page.getByLabel('E-post').inputValue()).toBe('ny@fjordlys.com');
  await visitor.close();
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
  await page.goto('/profile/');
  await page.getByRole('button', { name: 'Logg ut' }).click();
  await other.waitForURL('**/auth/login/');
  await landing.getByRole('link', { name: 'Logg inn' }).waitFor();
});

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
  await page.getByRole('button', { name: 'Logg inn' }).click();
  await page.waitForURL('**/invoices/');

  // Users who log in get another login mail.
  const returning = await visit(here.browser, here.faktur.url);
  await returning.page.goto('/auth/login/');
  await returning.page.getByLabel('E-post').fill(email);
  await returning.page.getByRole('button', { name: 'Logg inn' }).click();
  const [asked] = await Promise.all([
    returning.page.waitForRequest('**/login/email/'),
    returning.page.getByRole('button', { name: 'Send en ny kode' }).click(),
  ]);
  expect(asked.postDataJSON()).toEqual({ email });
  await returning.close();
  await page.close();
});

test('every screen requests the session when the cached one is older than half a minute', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.clock.install();
  await signUp(page, here.faktur, 'hver-skjerm@fjordlys.no');
  // An export with an incomplete profile is refused with 409, and then the screen asks once more.
  await completeProfile(page);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/users/session/')) asked += 1;
  });
  const open = async (path: string) =>
    page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  await open('/privacy/');
  await page.getByRole('heading', { name: 'Personvern', level: 1 }).waitFor();
  const screens = SCREENS.filter((screen) => !screen.for);
  for (const { path } of screens) {
    // A screen whose code arrives late may ask before the next one is opened.
    const answered = page.waitForResponse('**/api/users/session/');
    await page.clock.fastForward(31_000);
    const address = path.replace(':uuid', crypto.randomUUID()).replace(':id', '1');
    await open(address);
    await (await answered).finished();
    // This response comes after the session, so the page has processed the session by then.
    await page.evaluate(async () => fetch('/robots.txt'));
  }
  expect(asked).toBe(screens.length);
  await open('/customers/');
  await page.getByText('Ingen kunder ennå').waitFor();
  await open('/invoices/');
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
  expect(asked).toBe(screens.length);

  // A screen with only a form also notices a session that ended elsewhere.
  await open('/customers/');
  await page.getByRole('link', { name: 'Ny kunde' }).first().waitFor();
  await call(page, 'GET', '/api/users/logout/');
  await page.clock.fastForward(31_000);
  await page.getByRole('link', { name: 'Ny kunde' }).first().click();
  await page.waitForURL('**/auth/login/');
  await page.close();
});

test('the header offers a login only after the session is known', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.route('**/api/users/session/', () => undefined);
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Profil' }).waitFor();
  expect(await page.getByRole('link', { name: 'Logg inn' }).count()).toBe(0);
  await inspect(page, 'invoices-waiting');
  await page.goto('/auth/login/');
  await page.getByRole('link', { name: 'Logg inn' }).waitFor();
  await page.getByRole('status', { name: 'Laster' }).waitFor();
  await inspect(page, 'login-waiting');
});
