import { setTimeout as delay } from 'node:timers/promises';

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, formatDate, todayInOslo } from '../domain/date.ts';
import { proposedDeadline } from '../domain/late-payment/reminder-law.ts';
import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

const here = stage(WITH_ALL);
const KARI = 'kari@nordnes.no';

/** Registers an invoice of 1 250 kroner that was due the given number of days ago. Returns its number. */
async function issueLate(page: Page, customer: number, daysLate: number): Promise<number> {
  const issueDate = addDays(todayInOslo(), -daysLate - 14);
  return register(page, await addDraft(page, customer, { issue_date: issueDate }));
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    const text = await page.evaluate(() => {
      const { activeElement: at } = document;
      return at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : at?.textContent;
    });
    if (text?.startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} is not reached with the keyboard`);
}

// INV-39, REM-6, REM-20
test('a user sends a reminder of an invoice, reads the legal rule, and marks it as disputed', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'purring@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar', {
    email: KARI,
    org_number: '923609016',
  });
  await issueLate(page, customer, 40);
  await issueLate(page, customer, -3);
  await here.faktur.ask('registerInTime');

  await page.goto('/invoices/2/');
  const button = page.getByRole('button', { name: 'Send purring' });
  const dueDate = formatDate(addDays(todayInOslo(), 3));
  const card = page.getByRole('region', { name: 'Purringer' });
  await card.getByText(`Fakturaen forfaller ${dueDate}.`).waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(await button.evaluate(describedBy)).toBe(`Fakturaen forfaller ${dueDate}.`);

  // Use only the keyboard. What is proposed comes late, and the dialog opens with it.
  await page.route(
    '**/reminders/?dry_run=true',
    async (route) => {
      await delay(500);
      await route.continue();
    },
    { times: 1 },
  );
  await follow(page, '/invoices/1/');
  await button.waitFor();
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Send purring' });
  await dialog.getByText(`Til ${KARI}`).waitFor();
  await page.keyboard.press('ArrowDown');
  await dialog.getByText('Purregebyr', { exact: true }).nth(1).waitFor();
  expect(await dialog.getByLabel('Ny betalingsfrist', { exact: true }).inputValue()).toBe(
    formatDate(proposedDeadline(todayInOslo())),
  );
  await tabTo(page, 'Krev forsinkelsesrente');
  await page.keyboard.press('Space');
  await dialog.getByText('Forsinkelsesrente til i dag').waitFor();
  await inspect(page, 'reminder-dialog-notice');
  await dialog.getByLabel('Ny betalingsfrist', { exact: true }).fill(formatDate(todayInOslo()));
  await dialog.getByText('Purringen kan ikke sendes slik').waitFor();
  await expect
    .poll(async () => dialog.getByRole('button', { name: 'Send purring' }).isDisabled())
    .toBe(true);
  await inspect(page, 'reminder-dialog-refused');
  const deadline = addDays(todayInOslo(), 20);
  await dialog.getByLabel('Ny betalingsfrist', { exact: true }).fill(formatDate(deadline));
  await dialog.getByRole('button', { name: 'Send purring', disabled: false }).dblclick();
  // The history of the invoice shows the same after a moment.
  await page.getByRole('log').getByText('Purring lagt til utsending').waitFor();
  await dialog.waitFor({ state: 'detached' });

  await card.getByText('Utsendt').waitFor();
  const mail = await here.faktur.mailbox.take(KARI);
  expect(mail.attachments).toHaveLength(2);
  expect(await call<object[]>(page, 'GET', await remindersOf(page, 1))).toHaveLength(1);
  await card.getByText(formatDate(deadline)).waitFor();
  await page.getByText('Purregebyr og renter').first().waitFor();
  await button.click();
  await dialog.getByText('Det er sendt en purring i dag.').waitFor();
  await dialog.getByRole('button', { name: 'Avbryt' }).click();
  await card.getByRole('button', { name: 'Ettergi' }).click();
  const waiving = page.getByRole('alertdialog', { name: 'Ettergi gebyr og renter?' });
  await waiving.getByRole('button', { name: 'Ettergi' }).click();
  await page.getByText('Gebyr og renter er ettergitt').waitFor();
  await card.getByText('Ettergitt').waitFor();
  // The fee and the interest are struck out.
  expect(await card.locator('s').count()).toBe(2);
  const pdf = await card.getByRole('link', { name: /^Vis PDF av purring/ }).getAttribute('href');
  expect((await page.request.get(pdf ?? '')).headers()['content-type']).toBe('application/pdf');

  await card.getByRole('button', { name: 'Merk som bestridt' }).click();
  await page.getByLabel('Hva er kunden uenig i?').fill('Halve leveransen var ødelagt.');
  await page.keyboard.press('Enter');
  await card.getByText('Halve leveransen var ødelagt.').waitFor();
  await page.getByText('Faktura merket som bestridt').waitFor();
  await page.getByRole('region', { name: 'Historikk' }).getByText('Bestridt').waitFor();
  expect(await button.evaluate(describedBy)).toBe('Kunden har bestridt fakturaen.');
  await inspect(page, 'reminder-sent-and-disputed');
  await card.getByRole('button', { name: 'Ikke lenger bestridt' }).click();
  const question = page.getByRole('alertdialog', { name: 'Er saken løst?' });
  await question.getByRole('button', { name: 'Ikke lenger bestridt' }).click();
  await card.getByText('Halve leveransen var ødelagt.').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('the reminder dialog reports when its code cannot be loaded, and opens at the next try', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'purring-uten-kode@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar', {
    email: KARI,
  });
  await issueLate(page, customer, 40);
  await here.faktur.ask('registerInTime');
  await page.route('**/assets/ReminderDialog-*.js*', async (route) => route.abort());
  await page.goto('/invoices/1/');
  const button = page.getByRole('button', { name: 'Send purring' });
  await button.click();
  await page.getByText('Dialogen kunne ikke vises').waitFor();
  await page.unroute('**/assets/ReminderDialog-*.js*');
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Send purring' });
  await dialog.getByText(`Til ${KARI}`).waitFor();
  expect(await page.getByText('Dialogen kunne ikke vises').count()).toBe(1);
});

// REM-25
test('a treasurer selects proposed reminders, and sees which were sent and which were not', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'kasserer@fjordlys.no');
  await completeProfile(page);
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Forslag til purringer' }).click();
  await page.getByText('Ingen å purre på nå').waitFor();

  const { customer_number: kari } = await addCustomer(page, 'Nordnes Kaffebar', { email: KARI });
  const { customer_number: paper } = await addCustomer(
    page,
    'Vestlandets Forening for Eldre Trebåter og Fartøyvern',
  );
  await issueLate(page, kari, 20);
  await issueLate(page, kari, 12);
  await issueLate(page, paper, 30);
  await issueLate(page, paper, 9);
  await dispute(page, 4);
  await here.faktur.ask('registerInTime');

  await page.goto('/invoices/reminders/');
  const ready = page.getByRole('region', { name: 'Kan sendes nå' });
  await page.getByRole('region', { name: 'Venter' }).getByText('bestridt').waitFor();
  expect(await ready.getByRole('row').count()).toBe(4);
  await tabTo(page, 'Velg alle 3');
  await page.keyboard.press('Space');
  await ready.getByText('3 purringer, 3 750,00 kr').waitFor();
  await inspect(page, 'proposals');
  // The invoice is paid meanwhile in another window.
  const { uuid } = await call<{ uuid: string }>(page, 'GET', '/api/invoices/2/');
  await call(page, 'POST', `/api/invoices/${uuid}/update/`, { status: 'PAID' });
  await tabTo(page, 'Send valgte');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Sende 3 purringer, 3 750,00 kr?' });
  await question.getByText('Én purring blir til utskrift').waitFor();
  await question.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Én purring er lagt til utsending').waitFor();
  await page.getByText('Én purring til utskrift').waitFor();
  await page.getByText('Én purring ble ikke sendt').waitFor();
  await page.getByRole('link', { name: 'faktura 2' }).waitFor();
  await ready.waitFor({ state: 'detached' });
  await inspect(page, 'proposals-sent');
  await here.faktur.mailbox.take(KARI);

  await follow(page, '/invoices/3/');
  await page.getByText('Til utskrift').waitFor();
  expect(complaints).toEqual([]);
});

test('a reminder that a job sends disappears from the proposals by itself', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'mange-purringer@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar', {
    email: KARI,
  });
  await issueLate(page, customer, 20);
  await here.faktur.ask('registerInTime');
  const { uuid } = await call<{ uuid: string }>(page, 'GET', '/api/invoices/1/');
  // Only of more than a hundred invoices some are left to jobs.
  await page.route('**/api/reminders/send/', async (route) =>
    route.fulfill({ json: { sent: [], skipped: [], waiting: [uuid] } }),
  );
  await page.goto('/invoices/reminders/');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Send valgte' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Én purring sendes nå').waitFor();
  await page.getByRole('region', { name: 'Kan sendes nå' }).waitFor();
  await call(page, 'POST', `/api/invoices/${uuid}/update/`, { status: 'PAID' });
  await page.getByText('Ingen å purre på nå').waitFor();
  expect(complaints).toEqual([]);
});

function describedBy(element: Element): string | null | undefined {
  const id = element.getAttribute('aria-describedby') ?? '';
  return document.getElementById(id)?.textContent;
}

async function remindersOf(page: Page, invoiceNumber: number): Promise<string> {
  const { uuid } = await call<{ uuid: string }>(page, 'GET', `/api/invoices/${invoiceNumber}/`);
  return `/api/invoices/${uuid}/reminders/`;
}

async function dispute(page: Page, invoiceNumber: number): Promise<void> {
  const { uuid } = await call<{ uuid: string }>(page, 'GET', `/api/invoices/${invoiceNumber}/`);
  await call(page, 'POST', `/api/invoices/${uuid}/dispute/`, { disputed: true });
}
