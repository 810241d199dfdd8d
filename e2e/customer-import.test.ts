import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { PHONE, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { addCustomer, call, completeProfile, createAccount } from './support/person.ts';

const here = stage();

async function choose(page: Page, name: string, content: string | Buffer): Promise<void> {
  const buffer = typeof content === 'string' ? Buffer.from(content) : content;
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

const OLD_LIST = Buffer.from(
  [
    'Medlemsnr;Fornavn;Etternavn;E-post;Mobil;Adresse;Postnr.;Poststed;Født',
    '101;Åse;Ærlig;ase@example.no;+47 912 34 567;"Kaia 2',
    '3. etasje";150;Oslo;1990',
    '102;Bjørn;Ødegård;bjorn@example;22334455;Storgata 1;6150;Ørsta;1985',
    '103;Cecilie;Dal;cecilie@example.no;;;;;1970',
    '103;Cecilia;Dahl;;;;;;1971',
  ].join('\r\n'),
  'latin1',
);

// IMP-7
test('a user imports members from an old list, corrects two rows, and gets a group of them', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kasserer@klubben.no');
  await completeProfile(page);
  await page.goto('/customers/');
  await page.getByRole('link', { name: 'Importer', exact: true }).click();
  await page.getByRole('heading', { name: 'Importer kunder' }).waitFor();
  await inspect(page, 'customer-import');

  // A file without a table is refused with advice.
  await choose(page, 'medlemmer.xlsx', 'PK\u0003\u0004 xl/workbook.xml');
  await page.getByRole('alert').getByText('medlemmer.xlsx: Dette er en Excel-fil').waitFor();
  await choose(page, 'tom.csv', '');
  await page.getByRole('alert').getByText('tom.csv: Filen er tom.').waitFor();
  await choose(page, 'stor.csv', Buffer.alloc(11 * 1024 * 1024, 'a'));
  await page.getByRole('alert').getByText('Filen er på 11 MB').waitFor();
  await inspect(page, 'customer-import-refused');

  await choose(page, 'medlemmer.csv', OLD_LIST);
  await page.getByText('medlemmer.csv').waitFor();
  expect(await page.getByLabel('Medlemsnr', { exact: true }).inputValue()).toBe('customerNumber');
  expect(await page.getByLabel('Født').inputValue()).toBe('');
  await page.getByRole('heading', { name: '2 rader med feil' }).waitFor();
  await page.getByText('E-postadressen er ikke gyldig').waitFor();
  await page.getByText('email must be a valid email').waitFor();
  await page.getByText('Kundenummeret står også på en tidligere rad (rad 4)').waitFor();
  expect(await page.getByRole('button', { name: 'Importer 4 kunder' }).isDisabled()).toBe(true);
  await inspect(page, 'customer-import-faults');

  let checks = 0;
  page.on('request', (request) => (checks += Number(request.url().includes('/customers/import/'))));
  await page.getByLabel('E-post', { exact: true }).last().fill('bjorn@example.no');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.getByRole('heading', { name: '1 rad med feil' }).waitFor();
  expect(checks).toBe(1);
  // Corrections survive following a link, loading another list and changing columns.
  const question = page.getByRole('alertdialog', { name: 'Forkaste det du har skrevet?' });
  for (const goOn of [
    async () => page.getByRole('link', { name: 'Kunder', exact: true }).click(),
    async () => page.getByRole('button', { name: 'Velg en annen liste' }).click(),
    async () => page.getByLabel('Født').selectOption('Navn'),
  ]) {
    await goOn();
    // By keyboard: a second click at the same place would be taken for a double tap.
    await question.getByRole('button', { name: 'Avbryt' }).press('Enter');
    await question.waitFor({ state: 'hidden' });
  }
  expect(await page.getByLabel('Født').inputValue()).toBe('');
  await page.getByRole('heading', { name: '1 rad med feil' }).waitFor();
  await page.getByRole('button', { name: 'Utelat rad 5' }).click();
  await page.getByText('1 rad er utelatt').waitFor();
  await page.getByText('3 nye kunder og ingen feil.').waitFor();
  await page.getByLabel('Legg alle i en kundegruppe').selectOption('Ny gruppe …');
  await page.getByLabel('Navn på gruppen').fill('Medlemmer');
  await inspect(page, 'customer-import-preview');
  await page.getByRole('button', { name: 'Importer 3 kunder' }).click();
  await page.getByText('3 kunder er importert!').waitFor();
  await inspect(page, 'customer-import-done');
  expect(await call(page, 'GET', '/api/customers/101/')).toMatchObject({
    name: 'Åse Ærlig',
    phone_number: '91234567',
    address1: 'Kaia 2, 3. etasje',
    postal_code: '0150',
  });
  await page.getByRole('link', { name: 'Åpne gruppen' }).click();
  await page.getByText('3 av 3 kunder').waitFor();
  expect(complaints).toEqual([]);
});

test('a user pastes rows on a phone and leaves an existing customer unchanged', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await page.setViewportSize(PHONE);
  await createAccount(page, here.faktur, 'lim@klubben.no');
  await addCustomer(page, 'Kjent', { email: 'kjent@example.no' });
  await page.goto('/customers/import/');
  await page
    .getByLabel('Rader fra et regneark')
    .fill('Kari Dal\tkari@example.no\t6150\nNytt navn\tkjent@example.no\t0150');
  await page.getByRole('button', { name: 'Les radene' }).click();
  await page.getByText('1 ny kunde, 1 eksisterende kunde og ingen feil.').waitFor();
  await page.getByText('Kjent: endrer navn').waitFor();
  await page.getByText('Kunden oppdateres. Tomme celler endrer ingenting.').waitFor();
  // The choice stays when the columns change.
  await page.getByLabel(/Oppdater 1 kunde/).uncheck();
  // Columns without headings are recognised by their content, and can be changed.
  expect(await page.getByLabel('Kolonne C').inputValue()).toBe('postalCode');
  await page.getByLabel('Kolonne C').selectOption('Ta ikke med');
  await expect.poll(async () => page.getByLabel(/Oppdater 1 kunde/).isChecked()).toBe(false);
  await inspect(page, 'customer-import-known');
  await page.getByRole('button', { name: 'Importer 2 kunder' }).click();
  await page.getByText('1 ny, 0 oppdaterte og 1 uendret.').waitFor();
  expect(await call(page, 'GET', '/api/customers/')).toMatchObject([
    { name: 'Kjent' },
    { name: 'Kari Dal', postal_code: null },
  ]);
  expect(complaints).toEqual([]);
});

