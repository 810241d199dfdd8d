import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { stage } from './support/faktur.ts';
import { addCustomer, call, completeProfile, createAccount } from './support/person.ts';

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
  await page.route('**/api/**', async (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect.poll(async () => page.getByText('Får ikke kontakt med Faktur').count()).toBe(2);
  await page.unroute('**/api/**');

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await page.getByRole('button', { name: 'Lagre' }).dblclick();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByText(/^Ett utkast/).waitFor();
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
