import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';

import { readWithPoppler, removeFolder, temporaryFolder } from '../server/testing/poppler.ts';
import { follow, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect, takePicture } from './support/inspect.ts';
import { addCustomer, call, completeProfile, COMPANY, createAccount } from './support/person.ts';

const here = stage(WITH_ALL);
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

interface Listed {
  readonly uuid: string;
  readonly net_amount: number;
  readonly vat_amount: number;
  readonly gross_amount: number;
}

async function fillLine(page: Page, place: number, line: Record<string, string>): Promise<void> {
  const row = page.getByRole('listitem', { name: `Linje ${place}` });
  await row.getByLabel('Beskrivelse').fill(line['text'] ?? '');
  await row.getByLabel('Pris eks. mva.').fill(line['price'] ?? '');
  if (line['vat'])
    await row.getByLabel('Mva.', { exact: true }).selectOption({ label: line['vat'] });
}

async function newInvoice(page: Page, customer: RegExp, isLoaded = true): Promise<void> {
  await (isLoaded ? follow(page, '/invoices/create/') : page.goto('/invoices/create/'));
  await page.getByRole('option', { name: customer }).click();
}

/** Saves and registers the form, and returns the invoice. */
async function send(page: Page): Promise<Listed> {
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  await page.waitForURL('**/invoices/');
  const { results } = await call<{ results: Listed[] }>(page, 'GET', '/api/invoices/');
  const [latest] = results;
  if (!latest) throw new Error('No invoice was made');
  return latest;
}

/** The printed text and the EHF of an invoice. */
async function documentsOf(page: Page, { uuid }: Listed) {
  const pdf = await page.request.get(`/invoices/${uuid}/pdf/`);
  const ehf = await page.request.get(`/api/invoices/${uuid}/efaktura/`);
  const printed = readWithPoppler(folder, await pdf.body())
    .text()
    .replaceAll(/\s+/g, ' ');
  return { printed, ehf: await ehf.text() };
}

// VAT-10, VAT-11
test('a club sends fees outside of the VAT act, 25 % to its sponsor, and both on one invoice', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kasserer@mva.idrettslaget.no');
  await completeProfile(page);
  await addCustomer(page, 'Kari Medlem', { email: 'kari@medlem.no' });
  await addCustomer(page, 'Sponsor AS', {
    email: 'post@sponsor.no',
    org_number: '974760673',
  });

  // Its new lines begin as fees.
  await page.goto('/profile/');
  await page.getByLabel('Mva. på nye linjer').selectOption({ label: '0 % utenfor mva-loven' });
  await inspect(page, 'vat-profile');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await page.getByText('Profil oppdatert!').waitFor();

  await newInvoice(page, /^Kari/);
  const vat = page.getByLabel('Mva.', { exact: true });
  expect(await vat.locator('option').allTextContents()).toEqual([
    '25 %',
    '15 % næringsmidler',
    '12 %',
    '0 % fritatt',
    '0 % utførsel',
    '0 % utenfor mva-loven',
    '0 % omvendt avgiftsplikt',
  ]);
  await fillLine(page, 1, { text: 'Medlemskontingent', price: '850' });
  await page.getByText('Mva. 0 % utenfor mva-loven av 850,00').waitFor();
  const fee = await send(page);
  expect(fee).toMatchObject({ net_amount: 850, vat_amount: 0 });
  const { printed } = await documentsOf(page, fee);
  expect(printed).toContain('Unntatt fra merverdiavgiftsloven (kapittel 3)');

  await newInvoice(page, /^Sponsor/);
  await fillLine(page, 1, { text: 'Draktreklame', price: '20000', vat: '25 %' });
  expect(await send(page)).toMatchObject({ net_amount: 20_000, vat_amount: 5000 });

  await newInvoice(page, /^Sponsor/);
  await fillLine(page, 1, { text: 'Draktreklame', price: '1000', vat: '25 %' });
  await page.getByRole('button', { name: 'Legg til linje' }).click();
  await fillLine(page, 2, { text: 'Støttemedlem', price: '500' });
  await page.getByText('Mva. 25 % av 1\u00A0000,00').waitFor();
  await page.getByText('Mva. 0 % utenfor mva-loven av 500,00').waitFor();
  await inspect(page, 'vat-form');
  await page.setViewportSize({ width: 1440, height: 900 });
  await takePicture(page, 'vat-form-1440');
  const mixed = await send(page);
  expect(mixed).toMatchObject({ net_amount: 1500, vat_amount: 250, gross_amount: 1750 });
  const both = await documentsOf(page, mixed);
  expect(both.printed).toContain('0 % utenfor mva-loven 500,00');
  expect(both.ehf).toMatch(/<cbc:TaxableAmount currencyID="NOK">500.00<.*?<cbc:ID>E<\/cbc:ID>/);
  await follow(page, `/invoices/${mixed.uuid}/`);
  await page.getByRole('cell', { name: '0 % utenfor mva-loven' }).waitFor();
  await inspect(page, 'vat-invoice');
  expect(complaints).toEqual([]);
});

