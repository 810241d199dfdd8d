import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { read, utils } from '@e965/xlsx';

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { addDays, todayInOslo, type IsoDate } from '../domain/date.ts';
import { dayText } from '../web/features/export/export-labels.ts';
import { follow, PHONE, visit } from './support/browser.ts';
import { stage, WITH_ALL, WITHOUT_PAYMENTS } from './support/faktur.ts';
import { inspect, takePicture } from './support/inspect.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = stage(WITH_ALL);

/** The last day of the month before today's. */
function lastMonth(): IsoDate {
  return addDays(`${todayInOslo().slice(0, 8)}01`, -1);
}

/** Presses what saves a file, and returns its bytes. */
async function save(
  page: Page,
  press: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

function exportButton(page: Page) {
  return page.getByRole('button', { name: 'Eksporter', exact: true });
}

/** Waits until the dry run is that of what is chosen: an old one is too faint for axe. */
async function settle(page: Page): Promise<void> {
  await page.locator('section[aria-label="Dette blir med"][aria-busy="false"]').waitFor();
}

/** Three invoices of the last month, and one of this month. Returns the number of a customer. */
async function issueOfTwoMonths(page: Page): Promise<number> {
  await completeProfile(page);
  const { customer_number: kari } = await addCustomer(page, 'Kari Nordmann');
  const { customer_number: ola } = await addCustomer(page, '=1+1; Ola & Sønn');
  const dated = { issue_date: lastMonth() };
  for (const customer of [kari, ola, kari]) {
    await register(page, await addDraft(page, customer, dated));
  }
  await register(page, await addDraft(page, kari));
  return ola;
}

/** Opens the screen once its code and its first dry run are there. */
async function openExports(page: Page, address = '/invoices/export/'): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { name: 'Eksporter', level: 1 }).waitFor();
}

const PERIODS = [
  'Denne måneden',
  'Forrige måned',
  'Denne mva-terminen',
  'Forrige mva-termin',
  'I år',
  'I fjor',
  'Siden forrige eksport',
  'Fra–til',
];
const KINDS = ['Excel', 'CSV', 'Til regnskapsprogram', 'SAF-T', 'PDF og EHF', 'Alt (arkiv)'];

