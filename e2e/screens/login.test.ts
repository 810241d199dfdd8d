import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { getSession, verifyLogin } from '../../domain/session/session.endpoints.ts';
import { AppError } from '../../server/errors.ts';
import { SCREENS } from '../../web/app/routes.ts';
import { NO_ANSWER } from '../support/fake-api.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';

const here = screens();

/** Goes to an address without loading the page, as a link does. */
const goWithin = async (page: Page, path: string) =>
  page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

// ACC-23
test('screens that need a session redirect visitors to the login, and login screens redirect users', async () => {
  const { page, api, company } = await here.open('/privacy/', { isVisitor: true });
  // The app listens for addresses by then.
  await page.getByRole('heading', { level: 1, name: 'Personvern' }).waitFor();
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
    await goWithin(page, screen);
    await page.waitForURL('**/auth/login/');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Logg inn');
  }
  // So does one that is opened by its address.
  await page.goto('/invoices/1/');
  await page.waitForURL('**/auth/login/');
  api.answer(getSession, () => company.session);
  for (const screen of ['/auth/login/', '/auth/signup/', '/auth/magic-link/']) {
    await page.goto(screen);
    await page.waitForURL('**/invoices/');
  }
});

test('the log-in form stays, with what is typed, while the session is asked for again', async () => {
  let asked = 0;
  let isHeld = false;
  const held = Promise.withResolvers<void>();
  const { page } = await here.open('/auth/login/', {
    prepare: async (screen) =>
      screen.page.route('**/api/users/session/', async (route) => {
        asked += 1;
        if (isHeld) await held.promise;
        await route.abort();
      }),
  });
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

// WEB-1, WEB-4, WEB-5
test('unknown addresses show a 404 screen', async () => {
  const { page } = await here.open('/privacy/');
  const kept = [
    'Fakturaer, innbetalinger og historikk',
    'Resten av det du skriver inn',
    'Eksporter',
    'Kontoen din',
    'Innlogginger',
    'Adresser som avviser e-post',
    'Nyhetsbrevet',
  ];
  const others = ['Feilsøking', 'Utsending av e-post', 'Drift av server'];
  await expect
    .poll(async () => page.getByRole('term').allTextContents())
    .toEqual([...kept, ...others]);
  // WEB-1: the system's dark mode changes nothing.
  const lookOf = async () => [
    await page.locator('html').getAttribute('lang'),
    ...(await page.locator('body, h1, p').evaluateAll((parts) =>
      parts.map((part) => {
        const { color, backgroundColor, fontFamily } = getComputedStyle(part);
        return `${color} ${backgroundColor} ${fontFamily.split(',')[0]}`;
      }),
    )),
  ];
  const look = await lookOf();
  expect(look[0]).toBe('nb');
  for (const part of look.slice(1)) expect(part).toContain('"Space Grotesk Variable"');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await lookOf()).toEqual(look);
  await page.emulateMedia({ colorScheme: null });
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
  const heading = page.getByRole('heading', { name: '404 - Finner ikke siden' });
  const isNothing = async () => {
    await heading.waitFor();
    expect(asked.splice(0).length).toBeLessThanOrEqual(1);
  };
  for (const screen of nothing) {
    await goWithin(page, '/privacy/');
    await heading.waitFor({ state: 'hidden' });
    await goWithin(page, screen);
    await isNothing();
  }
  for (const screen of ['/finnes-ikke/', '/invoices/%00/', '/customers/77/']) {
    await page.goto(screen);
    await isNothing();
  }
  expect(await page.title()).toContain('404');
  await inspect(page, 'not-found');
  await page.getByRole('link', { name: 'Tilbake' }).click();
  await page.waitForURL('**/invoices/');
});

// WEB-2, WEB-6
test('addresses of a feature that is off show a 404 screen, and the menu leads to none', async () => {
  const { page } = await here.open('/payments/');
  await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
  await page.goto('/payments/files/8f7f5b3e-0000-4000-8000-000000000000/');
  await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Hovedmeny' }).getByRole('link');
  expect(await menu.allTextContents()).toEqual(['Fakturaer', 'Kunder']);
});

// ACC-20, ACC-21
test('a typed address is kept from login to registration and back', async () => {
  const { page } = await here.open('/auth/login/', { isVisitor: true });
  const hasFocus = async () =>
    page.getByLabel('E-post').evaluate((field) => field === document.activeElement);
  await page.getByLabel('E-post').waitFor();
  await expect.poll(hasFocus).toBe(true);
  await page.getByLabel('E-post').fill('ny@fjordlys.no');
  await page.getByRole('link', { name: 'Registrer deg' }).click();
  await page.getByRole('heading', { name: 'Registrer deg' }).waitFor();
  expect(await page.getByLabel('E-post').inputValue()).toBe('ny@fjordlys.no');
  await page.getByLabel('E-post').fill('ny@fjordlys.com');
  await page.getByRole('main').getByRole('link', { name: 'Logg inn' }).click();
  await page.getByRole('heading', { name: 'Logg inn' }).waitFor();
  expect(await page.getByLabel('E-post').inputValue()).toBe('ny@fjordlys.com');
});

// WEB-2, WEB-8
test('every screen requests the session when the cached one is older than half a minute', async () => {
  const { page, api } = await here.open('/privacy/', {
    features: 'all',
    alone: true,
    prepare: async (screen) => screen.page.clock.install(),
  });
  const asked = () => api.asked(getSession).length;
  const open = async (path: string) => goWithin(page, path);
  await page.getByRole('heading', { name: 'Personvern', level: 1 }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Hovedmeny' }).getByRole('link');
  const all = ['Fakturaer', 'Tilbud', 'Innbetalinger', 'Kunder', 'Produkter', 'Oversikt'];
  await expect.poll(async () => menu.allTextContents()).toEqual(all);
  await page.getByRole('contentinfo').getByText('hjelp@faktur.test').waitFor();
  const before = asked();
  const users = SCREENS.filter((screen) => !screen.for);
  for (const { path } of users) {
    // A screen whose code arrives late may ask before the next one is opened.
    const answered = page.waitForResponse('**/api/users/session/');
    await page.clock.fastForward(31_000);
    await open(path.replace(':uuid', crypto.randomUUID()).replace(':id', '1'));
    await (await answered).finished();
    // This response comes after the session, so the page has processed the session by then.
    await page.evaluate(async () => fetch('/robots.txt'));
  }
  expect(asked() - before).toBe(users.length);
  await open('/customers/');
  await page.getByText('Ingen kunder ennå').waitFor();
  await open('/invoices/');
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
  expect(asked() - before).toBe(users.length);

  // A screen with only a form also notices a session that ended elsewhere.
  await open('/customers/');
  await page.getByRole('link', { name: 'Ny kunde' }).first().waitFor();
  api.answer(getSession, () => {
    throw new AppError('not_logged_in');
  });
  await page.clock.fastForward(31_000);
  await page.getByRole('link', { name: 'Ny kunde' }).first().click();
  await page.waitForURL('**/auth/login/');
});

// ACC-20, WEB-2
test('the header offers a login only after the session is known', async () => {
  const { page } = await here.open('/invoices/', {
    prepare: ({ api }) => api.answer(getSession, async () => new Promise(() => undefined)),
  });
  await page.getByRole('link', { name: 'Profil' }).waitFor();
  expect(await page.getByRole('link', { name: 'Logg inn' }).count()).toBe(0);
  const product = page.getByRole('link', { name: 'Faktur', exact: true });
  expect(await product.getAttribute('href')).toBe('/invoices/');
  await inspect(page, 'invoices-waiting');
  await page.goto('/auth/login/');
  await page.getByRole('link', { name: 'Logg inn' }).waitFor();
  expect(await product.getAttribute('href')).toBe('/');
  await page.getByRole('status', { name: 'Laster' }).waitFor();
  await inspect(page, 'login-waiting');
});

// ACC-22
test('a login link whose request failed can be retried, and is not reported as used', async () => {
  let isAway = true;
  const { page } = await here.open('/auth/magic-link/?token=en-lenke', {
    isVisitor: true,
    prepare: ({ api, company }) =>
      api.answer(verifyLogin, () => {
        if (isAway) return NO_ANSWER;
        return company.session;
      }),
  });
  await page.getByText('Vi fikk ikke logget deg inn.').waitFor();
  expect(await page.getByText('Lenken virker ikke lenger.').count()).toBe(0);
  await inspect(page, 'login-link-unanswered');
  isAway = false;
  await page.getByRole('button', { name: 'Prøv igjen' }).click();
  await page.waitForURL('**/invoices/');
});
