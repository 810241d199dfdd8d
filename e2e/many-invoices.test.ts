import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../domain/date.ts';
import { follow, PHONE, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, type Faktur, type Stage, WITH_ALL, WITHOUT } from './support/faktur.ts';
import { finishPaying, undoPaying } from './support/features.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage();
const withoutFeatures = stage(WITHOUT);
const withAll = stage(WITH_ALL);

function daysFromNow(count: number): string {
  return addDays(todayInOslo(), count);
}

/** A company with a customer, drafts and registered invoices. The first invoice is overdue. */
async function company(
  page: Page,
  faktur: Faktur,
  email: string,
): Promise<{ customer: number; first: number }> {
  await createAccount(page, faktur, email);
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const late = await addDraft(page, customer, { issue_date: daysFromNow(-30) });
  const first = await register(page, late);
  for (const days of [-3, -2, -1]) {
    await register(page, await addDraft(page, customer, { issue_date: daysFromNow(days) }));
  }
  return { customer, first };
}

/** A user of such a company, with a draft to hand over and one to mail. */
async function withDrafts({ browser, faktur }: Stage, email: string, changes: object = {}) {
  const { page, complaints } = await visit(browser, faktur.url);
  const { customer, first } = await company(page, faktur, email);
  await addDraft(page, customer, changes);
  await addDraft(page, customer, { delivery_type: 'EMAIL' });
  const table = page.getByRole('table', { name: 'Fakturaer' });
  const bar = page.getByRole('region', { name: 'Valgte fakturaer' });
  return { page, complaints, first, table, bar };
}

async function statuses(page: Page): Promise<readonly string[]> {
  const { results } = await call<{ results: { status: string; paid_date: string | null }[] }>(
    page,
    'GET',
    '/api/invoices/?sort=number',
  );
  return results.map(({ status, paid_date }) => (paid_date ? `${status} ${paid_date}` : status));
}