// EXP-81, EXP-82, EXP-83, EXP-85, EXP-86, EXP-87, EXP-88
test('a shop exports the documents of the last month, and sends the accountant a link that it takes back', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'tall@eksport.fjordlys.no');
  const ola = await issueOfTwoMonths(page);
  await addDraft(page, ola);

  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Eksporter' }).click();
  await page.getByRole('heading', { name: 'Eksporter', level: 1 }).waitFor();
  await page.getByRole('navigation', { name: 'Brødsmulesti' }).getByText('Eksport').waitFor();
  await page.getByText('Ingen eksporter ennå').waitFor();
  const periods = page.getByLabel('Periode');
  expect(await periods.locator('option').allTextContents()).toEqual(PERIODS);
  expect(await periods.locator('option:checked').textContent()).toBe('Forrige måned');
  for (const kind of KINDS) expect(await page.getByRole('radio', { name: kind }).count()).toBe(1);
  expect(await page.getByRole('radio').count()).toBe(KINDS.length);
  await page.getByRole('radio', { name: 'PDF og EHF' }).check();
  const contents = page.getByRole('region', { name: 'Dette blir med' });
  await contents.getByText('3 fakturaer, 3\u00A0750,00\u00A0kr, nummer 1–3').waitFor();
  await contents.getByText('Inkl. 750,00\u00A0kr mva.').waitFor();
  await contents.getByText('1 utkast er ikke med').waitFor();
  await settle(page);
  await inspect(page, 'export-first');

  const { name, bytes } = await save(page, async () => exportButton(page).click());
  expect(name).toMatch(/\.zip$/);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const table = page.getByRole('table', { name: 'Tidligere eksporter' });
  await table.getByText(`SHA-256 ${hash.slice(0, 8)}…`).click();
  await table.getByText(hash).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await table.getByRole('button', { name: 'Kopier' }).click();
  await page.getByText('SHA-256 er kopiert.').waitFor();
  expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(hash);
  const made = await table.getByRole('row').filter({ hasText: 'PDF og EHF' }).innerText();
  for (const text of [
    'tall@eksport.fjordlys.no',
    '1–3',
    '3 fakturaer',
    '3\u00A0750,00\u00A0kr',
    'inkl. 750,00\u00A0kr mva.',
    `Til ${dayText(addDays(todayInOslo(), 7))}`,
  ]) {
    expect(made).toContain(text);
  }
  await settle(page);
  const shown = await page.getByRole('main').innerText();
  const order = [
    'Periode',
    'Hva',
    'Dette blir med',
    'Eksporter',
    'Send til',
    'Tidligere eksporter',
  ];
  const places = order.map((text) => shown.indexOf(text, shown.indexOf('Periode')));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  await inspect(page, 'export-made');

  // The accountant gets a link that needs no session.
  await page.getByRole('button', { name: 'Send til regnskapsfører' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send til regnskapsfører' });
  await dialog.getByLabel('Regnskapsførers e-post').fill('siri@tallogorden.no');
  await takePicture(page, 'export-send');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await table.getByText('Sendt til siri@tallogorden.no', { exact: true }).waitFor();
  const mail = await here.faktur.mailbox.take('siri@tallogorden.no');
  expect(mail.text).toMatch(/3\u00A0750,00/);
  const link = mail.text?.match(/https?:\S+\/delt\/eksport\/\S+/)?.[0] ?? '';
  const stranger = await fetch(link);
  expect(stranger.status).toBe(200);
  expect(Buffer.from(await stranger.arrayBuffer()).toString('latin1', 0, 2)).toBe('PK');

  const row = table.getByRole('row').filter({ hasText: 'Sendt til siri@tallogorden.no' });
  await row.getByRole('button', { name: /^Slett filen/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Slette filen' });
  await question.getByText('Lenken som siri@tallogorden.no har fått, slutter å virke.').waitFor();
  await question.getByRole('button', { name: 'Slett filen' }).click();
  await page.getByText('Filen er slettet.').waitFor();
  await row.getByText('Slettet').waitFor();
  expect((await fetch(link)).status).toBe(404);
  expect(complaints).toEqual([]);
});

// With `vat` there are more accounts.
describe('without vat', () => {
  const here = stage(WITHOUT_PAYMENTS);

  // EXP-83, EXP-87, EXP-90, EXP-91
  test('the accounts and the accountant have a page of their own, and the accounting program is remembered', async () => {
    const { page, complaints } = await visit(here.browser, here.faktur.url);
    await createAccount(page, here.faktur, 'konto@eksport.fjordlys.no');
    await completeProfile(page);
    const { customer_number: kari } = await addCustomer(page, 'Kari Nordmann');
    await register(page, await addDraft(page, kari));
    // Earlier payments came in on an account that is no more on the profile.
    const earlier = { accounts: { bank: { '12341112344': '1955' } } };
    await call(page, 'PUT', '/api/users/export-settings/', earlier);
    await openExports(page);
    await page.getByRole('link', { name: 'Kontoer og regnskapsfører' }).click();
    await page.getByRole('heading', { name: 'Kontoer for eksport', level: 1 }).waitFor();
    const form = page.getByRole('form', { name: 'Eksport' });
    for (const [label, line] of [
      [
        'Kundenummer i Uni begynner på',
        'Uni vil ha kundenumre fra 100000. Skriv 100000, så blir kunde 42 til 100042.',
      ],
      ['Kundefordringer', 'Det kundene skylder deg.'],
      ['Purregebyr', 'Gebyrer som kundene har betalt.'],
      ['Forsinkelsesrenter', 'Renter som kundene har betalt.'],
      ['Mva. 15 %', 'Mva. som du skal betale videre til staten.'],
      ['Salg: 15 % næringsmidler', 'Mat og drikke.'],
    ] as const) {
      await form.getByLabel(label, { exact: true }).waitFor();
      await form.getByText(line).first().waitFor();
    }
    await form.getByLabel('Salg: 25 %').fill('30');
    await form.getByLabel('Bankkonto 8601.11.17947').fill('1921');
    expect(await form.getByLabel('Bankkonto 1234.11.12344').inputValue()).toBe('1955');
    await form.getByRole('button', { name: 'Oppdater eksport' }).click();
    await form.getByText('Dette er ikke gyldig.').waitFor();
    // Lines have neither 12 % nor treatments while `vat` is off.
    expect(await form.getByLabel('Mva. 12 %').count()).toBe(0);
    expect(await form.getByLabel(/^Salg/).count()).toBe(3);
    await inspect(page, 'export-settings-fault');
    await form.getByLabel('Salg: 25 %').fill('3010');
    await form.getByLabel('Mva. 25 %').fill('');
    await form.getByLabel('Regnskapsførers e-post').fill('Siri@TallOgOrden.no');
    await form.getByRole('button', { name: 'Oppdater eksport' }).click();
    await page.getByText('Eksport lagret!').waitFor();
    // An empty account gets its default.
    expect(await form.getByLabel('Mva. 25 %').inputValue()).toBe('2700');
    expect(await call(page, 'GET', '/api/users/export-settings/')).toMatchObject({
      accounts: {
        bank: { '86011117947': '1921', '12341112344': '1955' },
        vat: { '25': '2700', '12': '2702' },
        income: { STANDARD: '3010', REDUCED: '3050' },
      },
      accountant_email: 'siri@tallogorden.no',
    });
    await inspect(page, 'export-settings');

    await follow(page, '/invoices/export/');
    await page.getByLabel('Periode').selectOption({ label: 'Denne måneden' });
    await page.getByRole('radio', { name: 'Til regnskapsprogram' }).check();
    await page
      .getByLabel('Regnskapsprogram', { exact: true })
      .selectOption({ label: '24SevenOffice' });
    await page.getByRole('radio', { name: 'CSV' }).check();
    await page.reload();
    expect(await page.getByRole('radio', { name: 'CSV' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Til regnskapsprogram' }).check();
    expect(await page.getByLabel('Regnskapsprogram', { exact: true }).inputValue()).toBe(
      'TWENTYFOURSEVEN',
    );
    await page.getByRole('button', { name: 'Send til regnskapsfører' }).click();
    const address = page.getByRole('dialog').getByLabel('Regnskapsførers e-post');
    await expect.poll(async () => address.inputValue()).toBe('siri@tallogorden.no');
    expect(complaints).toEqual([]);
  });
});

// EXP-82, EXP-83, EXP-84, EXP-87
test('the filter of the list comes along, and the documents are made by a job', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url, { viewport: PHONE });
  await createAccount(page, here.faktur, 'filter@fjordlys.no');
  await completeProfile(page);
  const { customer_number: kari } = await addCustomer(page, 'Kari Nordmann');
  const { customer_number: ola } = await addCustomer(page, 'Ola Hansen');
  await register(page, await addDraft(page, kari));
  await register(page, await addDraft(page, ola, { issue_date: lastMonth() }));
  await register(page, await addDraft(page, ola));
  await page.goto(`/invoices/?customer=${ola}&status=REGISTERED`);
  await page.getByRole('link', { name: 'Eksporter' }).click();
  await page.waitForURL(`**/invoices/export/?status=REGISTERED&customer_number=${ola}`);
  const tick = page.getByLabel('Bare de 2 i listen nå');
  await page.getByRole('radio', { name: 'PDF og EHF' }).check();
  expect(await tick.isChecked()).toBe(true);
  await page.getByText(`Registrert, kunde ${ola}. Innbetalinger blir med uansett.`).waitFor();
  await page.getByText('1 faktura, 1\u00A0250,00\u00A0kr, nummer 2').waitFor();
  await page.getByText('Resten av listen har fakturadato utenfor perioden.').waitFor();
  await settle(page);
  await inspect(page, 'export-filter');
  await page.getByLabel('Periode').selectOption({ label: 'Denne måneden' });
  await page.getByText('1 faktura, 1\u00A0250,00\u00A0kr, nummer 3').waitFor();
  await tick.uncheck();
  await page.getByText('2 fakturaer, 2\u00A0500,00\u00A0kr, nummer 1–3').waitFor();
  // Dates that are typed begin with those of before.
  await page.getByLabel('Periode').selectOption({ label: 'Fra–til' });
  const until = page.getByLabel('Til', { exact: true });
  await until.fill('1.1.2026');
  await page.getByText('Velg samme dag som «Fra», eller senere.').waitFor();
  expect(await exportButton(page).getAttribute('aria-disabled')).toBe('true');
  await until.fill(todayInOslo());
  await page.getByText('2 fakturaer, 2\u00A0500,00\u00A0kr, nummer 1–3').waitFor();
  const { name, bytes } = await save(page, async () => exportButton(page).click());
  expect(name).toMatch(/\.zip$/);
  expect(bytes.toString('latin1', 0, 2)).toBe('PK');
  // The archive has everything, and is not mailed.
  await page.getByRole('radio', { name: 'Alt (arkiv)' }).check();
  await page.getByText('3 fakturaer, 3\u00A0750,00\u00A0kr, nummer 1–3').waitFor();
  expect(await page.getByRole('button', { name: 'Send til regnskapsfører' }).count()).toBe(0);
  expect(await tick.count()).toBe(0);
  await settle(page);
  await inspect(page, 'export-archive');
  // The period of the list comes along too.
  const day = lastMonth();
  await page.goto(`/invoices/?query=Ola&from=${day}&to=${day}`);
  await page.getByRole('link', { name: 'Eksporter' }).click();
  await page.getByRole('radio', { name: 'CSV' }).check();
  expect(await page.getByLabel('Bare den ene i listen nå').isChecked()).toBe(true);
  expect(await page.getByLabel('Periode').inputValue()).toBe('DATES');
  await page.getByText('1 faktura, 1\u00A0250,00\u00A0kr, nummer 2').waitFor();
  expect(complaints).toEqual([]);
});

// EXP-86, EXP-88
test('the progress of a job is there again for who comes back, and it can be ended', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'lenge@fjordlys.no');
  await completeProfile(page);
  const made = {
    uuid: '0b0e2f6e-6f1d-4f3b-9b64-0d8f6c8a0a01',
    kind: 'DOCUMENTS',
    from: '2026-01-01',
    to: '2026-12-31',
    first_number: 1001,
    last_number: 9000,
    invoices: 7996,
    credit_notes: 4,
    net: 800_000,
    vat: 200_000,
    gross: 1_000_000,
    state: 'WORKING',
    progress: 0.25,
    sha256: null,
    created_at: new Date().toISOString(),
    by: 'kari@eksport.fjordlys.no',
    expires_at: null,
    sent_to: null,
    link_sent_at: null,
  };
  let now = made;
  // A job this large takes minutes: only what it answers matters here.
  const expired = {
    ...made,
    uuid: '5f0c0a3e-2a55-4a0b-9d6f-6f6f5d1f7a11',
    state: 'DONE',
    sha256: 'a'.repeat(64),
    expires_at: new Date('2026-01-02T12:00:00Z').toISOString(),
  };
  const unsent = {
    ...expired,
    uuid: '9d2b7c51-0a4e-4a53-8d8c-1f6f5d1f7a33',
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    sent_to: 'siri@tallogorden.no',
  };
  await page.route('**/api/exports/', async (route) =>
    route.fulfill({ json: [now, expired, unsent] }),
  );
  await page.route('**/api/exports/*/', async (route) => {
    now = { ...now, state: 'FAILED' };
    await route.fulfill({ status: 204 });
  });
  await openExports(page);
  const progress = page.getByRole('progressbar', { name: 'Framdrift' });
  expect(await progress.getAttribute('value')).toBe('0.25');
  const over = page.getByRole('row').filter({ hasText: /Utløpt 2\.1\./ });
  await over.waitFor();
  expect(await over.getByRole('button', { name: /^(Last ned|Slett filen)/ }).count()).toBe(0);
  await page.getByText('Ikke sendt til siri@tallogorden.no', { exact: true }).waitFor();
  now = { ...made, progress: 0.5 };
  await page.getByText('lages, 50 %').waitFor();
  await follow(page, '/invoices/');
  await follow(page, '/invoices/export/');
  await page.getByText('lages, 50 %').waitFor();
  expect(await exportButton(page).getAttribute('aria-disabled')).toBe('true');
  await inspect(page, 'export-progress');
  await page.getByRole('button', { name: 'Avbryt' }).click();
  await page.getByText('PDF og EHF ble ikke laget').waitFor();
  expect(await progress.count()).toBe(0);
  await inspect(page, 'export-ended');

  // The job may be done when the list is asked for, before the call that began it is over.
  now = { ...made, uuid: 'c8b1f0c4-8c3a-4a57-9d0e-2f6f5d1f7a22' };
  await page.unroute('**/api/exports/');
  await page.route('**/api/exports/**', async (route) => {
    const request = route.request();
    if (request.url().includes('dry_run')) return route.continue();
    if (request.method() === 'POST') return route.fulfill({ status: 201, json: now });
    return route.fulfill({ json: [{ ...now, state: 'DONE', sha256: 'b'.repeat(64) }, expired] });
  });
  await page.getByLabel('Periode').selectOption({ label: 'I år' });
  await settle(page);
  await exportButton(page).click();
  await page.getByText('Filen lastes ned.').waitFor();
  expect(complaints).toEqual([]);
});

// EXP-82, EXP-85, EXP-86
test('a workbook has what the screen told, and the next one only what is new', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'excel@fjordlys.no');
  await issueOfTwoMonths(page);
  await openExports(page);
  const contents = page.getByRole('region', { name: 'Dette blir med' });
  await contents.getByText('3 fakturaer, 3\u00A0750,00\u00A0kr, nummer 1–3').waitFor();
  await contents.getByText('Inkl. 750,00\u00A0kr mva.').waitFor();
  const { name, bytes } = await save(page, async () => exportButton(page).click());
  expect(name).toMatch(/\.xlsx$/);
  const sheet = read(bytes).Sheets['Fakturaer'];
  const rows = utils.sheet_to_json<Record<string, unknown>>(sheet ?? {});
  const columns = ['Nummer', 'Kunde', 'Netto', 'Total'];
  expect(rows.map((row) => columns.map((column) => row[column]))).toEqual([
    [1, 'Kari Nordmann', 1000, 1250],
    [2, '=1+1; Ola & Sønn', 1000, 1250],
    [3, 'Kari Nordmann', 1000, 1250],
  ]);
  await contents.getByText(/^1–3 ble eksportert \d+\.\d+\.$/).waitFor();
  // By number, and only once.
  await page.getByLabel('Periode').selectOption({ label: 'Siden forrige eksport' });
  await contents.getByText('1 faktura, 1\u00A0250,00\u00A0kr, nummer 4').waitFor();
  await save(page, async () => exportButton(page).click());
  await contents
    .getByText('Det er ikke registrert eller betalt noe siden forrige eksport')
    .waitFor();
  await exportButton(page).click();
  await page.getByText('Ingenting ble eksportert').waitFor();
  await inspect(page, 'export-nothing-new');
  expect(complaints).toEqual([]);
});
