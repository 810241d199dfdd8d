import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { CheckCircleIcon, ClockIcon, SendIcon, WarningIcon } from '../web/ui/icons.tsx';
import { addDays, formatDate, todayInOslo } from '../domain/date.ts';
import { follow, PHONE, visit } from './support/browser.ts';
import { STAFF_EMAIL, stage, withoutAndWithAll, WITHOUT } from './support/faktur.ts';
import { finishPaying } from './support/features.ts';
import { inspect } from './support/inspect.ts';
import {
  addCustomer,
  addDraft,
  call,
  completeProfile,
  register,
  createAccount,
} from './support/person.ts';

/** The date a number of days after today; negative is before. */
const daysFromNow = (days: number) => addDays(todayInOslo(), days);

// Mail waits for staff, so that every state can be examined.
const here = stage({ DISPATCH: 'staff' });
// With `payments` 'Sett til betalt' opens a dialog, 'Velg betalingsdato' is gone, and a paid invoice can be credited.
const withoutPayments = stage(WITHOUT);
// Mail is sent automatically here, because only sent invoices can be overdue.
const sending = stage();

// INV-20, WEB-22
test('a user marks as paid and undoes that, and a second click does nothing', async () => {
  const { page, complaints } = await visit(withoutPayments.browser, withoutPayments.faktur.url);
  await createAccount(page, withoutPayments.faktur, 'status@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const number = await register(page, await addDraft(page, customer));

  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.method());
  });
  await page.goto('/invoices/');
  await page.getByRole('button', { name: `Sett faktura ${number} til betalt` }).waitFor();
  // The change is visible even when the list does not load.
  await page.route('**/api/invoices/?page=1', () => undefined);
  await page.getByRole('button', { name: `Sett faktura ${number} til betalt` }).dblclick();
  await page.getByText('Faktura oppdatert!').waitFor();
  await page.getByRole('table').getByText('Betalt').waitFor();
  await page.unroute('**/api/invoices/?page=1');
  expect(await page.getByRole('button', { name: /til betalt/ }).count()).toBe(0);

  await page.goto(`/invoices/${number}/`);
  await page.getByText('Ingen leveringsmetode er valgt').waitFor();
  expect(await page.getByRole('button', { name: 'Slett faktura' }).isDisabled()).toBe(true);
  // Payments and reminders are off here.
  expect(await page.getByRole('heading', { name: 'Betalinger' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Send purring' }).isDisabled()).toBe(true);
  expect(await page.getByRole('region', { name: 'Purringer' }).count()).toBe(0);
  await inspect(page, 'invoice-paid');
  await page.getByRole('button', { name: 'Ikke betalt' }).click();
  // The second click of a double click must not press the button that replaces the first.
  await page.getByRole('button', { name: 'Sett til betalt' }).dblclick();
  await page.getByRole('button', { name: 'Ikke betalt' }).click();
  await page.getByRole('button', { name: 'Sett til betalt' }).waitFor();
  // Each press and each double click sends one request.
  expect(sent).toEqual(['POST', 'POST', 'POST', 'POST']);
  expect(complaints).toEqual([]);
});

test.each(withoutAndWithAll())(
  'a user credits with FEATURES=%s',
  async (features, { browser, faktur }) => {
    const { page, complaints } = await visit(browser, faktur.url);
    // With everything on `part-credit` and `invoice-payments` inspect these screens.
    const inspectOnce = async (name: string) => (features === '' ? inspect(page, name) : undefined);
    await createAccount(page, faktur, 'krediterer@fjordlys.no');
    await completeProfile(page);
    const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
    const number = await register(page, await addDraft(page, customer));

    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.method());
    });
    await page.goto(`/invoices/${number}/`);
    await page.getByRole('button', { name: 'Slett faktura' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Slett faktura' });
    await dialog.getByText('kreditnota med neste nummer').waitFor();
    await inspectOnce('invoice-delete');
    await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
    await page.getByText('Faktura slettet!').waitFor();
    await page.waitForURL('**/invoices/');
    await page.getByRole('table').getByText('Kreditnota').waitFor();
    await inspectOnce('invoices-credited');
    await page.getByRole('link', { name: `Vis PDF av kreditnota ${number + 1}` }).waitFor();
    await follow(page, `/invoices/${number}/`);
    await page.getByText('Kansellert med').waitFor();
    expect(await page.getByText('Å betale').count()).toBe(0);
    await inspectOnce('invoice-credited');
    await page.getByRole('link', { name: `kreditnota ${number + 1}` }).click();
    await page.getByRole('heading', { name: `Kreditnota ${number + 1}` }).waitFor();
    expect(await page.getByText(/Forfallsdato|Kontonummer/).count()).toBe(0);
    await inspectOnce('credit-note');
    // Credited.
    expect(sent).toEqual(['DELETE']);
    expect(complaints).toEqual([]);
  },
);