// INV-36
test('a user sorts, selects by keyboard and pointer, marks as paid, undoes that and registers', async () => {
  const { page, complaints, first, table, bar } = await withDrafts(
    withoutFeatures,
    'sorterer@fjordlys.no',
  );
  const box = (number: number) => table.getByRole('checkbox', { name: `Velg faktura ${number}` });
  const due = table.getByRole('columnheader', { name: 'Forfallsdato' });

  // An invoice delivered by hand can be overdue too, and every row shows its due date.
  await page.goto('/invoices/');
  const row = table.getByRole('row', { name: new RegExp(`^Velg faktura ${first} `) });
  await row.getByRole('cell', { name: 'Forfalt' }).waitFor();
  expect(await table.getByRole('cell', { name: 'Forfalt' }).count()).toBe(1);

  // The address contains the sort order and the filters.
  await due.getByRole('button').click();
  await expect.poll(async () => due.getAttribute('aria-sort')).toBe('ascending');
  await expect.poll(() => page.url()).toMatch(/\?sort=due_date$/);
  await expect.poll(async () => table.getByRole('row').nth(1).textContent()).toContain('Forfalt');
  expect(await due.getByRole('button').evaluate((it) => it === document.activeElement)).toBe(true);
  const byNumber = table.getByRole('columnheader', { name: 'Nummer' });
  await byNumber.getByRole('button').click();
  await byNumber.getByRole('button').click();
  await page.getByLabel('Status').selectOption('Ikke betalt');
  await expect.poll(() => page.url()).toMatch(/\?status=OUTSTANDING&sort=number$/);
  await page.reload();
  await expect.poll(async () => table.getByRole('row').count()).toBe(5);
  expect(await byNumber.getAttribute('aria-sort')).toBe('ascending');
  // A wide list is sorted by its headings, a phone's by a field.
  expect(await page.getByLabel('Sortering').isVisible()).toBe(false);

  // Select three of four by keyboard, the last one with Shift and an arrow key.
  await box(first).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await bar.getByText('3 valgt').waitFor();
  await page.getByRole('status').filter({ hasText: '3 fakturaer valgt' }).waitFor();
  await inspect(page, 'invoices-chosen');
  await bar.getByRole('button', { name: 'Sett til betalt' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sett til betalt' });
  const date = dialog.getByLabel('Betalingsdato', { exact: true });
  await date.fill('01.01.2099');
  await date.press('Enter');
  await dialog.getByText('Datoen kan ikke være etter i dag').first().waitFor();
  await inspect(page, 'invoices-paid-date');
  await date.fill(daysFromNow(-1).split('-').toReversed().join('.'));
  await date.press('Enter');
  const messages = page.getByRole('log');
  await messages.getByText('3 fakturaer satt til betalt').waitFor();
  await bar.waitFor({ state: 'hidden' });
  const paid = `PAID ${daysFromNow(-1)}`;
  expect((await statuses(page)).slice(0, 4)).toEqual([paid, paid, paid, 'REGISTERED']);
  // The focus does not fall back to the top of the page.
  await expect
    .poll(async () => page.evaluate(() => document.activeElement?.tagName))
    .not.toBe('BODY');
  await messages.getByRole('button', { name: 'Angre' }).click();
  await messages.getByText('Endringen er angret').waitFor();
  expect((await statuses(page)).slice(0, 4)).toEqual(Array.from({ length: 4 }, () => 'REGISTERED'));

  // Shift selects all rows between two clicks; skipped invoices are listed with a link to the place to correct them.
  await page.getByLabel('Status').selectOption('Alle statuser');
  await byNumber.getByRole('button').click();
  // Wait for the new list, because loading it clears the selection.
  await expect.poll(async () => table.getByRole('row').nth(1).textContent()).toContain('Utkast');
  await expect.poll(async () => table.getByRole('row').count()).toBe(7);
  await table
    .getByRole('checkbox', { name: /^Velg utkast/ })
    .first()
    .click();
  await box(first).click({ modifiers: ['Shift'] });
  await bar.getByText('6 valgt').waitFor();
  expect(await table.getByRole('checkbox', { name: 'Velg alle på siden' }).isChecked()).toBe(true);
  await bar.getByRole('button', { name: 'Registrer valgte' }).click();
  const question = page.getByRole('alertdialog', {
    name: /^Registrere 1 faktura, 1\s250,00\skr\?$/,
  });
  // The names of those left out are behind a press.
  const leftOut = question.getByText('1 utkast blir liggende: Kunden mangler e-postadresse.');
  await leftOut.click();
  await question.getByRole('link', { name: 'Rett det hos Nordnes Kaffebar' }).waitFor();
  await inspect(page, 'invoices-left-out');
  await question.getByRole('button', { name: 'Send 1 nå, la 1 bli utkast' }).click();
  const answer = page.getByRole('dialog', { name: '1 faktura registrert' });
  await answer.getByText('1 ble ikke endret').waitFor();
  await answer.getByRole('link', { name: 'Rett det hos Nordnes Kaffebar' }).waitFor();
  await inspect(page, 'invoices-skipped');
  await answer.getByRole('link', { name: 'Utkast til Nordnes Kaffebar' }).click();
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();

  // Mark invoices as paid in the list itself.
  await follow(page, '/invoices/?status=REGISTERED');
  await page.getByRole('button', { name: `Sett faktura ${first} til betalt` }).click();
  await finishPaying(page);
  await page.getByLabel('Status').selectOption('Betalt');
  await page.getByRole('button', { name: `Sett faktura ${first} til ikke betalt` }).click();
  await page.getByText('Ingen betalte fakturaer ennå').waitFor();
  await page.getByRole('button', { name: 'Vis alle fakturaer' }).click();
  await expect.poll(async () => table.getByRole('row').count()).toBe(7);
  expect(complaints).toEqual([]);
});

// The journey above tries the rest, which is the same with everything on.
test('with everything on, several invoices are marked as paid, that is undone, and chosen drafts are registered', async () => {
  const ahead = { issue_date: daysFromNow(1) };
  const stage = await withDrafts(withAll, 'alt-paa@fjordlys.no', ahead);
  const { page, complaints, first, table, bar } = stage;

  await page.goto('/invoices/?status=OUTSTANDING&sort=number');
  await table.getByRole('checkbox', { name: `Velg faktura ${first}` }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await bar.getByText('2 valgt').waitFor();
  await inspect(page, 'invoices-chosen');
  await bar.getByRole('button', { name: 'Sett til betalt' }).press('Enter');
  const date = page
    .getByRole('dialog', { name: 'Sett til betalt' })
    .getByLabel('Betalingsdato', { exact: true });
  await date.fill(daysFromNow(-1).split('-').toReversed().join('.'));
  await date.press('Enter');
  const messages = page.getByRole('log');
  await messages.getByText('2 fakturaer satt til betalt').waitFor();
  const paid = `PAID ${daysFromNow(-1)}`;
  expect((await statuses(page)).slice(0, 3)).toEqual([paid, paid, 'REGISTERED']);
  await messages.getByRole('button', { name: 'Angre' }).click();
  await messages.getByText('Endringen er angret').waitFor();
  expect((await statuses(page)).slice(0, 2)).toEqual(['REGISTERED', 'REGISTERED']);

  await follow(page, '/invoices/');
  await table.getByRole('checkbox', { name: 'Velg alle på siden' }).click();
  await bar.getByText('6 valgt').waitFor();
  await bar.getByRole('button', { name: 'Registrer valgte' }).click();
  const question = page.getByRole('alertdialog', { name: /^Registrere 1 faktura/ });
  // INV-46: its date is tomorrow's.
  await question.getByText('Ett utkast har noe å se over').waitFor();
  await question.getByRole('button', { name: 'Send 1 nå, la 1 bli utkast' }).click();
  const answer = page.getByRole('dialog', { name: '1 faktura registrert' });
  await answer.getByText('1 ble ikke endret').waitFor();
  await inspect(page, 'invoices-skipped');

  // Mark invoices as paid in the list itself.
  await page.goto('/invoices/?status=REGISTERED');
  await page.getByRole('button', { name: `Sett faktura ${first} til betalt` }).click();
  await finishPaying(page);
  await page.getByLabel('Status').selectOption('Betalt');
  await page.getByRole('button', { name: `Sett faktura ${first} til ikke betalt` }).click();
  await page.getByText('Ingen betalte fakturaer ennå').waitFor();
  expect(complaints).toEqual([]);
});

test('on a phone the first invoice is visible at once, is marked as paid by touch, and its PDF is shared', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url, {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    alone: true,
  });
  // Chromium in Debian cannot share files.
  await page.addInitScript(() => {
    const shared: string[] = [];
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files }: { files: File[] }) => {
        shared.push(...files.map(({ name, type, size }) => `${name} ${type} ${size > 1000}`));
        return Promise.resolve();
      },
    });
    Object.assign(window, { shared });
  });
  const { customer, first } = await company(page, here.faktur, 'tommel@fjordlys.no');
  await addDraft(page, customer);
  await page.goto('/invoices/');
  const rows = page.getByRole('table', { name: 'Fakturaer' }).getByRole('row');
  await page.getByRole('link', { name: /^Detaljer om utkast/ }).waitFor();
  const boxes = await rows.evaluateAll((found) =>
    found.slice(1).map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
  );
  expect(Math.max(...boxes.map(({ height }) => height))).toBeLessThanOrEqual(72);
  // INV-35
  expect(boxes[0]?.y).toBeLessThan(420);
  await inspect(page, 'invoices-phone');
  await page.setViewportSize(PHONE);

  await page.getByRole('button', { name: `Sett faktura ${first} til betalt` }).tap();
  await finishPaying(page);
  await undoPaying(page, first);
  await page.getByRole('button', { name: `Sett faktura ${first} til betalt` }).waitFor();
  await page.getByRole('button', { name: 'Velg', exact: true }).tap();
  const bar = page.getByRole('region', { name: 'Valgte fakturaer' });
  await bar.getByRole('checkbox', { name: 'Velg alle på siden' }).tap();
  await bar.getByText('5 valgt').waitFor();
  await inspect(page, 'invoices-chosen-phone');
  await page.setViewportSize(PHONE);
  await bar.getByRole('button', { name: 'Avbryt valg' }).tap();
  await bar.waitFor({ state: 'hidden' });

  // Choosing ends with the last row of a list.
  await page.getByRole('button', { name: 'Flere filtre' }).tap();
  await page.getByLabel('Status').selectOption('Utkast');
  await expect.poll(async () => rows.count()).toBe(2);
  await page.getByRole('button', { name: 'Velg', exact: true }).tap();
  await bar.getByRole('checkbox', { name: 'Velg alle på siden' }).tap();
  await bar.getByRole('button', { name: 'Registrer valgte' }).tap();
  const question = page.getByRole('alertdialog', { name: /^Registrere 1 faktura, / });
  await question.getByRole('button', { name: 'Registrer og send' }).tap();
  await question.waitFor({ state: 'hidden' });
  await expect.poll(async () => rows.count()).toBe(0);
  await page.getByLabel('Status').selectOption('Alle statuser');
  await expect.poll(async () => rows.count()).toBe(6);
  await bar.waitFor({ state: 'hidden' });

  await follow(page, `/invoices/${first}/`);
  await page.getByRole('button', { name: 'Del PDF' }).tap();
  await expect
    .poll(async () => page.evaluate(() => (window as { shared?: string[] }).shared))
    .toEqual([`faktura-${first}.pdf application/pdf true`]);
  expect(complaints).toEqual([]);
});

