import { expect, test } from 'vitest';

import { PHONE, visit } from './support/browser.ts';
import { stage } from './support/journey.ts';
import { addCustomer, completeProfile, signUp } from './support/person.ts';

const here = stage();

test('an invoice is written on a phone, where everything is large enough to hit', async () => {
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
  await page.getByRole('button', { name: /Nordnes Kaffebar/ }).tap();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Reparasjon');
  await line.getByLabel('Pris eks. mva.').fill('1234,5');
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
  await page.getByText('1 543,13 kr').waitFor();
});

test('an invoice is written with the keyboard alone', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await signUp(page, here.faktur, 'tastatur@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Lag ny' }).waitFor();

  const focused = async () =>
    page.evaluate(() => {
      const element = document.activeElement;
      const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
      return (
        element?.getAttribute('aria-label') ?? label?.textContent ?? element?.textContent ?? ''
      );
    });
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      if ((await focused()).startsWith(name)) return;
    }
    throw new Error(`Tab never reached ${name}`);
  };

  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Hopp til innholdet');
  await page.keyboard.press('Enter');
  await tabTo('Lag ny');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ny faktura' }).waitFor();
  await expect.poll(focused).toBe('Ny faktura');
  await page.getByRole('tab', { name: 'Kunder' }).waitFor();
  await tabTo('Kunder');
  await page.keyboard.press('ArrowRight');
  await expect.poll(focused).toBe('Grupper');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(focused).toBe('Kunder');
  await page.getByRole('button', { name: /Nordnes Kaffebar/ }).waitFor();
  await tabTo('Nordnes Kaffebar');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).waitFor();

  await tabTo('Antall');
  const quantity = page.getByLabel('Antall');
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => quantity.inputValue()).toBe('2');
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(async () => quantity.inputValue()).toBe('12');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(async () => quantity.inputValue()).toBe('1');
  await page.keyboard.type('x');
  expect(await quantity.inputValue()).toBe('1');
  await tabTo('Beskrivelse');
  await page.keyboard.type('Tastaturarbeid');
  await tabTo('Pris eks. mva.');
  const price = page.getByLabel('Pris eks. mva.');
  // The numeric keypad has a point where Norwegians write a comma.
  await page.keyboard.type('1000.5');
  await page.keyboard.press('Control+ArrowUp');
  await expect.poll(async () => price.inputValue()).toBe('1\u00A0000,60');
  await page.keyboard.press('Tab');
  await tabTo('Lagre');
  await page.keyboard.press('Enter');
  await page.getByText('Faktura opprettet!').waitFor();
  await expect.poll(focused).toBe('Fakturaer');

  // A dialog keeps the focus inside, and gives it back.
  await page.getByRole('link', { name: /^Detaljer om utkast/ }).click();
  const opener = page.getByRole('button', { name: 'Slett faktura' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await expect.poll(focused).toBe('Avbryt');
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Slett');
  await page.keyboard.press('Tab');
  await expect.poll(focused).toBe('Avbryt');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
  await expect.poll(focused).toBe('Slett faktura');
});

test('a held button repeats, and a number is taken as it is written, typed or pasted', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await signUp(page, here.faktur, 'tall@fjordlys.no');
  await completeProfile(page);
  await page.goto('/invoices/create/');
  const dueDays = page.getByLabel('Dager til forfall');
  const increment = page.getByRole('button', { name: 'Øk' }).first();
  await increment.hover();
  await page.mouse.down();
  await page.waitForTimeout(700);
  await page.mouse.up();
  // 1 at once, then one every 50 ms after 300 ms; the machine may be slow, never fast.
  const reached = Number(await dueDays.inputValue());
  expect(reached).toBeGreaterThan(15);
  expect(reached).toBeLessThanOrEqual(14 + 1 + 9);
  // Home and End move the caret, whatever the least and the most are.
  await dueDays.press('Home');
  await dueDays.press('End');
  expect(await dueDays.inputValue()).toBe(String(reached));
  const price = page.getByLabel('Pris eks. mva.');
  await price.pressSequentially('1.234,50');
  await price.blur();
  await expect.poll(async () => price.inputValue()).toBe('1\u00A0234,50');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(async () => navigator.clipboard.writeText('kr 2.345,60'));
  await price.press('Control+A');
  await price.press('Control+V');
  await expect.poll(async () => price.inputValue()).toBe('2\u00A0345,60');
  await dueDays.fill('0');
  await dueDays.blur();
  await expect.poll(async () => dueDays.inputValue()).toBe('1');
});
