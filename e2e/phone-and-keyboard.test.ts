import { expect, test } from 'vitest';

import { PHONE, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { finishPaying } from './support/features.ts';
import { keyboardOf } from './support/keyboard.ts';
import { addCustomer, completeProfile, createAccount, signUp } from './support/person.ts';

const here = stage();

test('an invoice can be written on a phone with touch targets of sufficient size', async () => {
  const { page } = await visit(here.browser, here.faktur.url, {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await signUp(page, here.faktur, 'mobil@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Lag ny' }).tap();
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).tap();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Reparasjon');
  await line.getByLabel('Pris eks. mva.').fill('1234,5');
  // A discount can be entered with a keypad without a minus.
  await page.getByRole('button', { name: 'Legg til linje' }).tap();
  const discount = page.getByRole('listitem', { name: 'Linje 2' });
  await discount.getByLabel('Beskrivelse').fill('Rabatt');
  const sign = discount.getByRole('button', { name: 'Bytt fortegn på Pris eks. mva.' });
  const price = discount.getByLabel('Pris eks. mva.');
  await sign.tap();
  await price.pressSequentially('34,5');
  await discount.getByLabel('Antall').tap();
  await expect.poll(async () => price.inputValue()).toBe('\u221234,50');
  await discount.getByText('\u221243,13').waitFor();
  expect(await price.getAttribute('inputmode')).toBe('decimal');
  await sign.tap();
  await expect.poll(async () => price.inputValue()).toBe('34,50');
  await sign.tap();
  await inspect(page, 'invoice-create-phone');
  await page.setViewportSize(PHONE);
  // The visual order of a line's fields is the Tab order, and the small step buttons are hidden.
  const places = await line.locator('input, select, button').evaluateAll((fields) =>
    fields
      .filter((field) => field.checkVisibility() && field.getAttribute('tabindex') !== '-1')
      .map((field) => field.getBoundingClientRect())
      .map(({ top, left }) => Math.round(top / 40) * 1000 + Math.round(left)),
  );
  expect(places.length).toBeGreaterThan(4);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  // Only the sign buttons among those outside the Tab order are visible, and they are large enough.
  const passedBy = await page.evaluate(() =>
    [...document.querySelectorAll('button[tabindex="-1"]:not([role])')]
      .filter((element) => element.checkVisibility())
      .map((element) => [element.textContent, element.getBoundingClientRect()] as const)
      .map(([name, { width, height }]) => [name, Math.min(width, height) >= 44]),
  );
  expect(passedBy).toEqual(
    Array.from({ length: 2 }, () => ['±Bytt fortegn på Pris eks. mva.', true]),
  );
  for (const name of [/^Øk/, /^Reduser/])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, a[href], select, input')]
      .filter((element) => element.checkVisibility() && !element.closest('p, [tabindex="-1"] p'))
      .map((element) => [element, element.closest('label') ?? element] as const)
      .filter(([element]) => element.getAttribute('tabindex') !== '-1')
      .filter(([element]) => !element.className.includes('skip'))
      .filter(([, target]) => target.getBoundingClientRect().height < 44)
      .map(([element]) => element.outerHTML.slice(0, 100)),
  );
  expect(small).toEqual([]);
  await page.getByRole('button', { name: 'Lagre' }).tap();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByText('1 500,00 kr', { exact: true }).waitFor();
});

// WEB-21
test('a hairdresser logs in, writes an invoice, sends it and marks it as paid with the keyboard alone', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'tastatur@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar', { email: 'faktura@nordnes.no' });
  await page.context().clearCookies();
  await page.goto('/auth/login/');
  const keys = keyboardOf(page);
  await keys.type(page.getByLabel('E-post'), 'tastatur@fjordlys.no');
  await page.keyboard.press('Enter');
  // The last letter of the code sends it.
  await keys.type(
    page.getByLabel('Kode'),
    await here.faktur.mailbox.takeCode('tastatur@fjordlys.no'),
  );
  await page.getByRole('link', { name: 'Lag ny' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Lag ny' }).waitFor();

  const focused = async () =>
    page.evaluate(() => {
      const element = document.activeElement;
      const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
      return (
        element?.getAttribute('aria-label') ?? label?.textContent ?? element?.textContent ?? ''
      );
    });
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Hopp til innholdet');
  await page.keyboard.press('Enter');
  await keys.reach(page.getByRole('link', { name: 'Lag ny' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ny faktura' }).waitFor();
  // The search has the focus, and the first line after the choice.
  await expect.poll(focused).toBe('Søk etter kunde');
  await keys.reach(page.getByRole('tab', { name: 'Kunder' }));
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toBe('Grupper');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(focused).toBe('Kunder');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).waitFor();
  await keys.reach(page.getByLabel('Søk etter kunde'));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).waitFor();
  await expect.poll(focused).toBe('Beskrivelse');

  const quantity = page.getByLabel('Antall');
  await keys.reach(quantity);
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => quantity.inputValue()).toBe('2');
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(async () => quantity.inputValue()).toBe('12');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => quantity.inputValue()).toBe('1');
  await page.keyboard.type('x');
  expect(await quantity.inputValue()).toBe('1');
  await keys.type(page.getByLabel('Beskrivelse'), 'Tastaturarbeid');
  const price = page.getByLabel('Pris eks. mva.');
  await keys.reach(price);
  // The numeric keypad has a point in the place of the Norwegian comma.
  await page.keyboard.type('1000.5');
  await page.keyboard.press('Control+ArrowUp');
  await expect.poll(async () => price.inputValue()).toBe('1\u00A0000,60');
  await page.keyboard.press('Tab');
  await keys.press(page.getByRole('button', { name: 'Lagre' }));
  await page.getByText('Faktura opprettet!').waitFor();
  await expect.poll(focused).toBe('Fakturaer');

  // A dialog keeps the focus inside and restores it when it closes.
  await keys.press(page.getByRole('link', { name: /^Detaljer om utkast/ }));
  await keys.press(page.getByRole('button', { name: 'Slett faktura' }));
  await page.getByRole('alertdialog').waitFor();
  await expect.poll(focused).toBe('Avbryt');
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Slett');
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Avbryt');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
  await expect.poll(focused).toBe('Slett faktura');

  await keys.press(page.getByRole('button', { name: 'Registrer og send faktura' }));
  await page.getByRole('heading', { name: 'Faktura 1' }).waitFor();
  await here.faktur.mailbox.take('faktura@nordnes.no');
  await keys.press(page.getByRole('button', { name: 'Sett til betalt' }));
  await finishPaying(page);
  await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();
  expect(complaints).toEqual([]);
});
