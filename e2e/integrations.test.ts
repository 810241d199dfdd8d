import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { DESKTOP, PHONE, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import { addCustomer, completeProfile, createAccount } from './support/person.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../server/testing/webhook-receiver.ts';

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

describe('a webhook', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => receiver.close());
  const withReceiver = stage(() => ({ ...WITH_ALL, WEBHOOK_HOSTS: receiver.host }));

  // INT-25
  test('is made, tried, fails and comes right, and is told again', async () => {
    const { page } = await visit(withReceiver.browser, withReceiver.faktur.url);
    await createAccount(page, withReceiver.faktur, 'krok@fjord.no');
    await completeProfile(page);
    await page.goto('/profile/integrations/');
    await page.getByText('En webhook sier fra til et annet program').waitFor();
    await page.getByRole('button', { name: 'Lag webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Adresse').fill('http://fjord.example/');
    await dialog.getByRole('button', { name: 'Lag webhook' }).click();
    await dialog.getByText('Adressen må begynne med https://').waitFor();
    await dialog.getByLabel('Adresse').fill(receiver.url);
    await dialog.getByLabel('Beskrivelse').fill('Butikken');
    await dialog.getByLabel('Alt').uncheck();
    await dialog.getByLabel('Faktura er betalt', { exact: true }).check();
    await inspect(page, 'webhook-new');
    await dialog.getByRole('button', { name: 'Lag webhook' }).click();
    const secret = dialog.getByRole('textbox', { name: 'Hemmelighet' });
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'Ferdig' }).click();

    receiver.answer = (response) => response.writeHead(500).end('nede');
    await page.getByRole('button', { name: `Vis ${receiver.url}` }).click();
    await page.getByText('Ingen meldinger de siste 30 dagene').waitFor();
    await page.getByRole('button', { name: 'Send en prøve' }).click();
    await page.getByText(/Svarte 500\. Prøver igjen/).waitFor();
    await inspect(page, 'webhook-log');
    receiver.answer = (response) => response.writeHead(204).end();
    await page.getByText('Kom fram', { exact: true }).waitFor();
    expect(receiver.received).toHaveLength(2);

    const log = page.getByRole('table', { name: 'Meldinger' });
    await log.getByRole('button', { name: 'Vis' }).click();
    await dialog.getByText('nede').waitFor();
    await dialog.getByText('"hello":"Faktur"').waitFor();
    await inspect(page, 'webhook-message');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send på nytt' }).click();
    await receiver.waitFor(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);

    await page.getByRole('button', { name: 'Bytt hemmelighet' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Bytt' }).click();
    expect(await secret.inputValue()).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'Ferdig' }).click();
    await page.setViewportSize(PHONE);
    await inspect(page, 'webhook-phone');
  });
});