// The same with everything on.
// INV-27
test('a draft is deleted, and not when it is registered meanwhile in another tab', async () => {
  const { browser, faktur } = withoutPayments;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'sletter@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  await addDraft(page, customer);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.method());
  });
  const dialog = page.getByRole('alertdialog', { name: 'Slett faktura' });

  // Nothing is deleted then, and the dialog asks again.
  const third = await addDraft(page, customer);
  await page.goto(`/invoices/${third.uuid}/`);
  await page.getByRole('button', { name: 'Slett faktura' }).click();
  await dialog.getByText('Utkastet slettes for godt').waitFor();
  const registered = await register(page, third);
  await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
  await dialog.getByText('Fakturaen er endret i mellomtiden.').waitFor();
  await dialog.getByText(`Faktura ${registered} til`).waitFor();
  await inspect(page, 'invoice-delete-changed');
  await dialog.getByRole('button', { name: 'Avbryt' }).click();
  await page.getByRole('heading', { name: `Faktura ${registered}` }).waitFor();
  await page.getByRole('button', { name: 'Slett faktura' }).click();
  await dialog.getByText(`Faktura ${registered} til`).waitFor();
  expect(await dialog.getByText('i mellomtiden').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Avbryt' }).click();

  await follow(page, '/invoices/');
  await page.getByLabel('Status').selectOption('Utkast');
  await page.getByRole('link', { name: 'Detaljer om utkast til Nordnes Kaffebar' }).click();
  await page.getByRole('button', { name: 'Slett faktura' }).click();
  await dialog.getByText('Utkastet slettes for godt').waitFor();
  await dialog.getByRole('button', { name: 'Slett', exact: true }).dblclick();
  await page.waitForURL('**/invoices/');
  await page.getByRole('link', { name: `Vis PDF av faktura ${registered}` }).waitFor();
  // Going back does not show the deleted invoice from the cache.
  await page.goBack();
  await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
  // Refused, and deleted by a double click.
  expect(sent).toEqual(['DELETE', 'DELETE']);
  expect(complaints).toEqual([]);
});

// INV-21, WEB-23
test('a single invoice can be marked as paid on a chosen date, and two messages fit a phone', async () => {
  const { browser, faktur } = withoutPayments;
  const { page, complaints } = await visit(browser, faktur.url, { viewport: PHONE });
  await createAccount(page, faktur, 'betalingsdato@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const number = await register(
    page,
    await addDraft(page, customer, { issue_date: daysFromNow(-9) }),
  );
  const pay = page.getByRole('button', { name: 'Sett til betalt' });
  const ask = page.getByRole('button', { name: 'Velg betalingsdato' });
  const dialog = page.getByRole('dialog', { name: 'Sett til betalt' });
  const messages = page.getByRole('log');
  const paidOn = async () => {
    const path = `/api/invoices/${number}/`;
    return (await call<{ paid_date: string | null }>(page, 'GET', path)).paid_date;
  };

  await page.goto(`/invoices/${number}/`);
  await ask.press('Enter');
  const date = dialog.getByLabel('Betalingsdato', { exact: true });
  await expect.poll(async () => date.inputValue()).toBe(formatDate(todayInOslo()));
  await inspect(page, 'invoice-paid-date');
  await date.fill(formatDate(daysFromNow(-2)));
  await date.press('Enter');
  await messages.getByText('Faktura oppdatert!').waitFor();
  await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();
  expect(await ask.count()).toBe(0);
  expect(await paidOn()).toBe(daysFromNow(-2));
  await expect
    .poll(async () => page.evaluate(() => document.activeElement?.tagName))
    .not.toBe('BODY');
  await messages.getByRole('button', { name: 'Angre' }).click();
  await messages.getByText('Endringen er angret').waitFor();
  expect(await paidOn()).toBeNull();

  // 'Sett til betalt' takes one press and uses today's date.
  await pay.click();
  await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();
  expect(await paidOn()).toBe(todayInOslo());
  await page.getByRole('button', { name: 'Ikke betalt' }).click();
  await pay.waitFor();

  const refusal = { detail: [{ message: 'Fakturaen ble endret et annet sted' }] };
  await page.route('**/api/invoices/*/update/', async (route) =>
    route.fulfill({ status: 409, json: refusal }),
  );
  await pay.click();
  await messages.getByText('Fakturaen ble endret et annet sted').waitFor();
  // The messages are stacked within the window, above the bar with the next step.
  const boxes = await Promise.all(
    [...(await messages.locator(':scope > *').all()), pay].map(async (part) => part.boundingBox()),
  );
  expect(boxes).toHaveLength(3);
  const edges = boxes.flatMap((box) => [box?.y ?? 0, (box?.y ?? 0) + (box?.height ?? 0)]);
  expect(edges).toEqual(edges.toSorted((one, other) => one - other));
  expect(edges.at(-1)).toBeLessThanOrEqual(PHONE.height);
  await inspect(page, 'invoice-messages');
  await page.getByRole('button', { name: 'Slett faktura' }).click();
  await page.getByRole('alertdialog', { name: 'Slett faktura' }).waitFor();
  expect(complaints).toEqual([]);
});