test('two rows with the same fault keep their own values when one is left out', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'like@klubben.no');
  await page.goto('/customers/import/');
  const rows = 'Navn;E-post\nKari Dal;kari@exmaple\nOla Nes;ola@';
  await page.getByLabel('Rader fra et regneark').fill(rows);
  await page.getByRole('button', { name: 'Les radene' }).click();
  await page.getByRole('heading', { name: '2 rader med feil' }).waitFor();
  await page.getByRole('button', { name: 'Utelat disse radene' }).click();
  await page.getByText('Det er ingen rader å importere.').waitFor();
  await inspect(page, 'customer-import-none');
  await page.getByRole('button', { name: 'Ta med igjen' }).click();
  await page.getByRole('heading', { name: '2 rader med feil' }).waitFor();
  const field = page.getByRole('textbox', { name: 'E-post', exact: true });
  await page.getByRole('button', { name: 'Utelat rad 2' }).click();
  await page.getByRole('heading', { name: '1 rad med feil' }).waitFor();
  expect(await field.inputValue()).toBe('ola@');
  await field.fill('ola@example.no');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Importer 1 kunde' }).click();
  await page.getByText('1 ny, 0 oppdaterte.').waitFor();
  expect(await call(page, 'GET', '/api/customers/')).toMatchObject([
    { name: 'Ola Nes', email: 'ola@example.no' },
  ]);
  // A second import of the same list has nothing new.
  await page.getByRole('button', { name: 'Importer flere' }).click();
  await page.getByLabel('Rader fra et regneark').fill('Navn;E-post\nOla Nes;ola@example.no');
  await page.getByRole('button', { name: 'Les radene' }).click();
  await page.getByRole('button', { name: 'Importer 1 kunde' }).click();
  await page.getByText('0 nye, 0 oppdaterte og 1 uendret.').waitFor();
  // The screen warns of rows that a later import cannot recognise.
  await page.getByRole('button', { name: 'Importer flere' }).click();
  const titled = 'Kunder 2026;\n\nNavn;E-post\nPer Li;\nMari Li;\nOla Nes;';
  await page.getByLabel('Rader fra et regneark').fill(titled);
  await page.getByRole('button', { name: 'Les radene' }).click();
  await page.getByText('Det som står over overskriftene, er ikke med: «Kunder 2026».').waitFor();
  await page.getByText(/^3 nye kunder har verken .* blir de lagt til en gang til\.$/).waitFor();
  await inspect(page, 'customer-import-unrecognisable');
  expect(complaints).toEqual([]);
});

test('ten thousand customers are imported, and one more is refused', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'stor@klubben.no');
  await page.goto('/customers/import/');
  const lines = Array.from({ length: 10_001 }, (_, n) => `Medlem ${n};medlem${n}@example.no`);
  await choose(page, 'for-mange.csv', ['Navn;E-post', ...lines].join('\n'));
  await page.getByText(/har 10.001 rader\. Se at/).waitFor();
  await page.getByText(/Listen har 10.001 rader\./).waitFor();
  await page.getByRole('button', { name: 'Velg en annen liste' }).click();
  await choose(page, 'mange.csv', ['Navn;E-post', ...lines.slice(1)].join('\n'));
  await page.getByText(/Kontrollerer 10.000 rader/).waitFor();
  await page.getByRole('button', { name: /Importer 10.000 kunder/ }).click();
  await page.getByRole('progressbar').waitFor();
  await page.getByText(/10.000 kunder er importert!/).waitFor();
  await page.getByRole('link', { name: 'Se kundene' }).click();
  await page.getByText(/10.000 kunder/).waitFor();
  expect(complaints).toEqual([]);
});
