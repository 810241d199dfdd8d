import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { linkIn } from './support/mailbox.ts';

const here = stage();

// ACC-1, NEWS-7, NEWS-8, WEB-8
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