// INV-18
test('a draft shows why it cannot be registered, with a link to correct it', async () => {
  const { page, complaints } = await visit(sending.browser, sending.faktur.url);
  await createAccount(page, sending.faktur, 'hindring@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const draft = await addDraft(page, customer, { delivery_type: 'EMAIL' });
  const warning = page.getByText('Utkastet kan ikke registreres ennå');

  await page.goto(`/invoices/${draft.uuid}/`);
  await warning.waitFor();
  await page.getByText('Kunden mangler e-postadresse.').waitFor();
  await inspect(page, 'invoice-obstacle');
  // INV-38: nothing is tried that the screen knows to fail. What stands in the way gets the focus.
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await expect
    .poll(async () => warning.evaluate((text) => document.activeElement?.contains(text)))
    .toBe(true);
  expect(await page.getByRole('log').getByText('Conflict').count()).toBe(0);
  await page.getByRole('link', { name: 'Rett det hos Nordnes Kaffebar' }).press('Enter');
  await page.waitForURL(`**/customers/${customer}/edit/`);
  await page.getByLabel('E-post', { exact: true }).fill('kaffe@eksempel.no');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kunde oppdatert!').waitFor();
  await page.goBack();
  // This is within the time for which the cached draft would be shown.
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await warning.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  expect(complaints).toEqual([]);
});

// INV-22
test('icons in the list show waiting, sent, overdue and paid invoices', async () => {
  const { faktur, browser } = sending;
  const { page } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'ikoner@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar', {
    email: 'kjoper@eksempel.no',
  });
  const mailed = { delivery_type: 'EMAIL' };
  const late = { ...mailed, issue_date: '2026-01-02' };
  for (const fields of [{}, mailed, late, late]) {
    await register(page, await addDraft(page, customer, fields));
  }
  for (let mails = 0; mails < 3; mails++) await faktur.mailbox.take('kjoper@eksempel.no');
  await page.goto('/invoices/4/');
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await finishPaying(page);

  await follow(page, '/invoices/');
  await expect.poll(async () => page.getByRole('table').getByText('Utsendt').count()).toBe(2);
  const iconOf = async (number: number) =>
    page
      .getByRole('row', { name: new RegExp(`^Velg faktura ${number} `) })
      .locator('svg')
      .first()
      .innerHTML();
  const icons = await Promise.all([1, 2, 3, 4].map(iconOf));
  expect(icons).toEqual([ClockIcon, SendIcon, WarningIcon, CheckCircleIcon].map(drawn));
  await page.getByRole('row', { name: /^Velg faktura 3 .*Forfalt/ }).waitFor();
  expect(await page.getByRole('table').getByText('Forfalt', { exact: true }).count()).toBe(1);
  // Only staff have a button that sends all invoices.
  expect(await page.getByRole('button', { name: 'Send fakturaer' }).count()).toBe(0);
  await inspect(page, 'invoices-icons');
});

