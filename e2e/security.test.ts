import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import { call, completeProfile, createAccount } from './support/person.ts';

const here = stage(WITH_ALL);

// SEC-3, SEC-6
test('a session is ended from another browser', async () => {
  const email = 'to-steder@fjordlys.no';
  const lost = await visit(here.browser, here.faktur.url);
  await createAccount(lost.page, here.faktur, email);
  await completeProfile(lost.page);
  const found = await visit(here.browser, here.faktur.url);
  const token = await here.faktur.ask('makeLoginLink', email);
  await call(found.page, 'POST', '/api/users/login/verify/', { token });
  await found.page.goto('/profile/#security');
  const list = found.page.getByRole('list', { name: 'Innlogginger' });
  await list.getByRole('button', { name: 'Logg ut Chrome på Linux' }).click();
  await found.page.getByText('Nettleseren er logget ut!').waitFor();
  await expect.poll(async () => list.getByRole('listitem').count()).toBe(1);
  await lost.page.goto('/invoices/');
  await lost.page.getByRole('heading', { name: 'Logg inn' }).waitFor();
  expect(found.complaints).toEqual([]);
});

// SEC-8, SEC-9, SEC-10
test('another bank account is saved after a proof, with what was typed', async () => {
  const email = 'ny-konto@fjordlys.no';
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  await here.faktur.ask('endProofs', email);
  await page.goto('/profile/');
  const account = page.getByLabel('Kontonummer');
  await account.fill('1503.20.80119');
  await page.getByRole('button', { name: 'Oppdater' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bekreft at det er deg' });
  await dialog.getByText(email).waitFor();
  await inspect(page, 'proof');
  const first = await here.faktur.mailbox.takeProofCode(email);
  // Given up: nothing is saved, and nothing of it is lost.
  await dialog.getByRole('button', { name: 'Avbryt' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await account.inputValue()).toBe('1503.20.80119');
  await page.getByRole('button', { name: 'Oppdater' }).click();
  await dialog.getByLabel('Kode').fill('AAAAAA');
  await page.getByText('Koden eller lenken er feil, brukt eller utløpt').waitFor();
  await dialog.getByLabel('Kode').fill(first);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Profil oppdatert!').waitFor();
  await page.reload();
  await account.waitFor();
  expect(await account.inputValue()).toBe('1503.20.80119');
  expect(complaints).toEqual([]);
});

// SEC-10
test('one is asked above another dialog, and a proof in another tab counts', async () => {
  const email = 'to-faner@fjordlys.no';
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  const other = await page.context().newPage();
  await other.goto('/profile/');
  await other.getByRole('heading', { name: 'Profil', level: 1 }).waitFor();
  await follow(other, '/profile/members/');
  await page.goto('/profile/members/');
  await here.faktur.ask('endProofs', email);
  for (const [tab, invited] of [
    [other, 'en@fjordlys.no'],
    [page, 'to@fjordlys.no'],
  ] as const) {
    await tab.getByRole('button', { name: 'Inviter' }).click();
    await tab.getByLabel('E-post').fill(invited);
    await tab.getByRole('button', { name: 'Send invitasjon' }).click();
    await tab.getByRole('dialog', { name: 'Bekreft at det er deg' }).waitFor();
  }
  await here.faktur.mailbox.takeProofCode(email);
  await page.getByLabel('Kode').fill(await here.faktur.mailbox.takeProofCode(email));
  for (const [tab, invited] of [
    [page, 'to@fjordlys.no'],
    [other, 'en@fjordlys.no'],
  ] as const) {
    await tab.getByText(`Invitasjonen er sendt til ${invited}!`).waitFor();
  }
  await other.close();
  expect(complaints).toEqual([]);
});

interface Authenticator {
  readonly client: CDPSession;
  readonly authenticatorId: string;
}

async function keysOf({ client, authenticatorId }: Authenticator) {
  return (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}

/** Gives a page an authenticator that verifies its person at once. It is gone with the page's next address. */
async function addAuthenticator(
  page: Page,
  keys: Awaited<ReturnType<typeof keysOf>> = [],
): Promise<Authenticator> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of keys) {
    await client.send('WebAuthn.addCredential', { authenticatorId, credential });
  }
  return { client, authenticatorId };
}

/** Logs the page out and, by a mailed code, in again. */
async function logInAgain(page: Page, email: string): Promise<void> {
  await call(page, 'GET', '/api/users/logout/');
  await page.goto('/auth/login/');
  await page.getByLabel('E-post').fill(email);
  await page.getByRole('button', { name: 'Logg inn', exact: true }).click();
  await page.getByLabel('Kode').fill(await here.faktur.mailbox.takeCode(email));
}

// SEC-13, SEC-16, SEC-17
test('a passkey is offered after a login, made, renamed, used on another visit and removed', async () => {
  const email = 'nokkel@fjordlys.no';
  const { page, complaints } = await visit(here.browser, here.faktur.url, { alone: true });
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  const list = page.getByRole('heading', { name: 'Fakturaer', level: 1 });
  const offer = page.getByRole('heading', { name: 'Logg inn raskere neste gang?' });
  await logInAgain(page, email);
  await offer.waitFor();
  await inspect(page, 'passkey-offer');
  await page.getByRole('button', { name: 'Ikke nå' }).click();
  await list.waitFor();
  // Once in thirty days.
  await logInAgain(page, email);
  await list.waitFor();
  await page.evaluate(() => localStorage.setItem('faktur.passkey-offer', '2026-01-01'));
  await logInAgain(page, email);
  await offer.waitFor();
  await page.getByRole('button', { name: 'Nei takk' }).click();
  await list.waitFor();
  expect(await page.evaluate(() => localStorage.getItem('faktur.passkey-offer'))).toBe('declined');
  await page.evaluate(() => localStorage.removeItem('faktur.passkey-offer'));
  await logInAgain(page, email);
  await offer.waitFor();
  const authenticator = await addAuthenticator(page);
  await page.getByRole('button', { name: 'Lag passnøkkel' }).click();
  await list.waitFor();
  const made = await keysOf(authenticator);

  await page.goto('/profile/#security');
  const keys = page.getByRole('list', { name: 'Passnøkler' });
  await keys.getByText('Passnøkkel 1').waitFor();
  await inspect(page, 'passkeys');
  await keys.getByRole('button', { name: 'Endre navnet på Passnøkkel 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Navn på passnøkkelen' });
  await dialog.getByLabel('Navn').fill('Telefonen');
  // By keyboard: a second click at the same place would be taken for a double tap.
  await dialog.getByRole('button', { name: 'Lagre' }).press('Enter');
  await keys.getByText('Telefonen').waitFor();
  await dialog.waitFor({ state: 'detached' });
  // Nobody who has one is asked.
  await page.evaluate(() => localStorage.removeItem('faktur.passkey-offer'));
  await logInAgain(page, email);
  await list.waitFor();
  // On the next visit it is enough.
  await call(page, 'GET', '/api/users/logout/');
  // Such an authenticator would take the browser's own offer in the field at once, before the button is pressed.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => Promise.resolve(false);
  });
  await page.goto('/auth/login/');
  await addAuthenticator(page, made);
  await page.getByRole('button', { name: 'Logg inn med passnøkkel' }).click();
  await list.waitFor();
  await page.goto('/profile/#security');
  await keys.getByRole('button', { name: 'Fjern Telefonen' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Fjern' }).press('Enter');
  await page.getByText('Passnøkkelen er fjernet!').waitFor();
  expect(complaints).toEqual([]);
});