// VAT-11
test('a hotel sends 12 %, which was 6 % in 2020', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'resepsjon@hotellet.no');
  await call(page, 'POST', '/api/users/update/', {
    ...COMPANY,
    default_vat_treatment: 'REDUCED',
  });
  await addCustomer(page, 'Ola Gjest', { email: 'ola@gjest.no' });
  await newInvoice(page, /^Ola/, false);
  await fillLine(page, 1, { text: 'Overnatting', price: '1000' });
  await page.getByText('Mva. 12 % av 1\u00A0000,00').waitFor();
  // The rate follows the day of delivery.
  await page.getByRole('button', { name: 'Flere valg' }).click();
  const delivered = page.getByLabel('Leveringsdato', { exact: true });
  await delivered.fill('01.06.2020');
  await delivered.press('Tab');
  await page.getByText('Mva. 6 % av 1\u00A0000,00').waitFor();
  await delivered.fill('');
  await delivered.press('Tab');
  await page.getByText('Mva. 12 % av 1\u00A0000,00').waitFor();
  // A price that was typed with VAT stays when the day changes the rate.
  await page.getByLabel('Skriv priser inkl. mva.').check();
  await page.getByLabel('Pris inkl. mva.').fill('1060');
  await delivered.fill('01.06.2020');
  await delivered.press('Tab');
  await page.getByText('Mva. 6 % av 1\u00A0000,00').waitFor();
  expect(await page.getByLabel('Pris inkl. mva.').inputValue()).toMatch(/^1.060,00$/);
  await delivered.fill('');
  await delivered.press('Tab');
  await page.getByText('Mva. 12 % av 946,43').waitFor();
  await page.getByLabel('Pris inkl. mva.').fill('1120');
  const night = await send(page);
  expect(night).toMatchObject({ net_amount: 1000, vat_amount: 120 });
  expect((await documentsOf(page, night)).printed).toContain('12 % 1 000,00 120,00');
  expect(complaints).toEqual([]);
});

// VAT-7, VAT-11, VAT-12
test('what export and reverse charge demand is asked for in the form', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'eksport@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Verft AS', { email: 'post@verft.no', org_number: '974760673' });
  await addCustomer(page, 'Guld AB', { country: 'SE', email: 'post@guld.se' });

  await newInvoice(page, /^Verft/, false);
  await fillLine(page, 1, { text: 'Deler', price: '900', vat: '0 % utførsel' });
  await page.getByLabel('Leveringsland').selectOption({ label: 'Norge' });
  await page.getByText('Linje 1 er utførsel, men leveringslandet er Norge.').waitFor();
  await inspect(page, 'vat-export-norway');
  await page.getByLabel('Leveringsland').selectOption({ label: 'Danmark' });
  await inspect(page, 'vat-export');
  const { printed, ehf } = await documentsOf(page, await send(page));
  expect(printed).toContain('Leveringsland Danmark');
  expect(ehf).toContain('VATEX-EU-G');

  await newInvoice(page, /^Guld/);
  await fillLine(page, 1, { text: 'Gull', price: '900', vat: '0 % omvendt avgiftsplikt' });
  await page.getByText('Guld AB mangler mva-nummer').waitFor();
  await inspect(page, 'vat-reverse');

  // Delivered in Norway, an export is hinted at before it is registered, and registered.
  await newInvoice(page, /^Guld/, false);
  await fillLine(page, 1, { text: 'Gull', price: '900', vat: '0 % utførsel' });
  await page.getByLabel('Leveringsland').selectOption({ label: 'Norge' });
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  const question = page.getByRole('alertdialog', { name: /1 faktura/ });
  await question.getByText('leveringslandet er Norge').waitFor();
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.waitForURL('**/invoices/');
  const { results } = await call<{ results: { uuid: string }[] }>(page, 'GET', '/api/invoices/');
  await follow(page, `/invoices/${results[0]?.uuid}/`);
  await page.getByText('Se over dette før du registrerer').waitFor();
  expect(await page.getByRole('button', { name: 'Sett til betalt' }).isDisabled()).toBe(true);
  await inspect(page, 'vat-export-hint');
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await question.getByText('leveringslandet er Norge').waitFor();
  await question.getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByRole('heading', { name: /^Faktura \d+$/ }).waitFor();
  await follow(page, '/customers/2/edit/');
  await page.getByLabel('Mva-nummer').waitFor();
  expect(complaints).toEqual([]);
});
