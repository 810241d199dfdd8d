import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../domain/date.ts';
import { follow, PHONE, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { addCustomer, call, completeProfile, createAccount } from './support/person.ts';

const here = stage(WITH_ALL);

async function enter(email: string, options: Parameters<typeof visit>[2] = {}) {
  const { page, complaints } = await visit(here.browser, here.faktur.url, options);
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  return { page, complaints };
}

interface Assignment {
  readonly uuid: string;
  readonly version: number;
}

const RENT = {
  invoiced_quantity: 1,
  description: 'Husleie {måned} {år}',
  net_unit_amount: 8000,
  vat_rate_percentage: 25,
};

/** Rent on the first of each month as drafts, with changes. */
async function addAssignment(page: Page, fields: object): Promise<Assignment> {
  return call(page, 'POST', '/api/invoices/recurring/create/', {
    name: 'Husleie',
    delivery_type: 'NONE',
    due_days: 14,
    invoice_lines: [RENT],
    interval: { unit: 'MONTH', count: 1 },
    day: Number(todayInOslo().slice(8)),
    first_date: todayInOslo(),
    mode: 'DRAFT',
    ...fields,
  });
}

const tiles = (page: Page) => page.getByRole('list', { name: 'De neste datoene' });

/** A future year. */
const YEAR = Number(todayInOslo().slice(0, 4)) + 1;

// REC-16
test('a monthly assignment for rent is previewed, saved, changed, paused and deleted', async () => {
  const { page, complaints } = await enter('kari@avtale.fjordlys.no');
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Fast oppdrag' }).click();
  await page.getByText('Ingen faste oppdrag ennå').waitFor();
  await inspect(page, 'recurring-empty');
  await page.getByRole('link', { name: 'Lag det første oppdraget' }).press('Enter');

  // The error about a missing recipient is visible at every scroll position.
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Missing customerNumbers').waitFor();
  await page.getByRole('option', { name: /^Nordnes/ }).click();
  await page.getByLabel('Navn', { exact: true }).fill('Husleie Strandgata');
  // A customer gets no braces that nothing fills in (REC-19).
  await page.getByLabel('Beskrivelse').fill('Husleie {maaned}');
  await page.getByText('{maaned} blir ikke fylt ut', { exact: true }).waitFor();
  // The preview is asked for half a second later.
  await page.getByText('Husleie {maaned}', { exact: true }).waitFor();
  await settle(page);
  await inspect(page, 'recurring-unknown-placeholder');
  await page.getByLabel('Beskrivelse').fill(RENT.description);
  await page.getByLabel('Pris eks. mva.').fill('8000');
  await page.getByLabel('Første dato', { exact: true }).fill(`01.01.${YEAR}`);
  await page.getByLabel('Dag i måneden').selectOption({ label: '31.' });
  await page.getByText(`Husleie januar ${YEAR}`).waitFor();
  await page.getByText('Hver måned den 31.').waitFor();
  // Day 31 becomes the last day in shorter months only.
  await tiles(page).getByRole('listitem').nth(2).getByText('31.').first().waitFor();
  const second = await tiles(page).getByRole('listitem').nth(1).innerText();
  expect(second).toMatch(/februar \d{4}\s+2[89]\./);
  expect(await tiles(page).getByRole('listitem').count()).toBe(5);

  await page.getByLabel('Hvor ofte').selectOption({ label: 'Hver 2. uke' });
  await page.getByText(/^Hver 2\. uke på \S+dager$/).waitFor();
  await page.getByLabel('Hvor ofte').selectOption({ label: 'Hver 3. måned' });
  await page.getByLabel('Dag i måneden').selectOption({ label: 'Siste dag i måneden' });
  await page.getByText('Siste dag i hver 3. måned').waitFor();
  await page.getByLabel('Slutter').selectOption({ label: 'Etter et antall ganger' });
  await page.getByRole('button', { name: 'Lagre' }).click();
  const times = page.getByLabel('Antall ganger');
  await expect.poll(async () => times.getAttribute('aria-invalid')).toBe('true');
  await times.fill('2');
  await expect.poll(async () => tiles(page).getByRole('listitem').count()).toBe(2);
  await page.getByRole('radio', { name: 'Lag utkast' }).press('ArrowRight');
  await page.getByText('Ingen ser over fakturaene før de sendes').waitFor();
  await settle(page);
  await inspect(page, 'recurring-form');
  await page.getByRole('radio', { name: 'Send' }).press('ArrowLeft');
  await page.getByRole('button', { name: 'Lagre' }).press('Enter');

  await page.getByText('Fast oppdrag opprettet!').waitFor();
  await page.getByRole('heading', { name: 'Husleie Strandgata' }).waitFor();
  await page.getByText('Etter 2 ganger').waitFor();
  await tiles(page).waitFor();
  expect(await page.getByRole('button', { name: 'Lag nå' }).count()).toBe(0);
  await inspect(page, 'recurring-page');

  await changeBesideAnother(page);
  await pauseAndResume(page);

  await page.getByLabel('Brødsmulesti').getByRole('link', { name: 'Fast oppdrag' }).click();
  await page.getByRole('row', { name: /Husleie Bryggen Nordnes Kaffebar Siste dag/ }).waitFor();
  await inspect(page, 'recurring-list');
  await page.getByRole('link', { name: 'Husleie Bryggen', exact: true }).click();
  await page.getByRole('button', { name: 'Slett fast oppdrag' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Slett' }).click();
  await page.getByText('Ingen faste oppdrag ennå').waitFor();
  expect(complaints).toEqual([]);
});

/** Waits until the preview is that of what is typed: an old one is too faint for axe. */
async function settle(page: Page): Promise<void> {
  await page.locator('[data-old]').waitFor({ state: 'detached' });
}

/** Changes the assignment while another user changes it, and expects both changes. */
async function changeBesideAnother(page: Page): Promise<void> {
  const uuid = page.url().split('/').at(-2) ?? '';
  const path = `/api/invoices/recurring/${uuid}/`;
  await page.getByRole('link', { name: 'Endre', exact: true }).click();
  await page.getByText('Nordnes Kaffebar').first().waitFor();
  await page.getByLabel('Navn', { exact: true }).fill('Husleie Bryggen');
  const stored = await call<Assignment>(page, 'GET', path);
  await call(page, 'PUT', path, { ...stored, occurrences: 3 });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Noen har endret dette mens du skrev').waitFor();
  await page.getByText('Nå: 3').waitFor();
  await page.getByRole('button', { name: 'Behold det jeg skrev' }).click();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Fast oppdrag oppdatert!').waitFor();
  await page.getByRole('heading', { name: 'Husleie Bryggen' }).waitFor();
  await page.getByText('Etter 3 ganger').waitFor();
}

/** Pauses and resumes by keyboard. The focus stays on the button. */
async function pauseAndResume(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sett på pause' }).press('Enter');
  await page.getByText('Pauset', { exact: true }).waitFor();
  await tiles(page).waitFor({ state: 'hidden' });
  const resume = page.getByRole('button', { name: 'Start igjen' });
  expect(await resume.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByText('Aktiv', { exact: true }).waitFor();
  await tiles(page).waitFor();
}

/** Creates the due invoices, unless the server's job of every ten minutes has just created them. */
async function makeNow(page: Page, made: Locator, isSending = false): Promise<void> {
  const button = page.getByRole('button', { name: 'Lag nå' });
  await button.or(made).first().waitFor();
  if (await button.isVisible()) {
    await button.click();
    if (isSending)
      await page.getByRole('button', { name: /^(Registrer og send|Send \d+ nå)/ }).click();
  }
  await made.first().waitFor();
}

// REC-16
test('one press creates the due invoices, and each run links to its invoices and failures', async () => {
  const { page, complaints } = await enter('ola@avtale.fjordlys.no', { viewport: PHONE });
  const [cafe, bakery] = [
    await addCustomer(page, 'Nordnes Kaffebar'),
    await addCustomer(page, 'Bryggen Bakeri', { email: 'post@bryggen.test' }),
  ];
  const both = [cafe.customer_number, bakery.customer_number];
  const missed = await addAssignment(page, {
    name: 'Det som er forsinket',
    customer_numbers: both,
    first_date: addDays(todayInOslo(), -200),
  });
  await page.goto(`/invoices/recurring/${missed.uuid}/`);
  await makeNow(page, page.getByText(/ utkast, datert/));
  await openRuns(page);
  await page.getByRole('link', { name: 'Utkast til Bryggen Bakeri' }).first().waitFor();
  await expectNoCallForEach(page, missed.uuid);
  await inspect(page, 'recurring-run');
  await page.getByRole('link', { name: 'Utkast til Nordnes Kaffebar' }).first().click();
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await page.getByText(/^Husleie \p{Ll}+ \d{4}$/u).waitFor();

  // A customer without an address gets no invoice, and the run reports this.
  const sent = await addAssignment(page, {
    name: 'Det som sendes',
    customer_numbers: both,
    delivery_type: 'EMAIL',
    mode: 'SEND',
  });
  await follow(page, `/invoices/recurring/${sent.uuid}/`);
  const unsent = page.getByText('Én faktura ble ikke sendt, og ble liggende som utkast');
  await makeNow(page, unsent, true);
  await page.getByRole('link', { name: /^Faktura \d+ til Bryggen Bakeri$/ }).waitFor();
  await inspect(page, 'recurring-failure');
  await page.getByRole('link', { name: 'Nordnes Kaffebar', exact: true }).click();
  await page.waitForURL(`**/customers/${cafe.customer_number}/edit/`);
  expect(complaints).toEqual([]);
});

/** Opens the line of each period. */
async function openRuns(page: Page): Promise<void> {
  const lines = page.locator('details:not([open]) > summary');
  await lines.first().waitFor();
  while ((await lines.count()) > 0) await lines.first().click();
}

/** Expects that the page makes no request for single invoices of its runs. */
async function expectNoCallForEach(page: Page, uuid: string): Promise<void> {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/api\/invoices\/(?!recurring)/.test(pathname) || pathname.endsWith('/runs/')) {
      asked.push(pathname);
    }
  });
  await page.reload();
  await openRuns(page);
  const made = page.getByRole('link', { name: /^Utkast til / });
  await expect.poll(async () => made.count()).toBeGreaterThan(1);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([`/api/invoices/recurring/${uuid}/runs/`]);
  page.removeAllListeners('request');
}

test('an assignment for a group with a template is created by keyboard', async () => {
  const { page, complaints } = await enter('turid@avtale.fjordlys.no');
  const { customer_number: number } = await addCustomer(page, 'Nordnes Kaffebar');
  await call(page, 'POST', '/api/customers/groups/create/', {
    group_name: 'Leietakere',
    customers: [number],
  });
  await call(page, 'POST', '/api/invoices/template/create/', {
    name: 'Leiekontrakt',
    delivery_type: 'EMAIL',
    due_days: 30,
    lines: [RENT],
  });
  await page.goto('/invoices/recurring/create/');
  await page.getByRole('tab', { name: 'Kunder' }).press('ArrowRight');
  await page.getByRole('option', { name: /^Leietakere/ }).click();
  await page.getByLabel('Navn', { exact: true }).focus();
  await page.keyboard.type('Leie');
  await page.getByLabel('Mal', { exact: true }).focus();
  await page.keyboard.type('Leiekontrakt');
  await page.keyboard.press('Tab');
  await expect.poll(async () => page.getByLabel('Dager til forfall').inputValue()).toBe('30');
  expect(await page.getByLabel('Beskrivelse').isDisabled()).toBe(true);
  await page.getByText(/^Husleie \p{Ll}+ \d{4}$/u).waitFor();
  // The next Tab stop after the radio buttons is the save button.
  await page.getByRole('radio', { name: 'Lag utkast' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Leie', exact: true }).waitFor();
  await page.getByText('Leietakere (1 kunde)').waitFor();
  await page.getByRole('heading', { name: 'Linjer fra malen' }).waitFor();
  await page.getByRole('link', { name: 'Leiekontrakt' }).waitFor();

  // It shows the current content of the template.
  await page.getByRole('link', { name: 'Endre', exact: true }).press('Enter');
  await page.getByText('Leietakere (1 kunde)').waitFor();
  expect(await page.getByLabel('Mal', { exact: true }).inputValue()).not.toBe('');
  expect(await page.getByLabel('Beskrivelse').inputValue()).toBe(RENT.description);
  expect(complaints).toEqual([]);
});

// REC-6
test('saving an assignment that sends automatically asks when documents cannot show a character', async () => {
  const { page, complaints } = await enter('tegn@avtale.fjordlys.no');
  const { customer_number: number } = await addCustomer(page, 'Nordnes Kaffebar');
  const first_date = addDays(todayInOslo(), 5);
  const day = Number(first_date.slice(8));
  const { uuid } = await addAssignment(page, { customer_numbers: [number], first_date, day });
  const mode = async () =>
    (await call<{ mode: string }>(page, 'GET', `/api/invoices/recurring/${uuid}/`)).mode;
  const save = page.getByRole('button', { name: 'Lagre', exact: true });
  const question = page.getByRole('alertdialog', { name: 'Lagre oppdraget?' });

  // Drafts are reviewed before they are sent, so there is no question.
  await page.goto(`/invoices/recurring/${uuid}/edit/`);
  await page.getByLabel('Beskrivelse').fill('Husleie ქ');
  await save.click();
  await page.getByText('Fast oppdrag oppdatert!').waitFor();
  await page.waitForURL(`**/invoices/recurring/${uuid}/`);

  await follow(page, `/invoices/recurring/${uuid}/edit/`);
  await page.getByRole('radio', { name: 'Lag utkast' }).press('ArrowRight');
  await save.click();
  await question.getByText('i stedet for ქ.').waitFor();
  // The preview is pale until it is of what was typed.
  await page.locator('.preview[data-old]').waitFor({ state: 'detached' });
  await inspect(page, 'recurring-unprintable');
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await mode()).toBe('DRAFT');
  await save.click();
  await question.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('heading', { name: 'Husleie', exact: true }).waitFor();
  expect(await mode()).toBe('SEND');

  // No document shows the name of an assignment.
  await follow(page, `/invoices/recurring/${uuid}/edit/`);
  await page.getByLabel('Beskrivelse').fill('Husleie');
  await page.getByLabel('Navn', { exact: true }).fill('Husleie ქ');
  await save.click();
  await page.getByRole('heading', { name: 'Husleie ქ' }).waitFor();
  expect(complaints).toEqual([]);
});

test('deleting a recipient lists the assignments that continue, and the last recipient cannot be deleted', async () => {
  const { page, complaints } = await enter('sletter@fjordlys.no');
  const { customer_number: one } = await addCustomer(page, 'Nordnes Kaffebar');
  const { customer_number: other } = await addCustomer(page, 'Vestland Bakeri');
  const first_date = addDays(todayInOslo(), 5);
  const day = Number(first_date.slice(8));
  await addAssignment(page, { customer_numbers: [one, other], first_date, day });
  const question = page.getByRole('alertdialog', { name: 'Slette kunde' });

  await page.goto(`/customers/${other}/edit/`);
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  await question.getByText(/mottaker i det faste oppdraget «Husleie»/).waitFor();
  await inspect(page, 'customer-delete-recipient');
  await question.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Kunde slettet!').waitFor();
  await page.waitForURL('**/customers/');

  await follow(page, `/customers/${one}/edit/`);
  await page.getByText(/den eneste mottakeren i det faste oppdraget «Husleie»/).waitFor();
  expect(await page.getByRole('button', { name: 'Slett kunde' }).isDisabled()).toBe(true);
  expect(await call(page, 'GET', `/api/customers/${one}/`)).toMatchObject({ customer_number: one });
  expect(complaints).toEqual([]);
});

// REC-14
test('deleting a group or a template names the assignments that then wait, and they say so', async () => {
  const { page, complaints } = await enter('rydder@fjordlys.no');
  const { customer_number } = await addCustomer(page, 'Nordnes Kaffebar');
  const group = await call<{ uuid: string }>(page, 'POST', '/api/customers/groups/create/', {
    group_name: 'Faste kunder',
    customers: [customer_number],
  });
  const template = await call<{ id: number }>(page, 'POST', '/api/invoices/template/create/', {
    name: 'Husleie',
    delivery_type: 'NONE',
    due_days: 14,
    lines: [RENT],
  });
  const first_date = addDays(todayInOslo(), 5);
  const day = Number(first_date.slice(8));
  const rest = { customer_numbers: [], first_date, day };
  await addAssignment(page, { ...rest, name: 'Til gruppen', group_uuid: group.uuid });
  await addAssignment(page, {
    ...rest,
    name: 'Etter malen',
    customer_numbers: [customer_number],
    template_id: template.id,
    invoice_lines: null,
  });

  await page.goto(`/customers/groups/${group.uuid}/edit/`);
  await page.getByRole('button', { name: 'Slett kundegruppe' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText(/mottaker i det faste oppdraget «Til gruppen»/).waitFor();
  expect(await question.innerText()).not.toContain('Etter malen');
  await inspect(page, 'group-delete-recipient');
  await question.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Kundegruppe slettet!').waitFor();
  await page.waitForURL('**/customers/groups/');

  await follow(page, `/invoices/templates/${template.id}/edit/`);
  await page.getByRole('button', { name: 'Slett fakturamal' }).click();
  await question.getByText(/brukes i det faste oppdraget «Etter malen»/).waitFor();
  expect(await question.innerText()).not.toContain('Til gruppen');
  await question.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Fakturamal slettet!').waitFor();
  await page.waitForURL('**/invoices/templates/');

  await follow(page, '/invoices/recurring/');
  await page.getByRole('row', { name: /Etter malen.*Venter/ }).waitFor();
  await page.getByRole('row', { name: /Til gruppen.*Venter/ }).waitFor();
  await page.getByRole('link', { name: 'Til gruppen' }).first().click();
  await page.getByText(/Kundegruppen i oppdraget er slettet/).waitFor();
  expect(complaints).toEqual([]);
});
