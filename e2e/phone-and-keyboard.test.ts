import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';

import { DESKTOP, PHONE, visit } from './support/browser.ts';
import { inspect, takePicture } from './support/inspect.ts';
import { stage, WITHOUT } from './support/faktur.ts';
import { finishPaying } from './support/features.ts';
import {
  addCustomer,
  addDraft,
  completeProfile,
  register,
  createAccount,
  signUp,
} from './support/person.ts';

const here = stage();
// With `units` a quantity has decimals (units.test.ts).
const withoutUnits = stage(WITHOUT);

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
  await page.getByText('1 500,00 kr').waitFor();
});

test('a double tap does not answer the question that its first tap opens', async () => {
  const { page } = await visit(here.browser, here.faktur.url, { viewport: PHONE, hasTouch: true });
  await createAccount(page, here.faktur, 'dobbelttrykk@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  for (let many = 0; many < 2; many++) await addDraft(page, customer);
  let sent = 0;
  await page.route('**/api/invoices/queue/**', async (route) => {
    sent += 1;
    await route.continue();
  });
  await page.goto('/invoices/');
  const opener = page.getByRole('button', { name: 'Registrer og send faktura' });
  const question = page.getByRole('alertdialog', { name: 'Registrere og sende?' });
  const confirm = question.getByRole('button', { name: 'Registrer og send' });
  await opener.tap();
  const target = await confirm.boundingBox();
  await question.getByRole('button', { name: 'Avbryt' }).tap();
  await question.waitFor({ state: 'hidden' });
  // Scrolls the button to where the dialog's is.
  await page.evaluate(() => {
    document.body.style.paddingBlock = '1000px';
  });
  const before = await opener.boundingBox();
  if (!target || !before) throw new Error('A button is not shown');
  await page.evaluate((by) => scrollBy(0, by), before.y - target.y);
  const x = target.x + target.width / 2;
  const y = target.y + target.height / 2;
  await page.touchscreen.tap(x, y);
  await question.waitFor();
  for (let many = 0; many < 4; many++) {
    await page.touchscreen.tap(x, y);
    await page.waitForTimeout(200);
  }
  await question.waitFor();
  expect(sent).toBe(0);
  await page.waitForTimeout(600);
  await page.touchscreen.tap(x, y);
  await question.waitFor({ state: 'hidden' });
  expect(sent).toBe(1);
});

test('a message covers no bar at the lower edge of a phone', async () => {
  const { browser, faktur } = withoutUnits;
  const { page } = await visit(browser, faktur.url, { viewport: PHONE, hasTouch: true });
  await createAccount(page, faktur, 'nederst@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const number = await register(page, await addDraft(page, customer));
  for (let many = 0; many < 12; many++) await addDraft(page, customer);
  const message = page.getByRole('log');
  const isBelowMessage = async (bar: Locator) => {
    const [above, below] = await Promise.all([message.boundingBox(), bar.boundingBox()]);
    if (!above || !below) throw new Error('The message or the bar is not shown');
    return above.y + above.height <= below.y;
  };
  await page.goto(`/invoices/${number}/`);
  await page.getByRole('button', { name: 'Sett til betalt' }).tap();
  await message.getByText('Faktura oppdatert!').waitFor();
  expect(await isBelowMessage(page.getByRole('button', { name: 'Ikke betalt' }))).toBe(true);

  await page.goto('/invoices/');
  await page.getByRole('button', { name: 'Velg', exact: true }).tap();
  const bar = page.getByRole('region', { name: 'Valgte fakturaer' });
  await bar.getByRole('checkbox', { name: 'Velg alle på siden' }).tap();
  await bar.getByText('13 valgt').waitFor();
  await bar.getByRole('button', { name: 'Ikke betalt' }).tap();
  await message.getByText('1 faktura satt til ikke betalt').waitFor();
  await page.getByRole('button', { name: 'Velg', exact: true }).tap();
  await bar.getByRole('checkbox', { name: 'Velg alle på siden' }).tap();
  await bar.getByText('13 valgt').waitFor();
  expect(await isBelowMessage(bar)).toBe(true);
  await takePicture(page, 'message-above-bar');
});

test('an invoice can be written with the keyboard alone', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'tastatur@fjordlys.no');
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
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).waitFor();
  await tabTo('Søk etter kunde');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Fjern Nordnes Kaffebar' }).waitFor();

  await tabTo('Antall');
  const quantity = page.getByLabel('Antall');
  await page.keyboard.press('ArrowUp');
  await expect.poll(async () => quantity.inputValue()).toBe('2');
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(async () => quantity.inputValue()).toBe('12');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => quantity.inputValue()).toBe('1');
  await page.keyboard.type('x');
  expect(await quantity.inputValue()).toBe('1');
  await tabTo('Beskrivelse');
  await page.keyboard.type('Tastaturarbeid');
  await tabTo('Pris eks. mva.');
  const price = page.getByLabel('Pris eks. mva.');
  // The numeric keypad has a point in the place of the Norwegian comma.
  await page.keyboard.type('1000.5');
  await page.keyboard.press('Control+ArrowUp');
  await expect.poll(async () => price.inputValue()).toBe('1\u00A0000,60');
  await page.keyboard.press('Tab');
  await tabTo('Lagre');
  await page.keyboard.press('Enter');
  await page.getByText('Faktura opprettet!').waitFor();
  await expect.poll(focused).toBe('Fakturaer');

  // A dialog keeps the focus inside and restores it when it closes.
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

