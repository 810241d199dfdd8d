import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { TEST_FEATURES } from '../server/testing/process.ts';
import { PHONE } from './support/browser.ts';
import { stage } from './support/faktur.ts';
import { COMPANY } from './support/person.ts';
import { visitInWebKit, type WebKitVisit } from './support/webkit.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results/screens');

// Journeys on a phone, in WebKit, the browser engine of every iPhone.
const here = stage();
let phone: WebKitVisit;

beforeAll(async () => {
  phone = await visitInWebKit(here.faktur.url);
});
afterAll(async () => phone?.close());

test('a user signs up, writes an invoice with a discount, sends it and marks it as paid', async () => {
  expect(await phone.run('return [innerWidth, innerHeight]')).toEqual([PHONE.width, PHONE.height]);
  await phone.goto('/auth/signup/');
  await phone.type('E-post', 'kari@telefon.fjordlys.no');
  await phone.press('Registrer deg');
  await phone.waitForPath('/auth/magic-link/');
  await phone.type('Kode', await here.faktur.mailbox.takeCode('kari@telefon.fjordlys.no'));
  await phone.waitForPath('/invoices/');
  await phone.see('Ingen fakturaer ennå');
  await post('/api/users/update/', COMPANY);
  await post('/api/customers/create/', { name: 'Nordnes Kaffebar', email: 'faktura@nordnes.no' });

  await phone.goto('/invoices/');
  await phone.press('Lag ny');
  await phone.see('Legg til kunde først');
  await phone.press('Nordnes Kaffebar');
  await phone.type('Beskrivelse', 'Klipp og farge');
  await phone.type('Pris eks. mva.', '1.234,50');
  await phone.press('Legg til linje');
  await phone.type('Beskrivelse', 'Rabatt', 1);
  await phone.type('Pris eks. mva.', '-100', 1);
  await phone.see('1 418,13 kr');
  await inspect('invoice-create');
  await phone.press('Lagre');
  await phone.waitForPath('/invoices/');
  await phone.see('Ett utkast');
  await inspect('invoices');

  await phone.press('Registrer og send faktura');
  await phone.see('Fakturaer lagt til utsending');
  await here.faktur.mailbox.take('faktura@nordnes.no');
  await pay('Sett faktura 1 til betalt');
  await phone.see('Betalt');
  await phone.goto('/invoices/1/');
  await phone.press('Ikke betalt');
  await pay('Sett til betalt');
  await phone.see('Klipp og farge');
  await inspect('invoice');
});

test('a user opens a customer, changes the profile and logs out', async () => {
  await phone.goto('/customers/1/');
  await phone.type('Navn', 'Nordnes Kaffebar AS');
  await phone.press('Lagre');
  await phone.see('Kunde oppdatert!');
  await phone.goto('/profile/');
  await phone.type('Poststed', 'Bergen sentrum');
  await phone.press('Oppdater');
  await phone.see('Profil oppdatert!');
  expect(await phone.valueOf('Kontonummer')).toBe('8601.11.17947');
  await inspect('profile');
  await phone.press('Logg ut');
  await phone.waitForPath('/');
  await phone.see('Fakturaer – enkelt.');
});

/** Presses the button, and confirms the dialog that it opens with `payments`. */
async function pay(button: string): Promise<void> {
  await phone.press(button);
  if (TEST_FEATURES !== 'all') return;
  // The card below the dialog has a button with the same name.
  await phone.see('Da er hele fakturaen betalt.');
  await phone.press('Registrer betaling');
}

/** Calls the API from the page. */
async function post(path: string, body: object): Promise<void> {
  const status = await phone.run<number>(
    `return fetch(arguments[0], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(arguments[1]),
    }).then(({ status }) => status)`,
    path,
    body,
  );
  expect(status).toBeLessThan(300);
}

/** Expects that nothing is wider than the phone, and saves a picture. */
async function inspect(name: string): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  await writeFile(join(PICTURES, `webkit-${name}.png`), await phone.picture());
  expect(await phone.run('return document.documentElement.scrollWidth')).toBe(PHONE.width);
}