/** The SVG content of an icon, as a browser serialises it. */
function drawn(Icon: ComponentType): string {
  return renderToStaticMarkup(createElement(Icon)).replaceAll(/^<svg[^>]*>|<\/svg>$/g, '');
}

test('all drafts are registered at once except a faulty one, and staff sends the mail', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, STAFF_EMAIL);
  await completeProfile(page);
  const good = await addCustomer(page, 'Med adresse', { email: 'kjoper@eksempel.no' });
  const bad = await addCustomer(page, 'Uten adresse');
  for (let index = 0; index < 22; index++) {
    await addDraft(page, good.customer_number, index === 0 ? { delivery_type: 'EMAIL' } : {});
  }
  await addDraft(page, bad.customer_number, { delivery_type: 'EMAIL' });

  await page.goto('/invoices/');
  await page.getByText(/^22 utkast/).waitFor();
  expect(await page.getByRole('button', { name: 'Send fakturaer' }).isDisabled()).toBe(true);
  expect(await page.getByRole('row').count()).toBe(21);
  await page.getByRole('button', { name: 'Hent flere' }).click();
  await page.getByRole('button', { name: 'Hent flere' }).waitFor({ state: 'hidden' });
  expect(await page.getByRole('row').count()).toBe(24);

  // Going back or reloading restores the page and the scroll position.
  await expect.poll(() => page.url()).toContain('/invoices/?page=2');
  await page
    .getByRole('link', { name: /^Detaljer/ })
    .last()
    .scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  await page
    .getByRole('link', { name: /^Detaljer/ })
    .last()
    .click();
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await page.goBack();
  await expect.poll(async () => page.getByRole('row').count()).toBe(24);
  await expect.poll(async () => page.evaluate(() => window.scrollY)).toBe(scrolled);
  await page.reload();
  await expect.poll(async () => page.getByRole('row').count()).toBe(24);
  await page.getByLabel('Søk i fakturaer').fill('uten');
  await page.getByLabel('Status').selectOption('Utkast');
  await expect.poll(() => page.url()).toMatch(/\?query=uten&status=DRAFT$/);
  await expect.poll(async () => page.getByRole('row').count()).toBe(2);
  expect(await page.locator(':focus').count()).toBe(1);
  await page.getByRole('link', { name: /^Detaljer/ }).click();
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Søk i fakturaer').inputValue()).toBe('uten');
  await expect.poll(async () => page.getByRole('row').count()).toBe(2);
  // The menu opens the list without filters.
  await page.getByRole('link', { name: 'Fakturaer' }).click();
  await expect.poll(async () => page.getByRole('row').count()).toBe(24);
  expect(await page.getByLabel('Søk i fakturaer').inputValue()).toBe('');

  // The effect is shown beside the button, and several drafts need a confirmation.
  const bar = page.getByRole('region', { name: 'Utsending' });
  const plan = /^22 utkast kan sendes \(27\s500,00 kr\), 1 av dem på e-post\. Ett mangler noe$/;
  await bar.getByText(plan).waitFor();
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  const question = page.getByRole('alertdialog', {
    name: /^Sende 22 fakturaer, 27\s500,00\skr\?$/,
  });
  await question.getByText('1 av dem sendes på e-post.').waitFor();
  await inspect(page, 'invoices-register');
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByText(/^22 utkast/).waitFor();
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await question.getByRole('button', { name: 'Send 22 nå, la 1 bli utkast' }).click();
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  await page.getByText('Ett utkast står igjen').waitFor();
  await bar.getByText('Ett utkast mangler noe').waitFor();
  await page.getByText('Venter').waitFor();
  await inspect(page, 'invoices-registered');

  await page.getByRole('button', { name: 'Send fakturaer' }).click();
  await page.getByText('Fakturaer er lagt til utsending').waitFor();
  await page.getByRole('table').getByText('Utsendt').waitFor();
  await here.faktur.mailbox.take('kjoper@eksempel.no');

  await follow(page, '/invoices/1/');
  await page.getByRole('button', { name: 'Sett til betalt' }).click();
  await finishPaying(page);
  await page.getByText('PDF-en er den som ble sendt').waitFor();
  await inspect(page, 'invoice-sent-and-paid');
  expect(complaints).toEqual([]);
});
