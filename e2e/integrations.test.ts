import { expect, test } from 'vitest';

import { DESKTOP, PHONE, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import { addCustomer, completeProfile, createAccount } from './support/person.ts';

const here = stage(WITH_ALL);

// INT-7
test('a key is made, used by a program, and withdrawn', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'nettbutikk@fjord.no');
  await completeProfile(page);
  await addCustomer(page, 'Kari Nordmann');
  await page.goto('/profile/');
  await page.getByRole('link', { name: 'Integrasjoner' }).click();
  await page.getByText('Ingen nøkler ennå').waitFor();
  await inspect(page, 'integrations-empty');

  await page.getByRole('button', { name: 'Lag nøkkel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Navn').fill('Nettbutikken');
  await dialog.getByLabel('Lage og endre utkast, kunder og produkter').check();
  await inspect(page, 'integrations-new-key');
  await dialog.getByRole('button', { name: 'Lag nøkkel' }).click();
  const token = await dialog.getByRole('textbox', { name: 'API-nøkkel' }).inputValue();
  expect(token).toMatch(/^fkt_[a-z2-7]{32}$/);
  await dialog.getByRole('button', { name: 'Kopier' }).waitFor();
  await inspect(page, 'integrations-key');
  await dialog.getByRole('button', { name: 'Ferdig' }).click();
  await page.getByText('Se fakturaer, kunder og historikk, lage og endre utkast').waitFor();
  expect(await page.content()).not.toContain(token);

  const ask = async () =>
    fetch(`${here.faktur.url}/api/customers/`, { headers: { authorization: `Bearer ${token}` } });
  expect(await (await ask()).json()).toMatchObject([{ name: 'Kari Nordmann' }]);
  await page.reload();
  await page.getByText('Nettbutikken').waitFor();
  expect(await page.getByText('Ikke ennå').count()).toBe(0);
  await page.setViewportSize(PHONE);
  await inspect(page, 'integrations-phone');
  await page.setViewportSize(DESKTOP);

  await page.getByRole('button', { name: 'Trekk tilbake' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Trekk tilbake' }).click();
  await page.getByText('Nøkkelen er trukket tilbake!').waitFor();
  await page.getByText('Ingen nøkler ennå').waitFor();
  expect((await ask()).status).toBe(401);
});