test('the focus never falls back to the page', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'fokus@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar', {
    email: 'faktura@nordnes.no',
  });
  await addCustomer(page, 'Åsane Rør');
  const number = await register(page, await addDraft(page, customer));
  const press = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press('Enter');
  };
  const named = async (text: string) =>
    expect.poll(async () => page.evaluate(focusedText)).toContain(text);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  // Enter pressed before the search is answered.
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /^Nordnes/ }).waitFor();
  await page.getByLabel('Søk etter kunde').fill('Nord');
  await page.keyboard.press('Enter');
  await named('Legg til flere');

  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /^Nordnes/ }).waitFor();
  await page.getByLabel('Søk etter kunde').press('ArrowDown');
  await page.keyboard.press('Enter');
  await named('Legg til flere');
  await page.keyboard.press('Enter');
  await named('Søk etter kunde');
  await page.getByRole('option', { name: /^Åsane/ }).click();
  await press(button('Fjern Nordnes Kaffebar'));
  await named('Fjern Åsane Rør');
  await page.keyboard.press('Enter');
  await named('Kunder');
  await press(button('Ny kunde'));
  await named('Navn');
  await press(button('Avbryt'));
  await named('Ny kunde');
  await press(button('Legg til linje'));
  await named('Beskrivelse');
  await press(button('Fjern linje 1'));
  await named('Legg til linje');
  // A refusal is announced once with links to the fields, and the first faulty field gets the focus.
  await page.getByLabel('Antall').fill('');
  await press(button('Lagre'));
  await named('Hvem fakturaen er til');
  const faults = page.getByRole('region', { name: 'Må rettes' });
  await press(faults.getByRole('link', { name: 'Mottakere' }));
  await named('Hvem fakturaen er til');
  await page.getByLabel('Søk etter kunde').fill('Nord');
  await page.getByRole('option', { name: /^Åsane/ }).waitFor({ state: 'hidden' });
  await page.keyboard.press('Enter');
  await button('Fjern Nordnes Kaffebar').waitFor();
  await press(button('Lagre'));
  await named('Antall');
  await faults.waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual(['Dette må rettes']);
  await inspect(page, 'invoice-create-faults');
  await faults.getByRole('link', { name: 'Linje 1, beskrivelse' }).press('Enter');
  await named('Beskrivelse');
  await page.keyboard.type('Arbeid');
  await faults.getByRole('link', { name: 'Linje 1, beskrivelse' }).waitFor({ state: 'hidden' });
  await page.getByLabel('Antall').fill('1');
  await page.getByLabel('Pris eks. mva.').fill('100');
  await faults.waitFor({ state: 'hidden' });
  // During the request the button stays and further presses do nothing.
  let sent = 0;
  const pressed = Promise.withResolvers<void>();
  await page.route('**/api/invoices/create/', async (route) => {
    sent += 1;
    await pressed.promise;
    await route.continue();
  });
  await press(button('Lagre'));
  await page.keyboard.press('Enter');
  await expect.poll(async () => button('Lagre').getAttribute('aria-disabled')).toBe('true');
  await named('Lagre');
  pressed.resolve();
  await page.waitForURL('**/invoices/');
  await named('Fakturaer');
  expect(sent).toBe(1);

  // A second Enter must not register the draft.
  await page.goto('/invoices/?query=zzz');
  await press(button('Vis alle fakturaer'));
  await named('Fakturaer');

  await press(button(`Sett faktura ${number} til betalt`));
  await finishPaying(page);
  await named(`Vis PDF av faktura ${number}`);
  await press(button('Registrer og send faktura'));
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  await expect
    .poll(async () => page.evaluate(() => document.activeElement?.tagName))
    .not.toBe('BODY');
  await page.goto('/profile/');
  await press(button('Legg til konto'));
  await press(button('Fjern konto 2'));
  await named('Legg til konto');
});

