import { expect, test } from 'vitest';

import { addDays, formatDate, todayInOslo } from '../domain/date.ts';
import { follow, PHONE, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import {
  addCustomer,
  addDraft,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = stage(WITH_ALL);

test('an owner sees how it goes, and opens the invoices behind a figure', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'tall@oversikt.fjordlys.no');
  await completeProfile(page);
  await page.goto('/overview/');
  await page.getByText('Ingen tall ennå').waitFor();
  await inspect(page, 'overview-empty');

  const today = todayInOslo();
  const kari = await addCustomer(page, 'Kari Nordmann');
  const cafe = await addCustomer(page, 'Nordnes Kaffebar og Konditori, avdeling Strandgaten');
  const late = { issue_date: addDays(today, -34) };
  await register(page, await addDraft(page, kari.customer_number, late));
  await register(page, await addDraft(page, cafe.customer_number, { issue_date: today }));
  // Dated ahead, it is not owed yet (OVER-4, OVER-8).
  const ahead = await addCustomer(page, 'Fram AS');
  const later = { issue_date: addDays(today, 5) };
  await register(page, await addDraft(page, ahead.customer_number, later));
  await page.goto('/invoices/');
  await page.getByRole('navigation', { name: 'Hovedmeny' }).getByText('Oversikt').click();
  await page.getByRole('heading', { name: 'Oversikt', level: 1 }).waitFor();
  const ages = page.getByRole('table', { name: 'Utestående etter alder' });
  await ages.getByRole('row', { name: 'Ikke forfalt 1 1\u00A0250,00' }).waitFor();
  await ages.getByRole('row', { name: '15–30 dager 1 1\u00A0250,00' }).waitFor();
  await page.getByText(`den eldste forfalt ${formatDate(addDays(today, -20))}`).waitFor();
  await page.getByRole('table', { name: 'Utgående mva per termin' }).waitFor();
  await inspect(page, 'overview');

  await page.getByRole('link', { name: 'Se ubetalte fakturaer' }).click();
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
  await page.getByRole('cell', { name: /^Kari Nordmann/ }).waitFor();
  await page.getByRole('cell', { name: /^Nordnes Kaffebar/ }).waitFor();
  expect(await page.getByRole('cell', { name: /^Fram AS/ }).count()).toBe(0);
  await page.goBack();

  // The day before the second invoice was issued.
  await page.getByLabel('Per dato', { exact: true }).fill(formatDate(addDays(today, -1)));
  await ages.getByRole('row', { name: 'Ikke forfalt 0 0,00' }).waitFor();
  expect(new URL(page.url()).search).toBe(`?as_of=${addDays(today, -1)}`);
  // The list knows what is owed today alone.
  expect(await page.getByRole('link', { name: 'Se ubetalte fakturaer' }).count()).toBe(0);
  expect(await ages.getByRole('link').count()).toBe(0);
  await page.getByLabel('Per dato', { exact: true }).fill('31.12.2019');
  await page.getByText('Ingen tall per 31.12.2019').waitFor();
  await page.getByLabel('Per dato', { exact: true }).fill(formatDate(addDays(today, -1)));
  await page.getByLabel('Per dato', { exact: true }).fill('01.01.1899');
  await page.getByText('Skriv en dato fra 1900 til 2999.').waitFor();
  expect(new URL(page.url()).search).toBe(`?as_of=${addDays(today, -1)}`);

  await page.goto('/overview/');
  await page.getByRole('link', { name: '15–30 dager' }).click();
  await page.getByText('Kari Nordmann').first().waitFor();
  await page.getByRole('button', { name: /^Fjern fra/ }).waitFor();
  expect(await page.getByRole('cell', { name: /^Nordnes Kaffebar/ }).count()).toBe(0);
  await inspect(page, 'invoices-of-days');
  await page.getByRole('button', { name: /^Fjern fra/ }).click();
  await page.getByRole('cell', { name: /^Nordnes Kaffebar/ }).waitFor();
  await follow(page, `/overview/?as_of=${addDays(today, -1)}`);
  const terms = page.getByRole('table', { name: 'Utgående mva per termin' });
  await terms.getByRole('link', { name: '250,00' }).first().click();
  await page.getByRole('button', { name: /^Fjern fra/ }).waitFor();
  await page
    .getByRole('cell', { name: /^(Kari Nordmann|Nordnes)/ })
    .first()
    .waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Kari Nordmann' }).click();
  await page.getByText('Fakturaer til').waitFor();
  expect(complaints).toEqual([]);
});

// OVER-16
test('the board opens a link on a phone, until the owner takes it back', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'leder@korps.no');
  await completeProfile(page);
  const kari = await addCustomer(page, 'Kari Nordmann');
  await register(page, await addDraft(page, kari.customer_number));
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Del oversikt' }).click();
  await page.getByRole('heading', { name: 'Del oversikt', level: 1 }).waitFor();
  await page.getByLabel('Navn', { exact: true }).fill('Styret');
  await inspect(page, 'overview-share');
  // A fault goes with the choice that it was about.
  await page.getByLabel('Periode').selectOption({ label: 'Fra og til' });
  await page.getByRole('button', { name: 'Lag lenke' }).click();
  await page.getByText('Dette er ikke gyldig.').waitFor();
  await page.getByLabel('Periode').selectOption({ label: 'I år' });
  await page.getByText('Dette er ikke gyldig.').waitFor({ state: 'detached' });
  // Typed input is not lost without a question.
  await page.getByRole('link', { name: 'Fakturaer', exact: true }).first().click();
  await page.getByRole('alertdialog', { name: 'Forkaste det du har skrevet?' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await page.getByLabel('Navn', { exact: true }).press('Enter');
  const url = await page.getByLabel('Lenke', { exact: true }).inputValue();
  await page.getByRole('cell', { name: /^Styret/ }).waitFor();
  await inspect(page, 'overview-shared');
  // Without HTTPS a browser has no clipboard.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'Kopier lenken' }).click();
  await page.getByText('Teksten kunne ikke kopieres').waitFor();

  const board = await visit(here.browser, here.faktur.url, { viewport: PHONE });
  await board.page.goto(url);
  await board.page.getByText('1\u00A0000').first().waitFor();
  expect(await board.page.getByText('Kari Nordmann').count()).toBe(0);
  await inspect(board.page, 'overview-of-board');

  await page.getByRole('button', { name: 'Trekk tilbake' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Trekk tilbake' }).click();
  await page.getByText('Trukket tilbake', { exact: true }).waitFor();
  const answer = await board.page.goto(url);
  expect(answer?.status()).toBe(404);
  expect(complaints).toEqual([]);
});