// OVER-16, WEB-22
test('on a phone the features that are off stand disabled in one row, and leave room for an invoice', async () => {
  const { browser, faktur } = withoutFeatures;
  const { page } = await visit(browser, faktur.url, { viewport: PHONE });
  await createAccount(page, faktur, 'uten-tilvalg@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  await register(page, await addDraft(page, customer, { issue_date: daysFromNow(-30) }));
  await addDraft(page, customer);
  await page.goto('/invoices/');
  const first = page.getByRole('table', { name: 'Fakturaer' }).getByRole('row').nth(1);
  await first.getByText('Utkast').waitFor();
  const { y = Infinity, height = 0 } = (await first.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(PHONE.height);
  const tops = [];
  for (const name of ['Fast oppdrag', 'Eksporter', 'Del oversikt']) {
    const button = page.getByRole('button', { name });
    expect(await button.isDisabled()).toBe(true);
    tops.push((await button.boundingBox())?.y);
  }
  expect(new Set(tops).size).toBe(1);
});

// CUS-11
test('an invoice links to its customer, a customer to its unpaid invoices, and a group to a new invoice', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  const { customer, first } = await company(page, here.faktur, 'lenker@fjordlys.no');
  const { customer_number: other } = await addCustomer(page, 'Åsane Rør');
  await register(page, await addDraft(page, other));
  for (let made = 0; made < 2; made++) {
    await addDraft(page, customer, { delivery_type: 'EMAIL' });
  }
  await page.goto(`/invoices/${first}/`);
  await page.getByRole('link', { name: 'Nordnes Kaffebar' }).click();
  await page.getByRole('heading', { name: 'Endre kunde' }).waitFor();
  const owed = page.getByRole('region', { name: 'Fakturaer' });
  await owed.getByText(/^5\s000,00 kr$/).waitFor();
  const latest = owed.getByRole('list', { name: 'Siste fakturaer' }).getByRole('listitem');
  await expect.poll(async () => latest.count()).toBe(5);
  const invoicing = page.getByRole('link', { name: 'Ny faktura' });
  expect(await invoicing.getAttribute('href')).toBe(`/invoices/create/?customer=${customer}`);
  await inspect(page, 'customer-owes');
  await owed.getByRole('button', { name: 'Vis forfalt: 1 faktura' }).click();
  const rows = page.getByRole('table', { name: 'Fakturaer' }).getByRole('row');
  await expect.poll(async () => rows.count()).toBe(2);
  await expect.poll(() => page.url()).toContain(`customer=${customer}`);
  await page.getByLabel('Status').selectOption('Alle statuser');
  await expect.poll(async () => rows.count()).toBe(7);
  await inspect(page, 'invoices-of-customer');
  await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).click();
  await expect.poll(async () => rows.count()).toBe(8);

  await call(page, 'POST', '/api/customers/groups/create/', {
    group_name: 'Medlemmer',
    customers: [customer, other],
  });
  await follow(page, '/customers/groups/');
  await page.getByRole('cell', { name: 'Medlemmer', exact: true }).click();
  await page.getByRole('link', { name: 'Fakturer gruppen' }).click();
  await page.getByRole('heading', { name: 'Ny faktura' }).waitFor();
  await page.getByText('Medlemmer (2 kunder)').waitFor();
  await page.getByLabel('Beskrivelse').fill('Kontingent');
  await page.getByLabel('Pris eks. mva.').fill('500');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await expect.poll(async () => page.getByText(/^4 utkast/).count()).toBe(1);
  expect(complaints).toEqual([]);
});

