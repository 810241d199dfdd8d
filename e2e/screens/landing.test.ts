import { expect, test } from 'vitest';

import { signUpForNewsletter } from '../../domain/newsletter/newsletter.endpoints.ts';
import { inspect } from '../support/inspect.ts';
import { screens, type Screen } from '../support/screens.ts';

const here = screens();

const FORM_CODE = '**/assets/landing-form-*.js*';
const takeSubscribers = ({ api }: Screen) => api.answer(signUpForNewsletter, () => undefined);
const subscribers = ({ api }: Screen) =>
  api.asked(signUpForNewsletter).map(({ query: { email } }) => email);

// NEWS-7
test('the landing page links to login and registration', async () => {
  const { page } = await here.open('/', { isVisitor: true });
  const form = page.locator('form', { hasText: 'Hold deg oppdatert!' });
  expect((await form.boundingBox())?.width).toBe(400);
  expect(await form.getByRole('textbox').count()).toBe(1);
  const consent = form.getByRole('link', { name: 'personvernerklæringen' });
  expect(await consent.getAttribute('href')).toBe('/privacy/');
  const login = page.getByRole('link', { name: 'Logg inn' });
  expect(await login.getAttribute('href')).toBe('/auth/login/');
  await page.getByRole('link', { name: 'Registrer deg' }).click();
  await page.waitForURL('**/auth/signup/');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Registrer deg');
});

test('on a slow connection the landing page works before its code is loaded, and keeps input', async () => {
  const line = Promise.withResolvers<void>();
  const screen = await here.open('/', {
    isVisitor: true,
    waitUntil: 'commit',
    prepare: async (prepared) => {
      takeSubscribers(prepared);
      await prepared.page.route(FORM_CODE, async (route) => {
        await line.promise;
        await route.continue();
      });
    },
  });
  const { page, complaints } = screen;
  await page.getByText('hjelp@faktur.test').waitFor();
  await page.waitForLoadState('domcontentloaded');
  await page.getByLabel('E-post').fill('treg@eksempel.no');
  await page.getByRole('button', { name: 'Meld på' }).click();
  expect(await page.getByLabel('E-post').inputValue()).toBe('treg@eksempel.no');
  line.resolve();
  await page.getByText('E-post er meldt på!').waitFor();
  expect(await page.getByLabel('E-post').inputValue()).toBe('');
  expect(new URL(page.url()).search).toBe('');
  expect(subscribers(screen)).toEqual(['treg@eksempel.no']);
  expect(complaints).toEqual([]);
});

test('the landing page reports when the code of its form cannot be loaded, and sends at the next try', async () => {
  const screen = await here.open('/', {
    isVisitor: true,
    prepare: async (prepared) => {
      takeSubscribers(prepared);
      await prepared.page.route(FORM_CODE, async (route) => route.abort());
    },
  });
  const { page } = screen;
  const field = page.getByLabel('E-post');
  await field.fill('utenkode@eksempel.no');
  await page.getByRole('button', { name: 'Meld på' }).click();
  await page.getByText('Får ikke kontakt med Faktur.').waitFor();
  expect(await field.inputValue()).toBe('utenkode@eksempel.no');
  await inspect(page, 'landing-no-contact');
  await page.unroute(FORM_CODE);
  await page.getByRole('button', { name: 'Meld på' }).click();
  await page.getByText('E-post er meldt på!').waitFor();
  expect(await page.getByText('Får ikke kontakt med Faktur.').count()).toBe(0);
  expect(subscribers(screen)).toEqual(['utenkode@eksempel.no']);
});

test('without an address for error reports, their code is not loaded', async () => {
  const hosts = new Set<string>();
  const scripts: Promise<Buffer>[] = [];
  // In a context of its own, whose cache has no file yet.
  const { page, api } = await here.open('/auth/login/', {
    isVisitor: true,
    alone: true,
    prepare: (screen) =>
      void screen.page.on('response', (response) => {
        hosts.add(new URL(response.url()).origin);
        if (response.url().endsWith('.js')) scripts.push(response.body());
      }),
  });
  await page.getByRole('heading', { name: 'Logg inn' }).waitFor();
  await page.getByText('hjelp@faktur.test').waitFor();
  await page.waitForLoadState('networkidle');
  expect([...hosts]).toEqual([api.url]);
  const weight = (await Promise.all(scripts)).reduce((sum, { length }) => sum + length, 0);
  // Size before compression. The code of error reports would add 158 kB.
  expect(weight).toBeLessThan(500_000);
  expect(weight).toBeGreaterThan(100_000);
});
