import type { Locator, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';

import { eventually } from '../server/testing/until.ts';
import { PHONE, visit } from './support/browser.ts';
import { openBusinessRegister, REGISTERED } from './support/business-register.ts';
import { inspect } from './support/inspect.ts';
import { REGISTER_URL, stage, WITH_ALL } from './support/faktur.ts';
import { finishPaying } from './support/features.ts';
import { addCustomer, call, completeProfile, openPdf, signUp } from './support/person.ts';

// Complete journeys of three users, from the landing page to a paid invoice, only through the screens.

const here = stage(WITH_ALL);

/** Signs up from the landing page with the code from the mail. */
async function comeIn(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Registrer deg' }).click();
  await page.getByRole('heading', { name: 'Registrer deg' }).waitFor();
  await page.getByLabel('E-post').fill(email);
  await page.getByRole('button', { name: 'Registrer deg' }).click();
  await page.getByLabel('Kode').fill(await here.faktur.mailbox.takeCode(email));
  await page.getByRole('region', { name: 'Kom i gang' }).waitFor();
}

interface Business {
  readonly name: string;
  readonly email: string;
  readonly hasVat: boolean;
}

/** Fills in the profile, the first step of 'Kom i gang', and returns to the invoices. */
async function fillProfile(page: Page, { name, email, hasVat }: Business): Promise<void> {
  await page.getByRole('link', { name: 'Fullfør profilen' }).click();
  await page.getByLabel('Firmanavn').fill(name);
  await page.getByLabel('Organisasjonsnummer').fill('123 456 785');
  await page.getByLabel('E-post', { exact: true }).fill(email);
  if (hasVat) await page.getByLabel('Registrert i Merverdiavgiftsregisteret').check();
  await page.getByLabel('Fakturaadresse', { exact: true }).fill('Strandgata 12');
  await page.getByLabel('Postnummer').fill('5003');
  await page.getByLabel('Poststed').fill('Bergen');
  await page.getByLabel('Kontonummer').fill('8601 11 17947');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();
  await page.getByRole('link', { name: 'Fakturaer' }).click();
}

// PRO-15, PRO-16
test('a hairdresser with a phone comes to the first sent invoice with seven presses and eight fields, and marks it as paid', async () => {
  const register = await openBusinessRegister();
  onTestFinished(async () => register.close());
  const { page, complaints } = await visit(here.browser, here.faktur.url, {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await page.route(`${REGISTER_URL}/**`, async (route) =>
    route.continue({ url: route.request().url().replace(REGISTER_URL, register.url) }),
  );
  const done = { presses: 0, fields: 0 };
  const press = async (role: 'link' | 'button', name: string) => {
    done.presses += 1;
    await page.getByRole(role, { name }).tap();
  };
  const type = async (label: string, text: string) => {
    done.fields += 1;
    await page.getByLabel(label, { exact: true }).fill(text);
  };
  await page.goto('/');
  await press('link', 'Registrer deg');
  await page.getByRole('heading', { name: 'Registrer deg' }).waitFor();
  await type('E-post', 'siv@saks.no');
  await press('button', 'Registrer deg');
  // The last letter of the code sends it.
  await type('Kode', await here.faktur.mailbox.takeCode('siv@saks.no'));
  await press('link', 'Fullfør profilen');
  await type('Organisasjonsnummer', REGISTERED.withSubUnit);
  await type('Kontonummer', '8601 11 17947');
  await page.getByText('Registrert som EKSEMPEL AS').waitFor();
  await press('button', 'Oppdater');
  await press('link', 'Lag din første faktura');
  // The first invoice begins with the first customer. A name and an address are enough.
  const customer = page.getByRole('region', { name: 'Ny kunde' });
  const hasFocus = async (field: Locator) =>
    expect.poll(async () => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await hasFocus(customer.getByLabel('Navn'));
  await type('Navn', 'Berit Aas');
  await type('E-post', 'berit@aas.no');
  await press('button', 'Opprett kunde');
  await hasFocus(page.getByLabel('Beskrivelse'));
  await type('Beskrivelse', 'Klipp og farge');
  await type('Pris eks. mva.', '1160');
  await press('button', 'Registrer og send 1 450,00 kr');
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  expect(done).toEqual({ presses: 7, fields: 8 });
  const mail = await here.faktur.mailbox.take('berit@aas.no');
  expect(mail.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');

  // Berit pays at once, and the invoice can be marked as paid without scrolling.
  await page.getByRole('table').getByText('Utsendt').waitFor();
  const paid = page.getByRole('button', { name: 'Sett faktura 1 til betalt' });
  await paid.waitFor();
  const bottom = await paid.evaluate((button) => button.getBoundingClientRect().bottom + scrollY);
  expect(bottom).toBeLessThanOrEqual(PHONE.height);
  await paid.tap();
  await finishPaying(page);
  await page.getByRole('table').getByText('Betalt').waitFor();
  await inspect(page, 'journey-hairdresser');
  expect(complaints).toEqual([]);
});

test('a hairdresser sends an invoice to a known customer with five presses and one screen', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url, {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await signUp(page, here.faktur, 'anna@saks.no');
  await completeProfile(page);
  await addCustomer(page, 'Berit Aas', { email: 'berit@saks.no' });
  await page.context().clearCookies();
  await page.goto('/auth/login/');
  await page.waitForLoadState('networkidle');
  const seen = ['/auth/login/'];
  page.on('framenavigated', (frame) => {
    const { pathname } = new URL(frame.url());
    if (pathname !== seen.at(-1)) seen.push(pathname);
  });

  // The offer of a passkey was declined before (SEC-17).
  await page.evaluate(() => localStorage.setItem('faktur.passkey-offer', 'declined'));
  let presses = 0;
  const press = async (control: Locator) => {
    await control.tap();
    presses += 1;
  };
  const button = (name: string) => page.getByRole('button', { name });
  // A field that has the focus takes no press.
  const hasFocus = async (field: Locator) =>
    expect.poll(async () => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await hasFocus(page.getByLabel('E-post'));
  await page.getByLabel('E-post').fill('anna@saks.no');
  await press(page.getByRole('button', { name: 'Logg inn', exact: true }));
  // The last letter of the code sends it.
  await page.getByLabel('Kode').fill(await here.faktur.mailbox.takeCode('anna@saks.no'));
  await press(page.getByRole('link', { name: 'Lag ny' }));
  await hasFocus(page.getByLabel('Søk etter kunde'));
  await press(page.getByRole('option', { name: /^Berit Aas/ }));
  await hasFocus(page.getByLabel('Beskrivelse'));
  await page.getByLabel('Beskrivelse').fill('Klipp');
  await press(page.getByLabel('Pris eks. mva.'));
  await page.getByLabel('Pris eks. mva.').fill('480');
  await press(button('Registrer og send'));
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  await here.faktur.mailbox.take('berit@saks.no');
  expect(presses).toBe(5);
  // The message comes before the list does.
  await expect
    .poll(() => seen)
    .toEqual([
      '/auth/login/',
      '/auth/magic-link/',
      '/invoices/',
      '/invoices/create/',
      '/invoices/',
    ]);
  expect(complaints).toEqual([]);
});

test('a carpenter bills half hours, corrects a draft, and opens the document that the customer got', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await comeIn(page, 'ola@fjordlys.no');
  await fillProfile(page, { name: 'Fjordlys Snekkeri', email: 'ola@fjordlys.no', hasVat: true });

  await page.getByRole('link', { name: 'Legg til en kunde' }).click();
  await page.getByLabel('Navn').fill('Nordnes Kaffebar');
  await page.getByLabel('E-post').fill('faktura@nordnes.no');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde opprettet!').waitFor();
  await page.getByRole('link', { name: 'Fakturaer' }).click();
  await page.getByRole('link', { name: 'Skriv en faktura' }).click();
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Antall').fill('7,5');
  await line.getByLabel('Enhet').selectOption({ label: 'time' });
  await line.getByLabel('Beskrivelse').fill('Snekkerarbeid');
  await line.getByLabel('Pris eks. mva.').fill('850');
  await page.getByText('7 968,75 kr', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();

  await page.getByRole('cell', { name: 'Nordnes Kaffebar', exact: true }).click();
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  // Add a forgotten hour and a message of thanks.
  await page.getByRole('link', { name: 'Endre' }).click();
  await page.getByRole('heading', { name: 'Endre faktura' }).waitFor();
  await line.getByLabel('Antall').fill('8,5');
  await page.getByRole('button', { name: 'Flere valg' }).click();
  await page.getByLabel('Melding til kunden').fill('Takk for oppdraget!');
  await page.getByText('9 031,25 kr').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura oppdatert!').waitFor();
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await page.getByRole('heading', { name: 'Faktura 1' }).waitFor();
  const mail = await here.faktur.mailbox.take('faktura@nordnes.no');
  expect(mail.text).toContain('Takk for oppdraget!');
  await openPdf(page);
  await page.getByText('8,5\u00A0timer').waitFor();
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await finishPaying(page);
  await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();
  await inspect(page, 'journey-carpenter');
  expect(complaints).toEqual([]);
});

/** Milliseconds. Long enough for a busy machine. */
const SENDING_MS = 180_000;
const MEMBERS = Array.from({ length: 45 }, (_, index) => ({
  name: `Medlem ${index + 1}`,
  email: `medlem${index + 1}@idrettslaget.no`,
}));

test('a treasurer bills 45 members at once, and marks the paid invoices', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await comeIn(page, 'kasserer@idrettslaget.no');
  await fillProfile(page, {
    name: 'Idrettslaget',
    email: 'kasserer@idrettslaget.no',
    hasVat: false,
  });

  // Paste the list from a spreadsheet, and import it into a new group.
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByRole('link', { name: 'Importer', exact: true }).click();
  const rows = MEMBERS.map(({ name, email }) => `${name}\t${email}`);
  await page.getByLabel('Rader fra et regneark').fill(['Navn\tE-post', ...rows].join('\n'));
  await page.getByRole('button', { name: 'Les radene' }).click();
  await page.getByText('45 nye kunder og ingen feil.').waitFor();
  await page.getByLabel('Legg alle i en kundegruppe').selectOption('Ny gruppe …');
  await page.getByLabel('Navn på gruppen').fill('Medlemmer');
  await page.getByRole('button', { name: 'Importer 45 kunder' }).click();
  await page.getByText('45 kunder er importert!').waitFor();
  await page.getByRole('link', { name: 'Åpne gruppen' }).click();
  // The screen of the import has a link of the same name.
  await page.getByRole('heading', { name: 'Endre kundegruppe' }).waitFor();
  await page.getByRole('link', { name: 'Fakturer gruppen' }).click();
  await page.getByText('Medlemmer (45 kunder)').waitFor();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Medlemskontingent');
  await line.getByLabel('Pris').fill('450');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText(/^45 utkast/).waitFor();
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  await eventually(
    async () => (await sentOf(page)) === MEMBERS.length || undefined,
    'every member to be mailed',
    SENDING_MS,
  );
  for (const { email } of MEMBERS) await here.faktur.mailbox.take(email);

  // The first twenty have paid. Mark them together with the date from the bank.
  await page.getByLabel('Status').selectOption('Ikke betalt');
  const number = page.getByRole('columnheader', { name: 'Nummer' }).getByRole('button');
  await number.click();
  await number.click();
  await page.getByRole('button', { name: 'Sett faktura 1 til betalt' }).waitFor();
  await page.getByRole('checkbox', { name: 'Velg alle på siden' }).check();
  const chosen = page.getByRole('region', { name: 'Valgte fakturaer' });
  await chosen.getByText('20 valgt').waitFor();
  await chosen.getByRole('button', { name: 'Sett til betalt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sett til betalt' });
  await dialog.getByRole('button', { name: 'Sett til betalt' }).click();
  await page.getByText('20 fakturaer satt til betalt').waitFor();
  await page.getByText('25 fakturaer').first().waitFor();
  await inspect(page, 'journey-treasurer');
  expect(complaints).toEqual([]);
});

async function sentOf(page: Page): Promise<number> {
  const { summary } = await call<{ summary: { sent: number } }>(page, 'GET', '/api/invoices/');
  return summary.sent;
}