// WEB-20
test('the next page neither skips nor repeats invoices after changes in another tab', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'neste-side@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  for (let i = 0; i < 45; i++) await addDraft(page, customer);
  const listed = async () => {
    const uuids: string[] = [];
    for (const number of [1, 2, 3]) {
      const address = `/api/invoices/?page=${number}`;
      const { results } = await call<{ results: { uuid: string }[] }>(page, 'GET', address);
      uuids.push(...results.map(({ uuid }) => uuid));
    }
    return uuids;
  };
  const rows = page.getByRole('table', { name: 'Fakturaer' }).locator('tbody tr');
  const more = page.getByRole('button', { name: 'Hent flere' });
  const shown = async () =>
    rows
      .locator('a[href^="/invoices/"]:not([href$="/pdf/"])')
      .evaluateAll((links) => [
        ...new Set(links.map((link) => link.getAttribute('href')?.split('/')[2])),
      ]);
  await page.goto('/invoices/');
  await expect.poll(async () => rows.count()).toBe(20);
  const [first = '', second = ''] = await listed();
  await call(page, 'DELETE', `/api/invoices/${first}/`);
  await more.click();
  await expect.poll(async () => rows.count()).toBe(40);
  await expect.poll(shown).toEqual((await listed()).slice(0, 40));
  // A registered invoice comes after the drafts.
  await call(page, 'POST', `/api/invoices/queue/?invoice_uuid=${second}`);
  await more.click();
  await expect.poll(async () => rows.count()).toBe(44);
  await expect.poll(shown).toEqual((await listed()).map((uuid) => (uuid === second ? '1' : uuid)));
});
