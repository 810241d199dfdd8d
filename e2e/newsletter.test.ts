import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { linkIn } from './support/mailbox.ts';

const here = stage();

test('a visitor subscribes to the newsletter and unsubscribes', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto('/');
  await page.getByRole('heading', { name: 'Fakturaer – enkelt.' }).waitFor();
  await page.getByText('hjelp@faktur.test').waitFor();
  await inspect(page, 'landing');
  expect(calls).not.toContain('/api/users/session/');

  await page.getByRole('button', { name: 'Meld på' }).click();
  await page.getByText('email is a required field').waitFor();
  await page.getByText('Dette må fylles ut.').waitFor();
  await page.getByLabel('E-post').fill('leser@eksempel.no');
  await page.getByRole('button', { name: 'Meld på' }).click();
  await page.getByText('E-post er meldt på!').waitFor();
  await inspect(page, 'landing-signed-up');

  const mail = await here.faktur.mailbox.take('leser@eksempel.no');
  await page.goto(linkIn(mail, '/emails/unsubscribe/'));
  await page.getByRole('heading', { name: 'Avregistrer e-post' }).waitFor();
  await inspect(page, 'unsubscribe');
  await page.getByRole('button', { name: 'Klikk for å avregistrere' }).click();
  await page.getByText('E-post er avregistrert!').waitFor();
  await page.getByRole('link', { name: 'Gå til hovedsiden' }).click();
  await page.getByRole('heading', { name: 'Fakturaer – enkelt.' }).waitFor();

  await page.goto('/emails/unsubscribe/');
  await page.getByRole('link', { name: 'Gå til hovedsiden' }).waitFor();
  expect(await page.getByRole('button', { name: 'Klikk for å avregistrere' }).count()).toBe(0);

  await page.goto('/emails/unsubscribe/?token=avkortet');
  await page.getByRole('button', { name: 'Klikk for å avregistrere' }).click();
  await page.getByText('Lenken er ikke gyldig.').waitFor();
  await inspect(page, 'unsubscribe-invalid');

  await page.getByRole('link', { name: 'Personvern' }).click();
  await page.getByRole('heading', { name: 'Personvern', exact: true }).waitFor();
  await inspect(page, 'privacy');
  expect(complaints).toEqual([]);
});

test('the landing page links to login and registration', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.goto('/');
  await page.getByRole('link', { name: 'Registrer deg' }).click();
  await page.waitForURL('**/auth/signup/');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Registrer deg');
});

test('on a slow connection the landing page works before its code is loaded, and keeps input', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  const line = Promise.withResolvers<void>();
  await page.route('**/assets/landing-form-*.js*', async (route) => {
    await line.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByText('hjelp@faktur.test').waitFor();
  await page.waitForLoadState('domcontentloaded');
  await page.getByLabel('E-post').fill('treg@eksempel.no');
  await page.getByRole('button', { name: 'Meld på' }).click();
  expect(await page.getByLabel('E-post').inputValue()).toBe('treg@eksempel.no');
  line.resolve();
  await page.getByText('E-post er meldt på!').waitFor();
  expect(await page.getByLabel('E-post').inputValue()).toBe('');
  expect(new URL(page.url()).search).toBe('');
  expect(complaints).toEqual([]);
});

test('the landing page reports when the code of its form cannot be loaded, and sends at the next try', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.route('**/assets/landing-form-*.js*', async (route) => route.abort());
  await page.goto('/');
  const field = page.getByLabel('E-post');
  await field.fill('utenkode@eksempel.no');
  await page.getByRole('button', { name: 'Meld på' }).click();
  await page.getByText('Får ikke kontakt med Faktur.').waitFor();
  expect(await field.inputValue()).toBe('utenkode@eksempel.no');
  await inspect(page, 'landing-no-contact');
  await page.unroute('**/assets/landing-form-*.js*');
  await page.getByRole('button', { name: 'Meld på' }).click();
  await page.getByText('E-post er meldt på!').waitFor();
  expect(await page.getByText('Får ikke kontakt med Faktur.').count()).toBe(0);
  await here.faktur.mailbox.take('utenkode@eksempel.no');
});

test('without an address for error reports, their code is not loaded', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  const hosts = new Set<string>();
  let weight = 0;
  page.on('response', async (response) => {
    hosts.add(new URL(response.url()).origin);
    if (response.url().endsWith('.js')) weight += (await response.body()).length;
  });
  const settings = page.waitForResponse('**/config.json');
  await page.goto('/auth/login/');
  await settings;
  await page.waitForLoadState('networkidle');
  expect([...hosts]).toEqual([here.faktur.url]);
  // Size before compression. The code of error reports would add 158 kB.
  expect(weight).toBeLessThan(500_000);
});