/** The name that a screen reader gives to the focused element. */
function focusedText(): string {
  const element = document.activeElement;
  const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
  const text = element?.getAttribute('aria-label') ?? label?.textContent;
  return element === document.body ? 'the page' : (text ?? element?.textContent ?? '');
}

test('messages stay while they have focus or pointer, cover no focused control, and close with their screen', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.clock.install();
  await createAccount(page, here.faktur, 'meldinger@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  for (let many = 0; many < 4; many++) await register(page, await addDraft(page, customer));
  const messages = page.getByRole('log');
  const shown = messages.getByRole('button', { name: 'Lukk meldingen' });
  /** The elements that messages still cover when they have the focus. */
  const covered = async () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(':is(header, main, footer) :is(button, a, input)')]
        .filter(
          (control) => !control.matches(':disabled, [role=log] *') && control.checkVisibility(),
        )
        .filter((control) => {
          control.focus();
          const { left, top, width, height } = control.getBoundingClientRect();
          const seen = document.elementFromPoint(left + width / 2, top + height / 2);
          return !seen || seen.closest('[role=log]');
        })
        .map((control) => control.outerHTML.slice(0, 80)),
    );

  await page.goto('/profile/');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).press('Enter');
  await page.getByText('Profil oppdatert!').waitFor();
  // The button accepts no second press until the changed data is loaded again.
  await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
  await page.keyboard.press('F8');
  await expect.poll(async () => page.evaluate(focusedText)).toBe('Lukk meldingen');
  await page.clock.fastForward(20_000);
  expect(await shown.count()).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(async () => shown.count()).toBe(0);
  await expect.poll(async () => page.evaluate(focusedText)).toBe('Oppdater');
  await page.keyboard.press('Enter');
  await shown.waitFor();
  await messages.getByText('Profil oppdatert!').hover();
  await page.clock.fastForward(20_000);
  expect(await shown.count()).toBe(1);
  await page.mouse.move(5, 5);
  await page.clock.fastForward(6_000);
  await expect.poll(async () => shown.count()).toBe(0);

  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await page.goto('/invoices/');
    for (let many = 0; many < 2; many++) {
      await page
        .getByRole('button', { name: /til betalt$/ })
        .first()
        .click();
      await finishPaying(page);
      await expect.poll(async () => shown.count()).toBe(Math.min(many + 1, 2));
    }
    await page.clock.runFor(1_000);
    expect(await covered()).toEqual([]);
    await takePicture(page, `messages-${size.width}`);
  }
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByRole('heading', { name: 'Kunder' }).waitFor();
  await expect.poll(async () => shown.count()).toBe(0);

  // The window may become narrower after a message was shown.
  await page.setViewportSize(DESKTOP);
  await page.goto('/profile/');
  await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
  await shown.click();
  await page.setViewportSize(PHONE);
  const { x, width } = (await messages.boundingBox()) ?? { x: -1, width: 0 };
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(PHONE.width);
});
