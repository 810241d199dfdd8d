import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';

import { updateDraft } from '../../domain/invoice/invoice.endpoints.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { invoiceOf } from '../support/usual-answers.ts';

const here = screens();

test('a held step button repeats, and typed and pasted numbers are read in many notations', async () => {
  const { page } = await here.open('/invoices/create/');
  const dueDays = page.getByLabel('Dager til forfall');
  const increment = page.getByRole('button', { name: 'Øk dager til forfall' });
  await increment.hover();
  const pressed = performance.now();
  await page.mouse.down();
  await page.waitForTimeout(700);
  await page.mouse.up();
  const heldFor = performance.now() - pressed;
  // The last step may be drawn after the button is released. No step follows it.
  await page.waitForTimeout(500);
  const reached = Number(await dueDays.inputValue());
  await page.waitForTimeout(500);
  expect(await dueDays.inputValue()).toBe(String(reached));
  // One step at once, another after 300 ms, then one every 50 ms. A slow machine makes fewer steps.
  expect(reached).toBeGreaterThan(15);
  expect(reached).toBeLessThanOrEqual(14 + 1 + 1 + Math.floor((heldFor - 300) / 50));
  // Home and End move the caret and do not set the minimum or maximum.
  await dueDays.press('Home');
  await dueDays.press('End');
  expect(await dueDays.inputValue()).toBe(String(reached));
  await increment.click({ modifiers: ['Shift'] });
  expect(await dueDays.inputValue()).toBe(String(reached + 10));
  // Days have no tenths, so Control does nothing.
  await increment.click({ modifiers: ['Control'] });
  expect(await dueDays.inputValue()).toBe(String(reached + 10));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const price = page.getByLabel('Pris eks. mva.');
  const quantity = page.getByLabel('Antall');
  await price.fill('1');
  await page.getByRole('button', { name: 'Øk pris eks. mva.' }).click({ modifiers: ['Control'] });
  expect(await price.inputValue()).toBe('1,10');
  const type = async (field: Locator, text: string) => {
    await field.fill('');
    await field.pressSequentially(text);
    await field.blur();
  };
  const paste = async (field: Locator, text: string) => {
    await page.evaluate(async (pasted) => navigator.clipboard.writeText(pasted), text);
    await field.fill('1');
    await field.press('Control+A');
    await field.press('Control+V');
    await field.blur();
  };
  // WEB-18 has the table of notations, and web/lib/number-text.test.ts tests all of it.
  const fine = [
    [price, '1.234,50', '1\u00A0234,50'],
    [price, '-250,5', '\u2212250,50'],
    [quantity, '1.000', '1000'],
  ] as const;
  for (const [field, text, shown] of fine) {
    for (const write of [type, paste]) {
      await write(field, text);
      await expect.poll(async () => field.inputValue(), { message: text }).toBe(shown);
    }
  }
  await paste(price, 'Sum: 2 345,60');
  await expect.poll(async () => price.inputValue()).toBe('2\u00A0345,60');
  await paste(price, '2 av 3');
  await expect.poll(async () => price.inputValue()).toBe('1,00');

  // Input that cannot be read stays as typed, is marked, and is not sent.
  const faulty = [
    [type, '12,345', 'Skriv høyst to desimaler.', 'netUnitAmount must have at most two decimals'],
    [paste, '12,500', 'Skriv høyst to desimaler.', 'netUnitAmount must be a number'],
    [type, '1.23.456', 'Skriv et beløp, for eksempel 1 234,50.', 'netUnitAmount must be a number'],
  ] as const;
  for (const [write, text, hint, error] of faulty) {
    await write(price, text);
    await page.getByText(hint).waitFor();
    expect(await price.inputValue()).toBe(text);
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText(error).waitFor();
    expect(await price.inputValue()).toBe(text);
    await price.fill('10');
    await page.getByText(hint).waitFor({ state: 'hidden' });
    await page.getByText(error).waitFor({ state: 'hidden' });
  }
  await price.fill('12,500');
  await quantity.fill('1,2345');
  await quantity.blur();
  await inspect(page, 'invoice-create-faulty-numbers');
  await dueDays.fill('0');
  await dueDays.blur();
  await expect.poll(async () => dueDays.inputValue()).toBe('1');
});

test('a quantity is a whole number from 1', async () => {
  const { page } = await here.open('/invoices/create/');
  const quantity = page.getByLabel('Antall');
  await quantity.press('ArrowUp');
  await quantity.press('Shift+ArrowDown');
  expect(await quantity.inputValue()).toBe('1');
  // Values outside the bounds are shown as errors.
  await quantity.fill('0');
  await quantity.blur();
  expect(await quantity.inputValue()).toBe('1');
  await page.getByText('Det minste er 1.').waitFor();
  await quantity.fill('1,5');
  await quantity.blur();
  await page.getByText('Skriv et helt tall.').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('invoicedQuantity must be an integer').waitFor();
  expect(await quantity.inputValue()).toBe('1,5');
  await quantity.fill('10');
  await page.getByText('Skriv et helt tall.').waitFor({ state: 'hidden' });
  await page.getByText('invoicedQuantity must be an integer').waitFor({ state: 'hidden' });
});

/** Pastes a text into a field, as Ctrl+V does. */
async function paste(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.evaluate((input: HTMLInputElement, pasted) => {
    input.select();
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    input.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

test('a pasted negative price is a discount, and never charged', async () => {
  const { page, complaints } = await here.open('/invoices/create/');
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  const price = line.getByLabel('Pris eks. mva.');
  // The rest of the notations: web/lib/number-text.test.ts.
  for (const text of ['(100,00)', '\u202A-100,00\u202C']) {
    await price.fill('');
    await paste(price, text);
    await price.blur();
    expect([text, await price.inputValue()]).toEqual([text, '\u2212100,00']);
    // Filling covers drag and drop, and autofill by the browser.
    await price.fill(text);
    await price.blur();
    expect([text, await price.inputValue()]).toEqual([text, '\u2212100,00']);
  }
  // A field without negative values shows an error, and keeps the sign.
  const quantity = line.getByLabel('Antall');
  await paste(quantity, '(5)');
  await quantity.blur();
  expect(await quantity.inputValue()).toBe('\u22125');
  await line.getByText('Skriv et tall uten minus.').waitFor();
  expect(complaints).toEqual([]);
});

test('an earlier draft keeps its decimals after decimals are turned off for quantities', async () => {
  const draft = invoiceOf();
  const [line] = draft.lines;
  if (!line) throw new Error('The draft has no line');
  const stored = { ...draft, lines: [{ ...line, description: 'Muring', invoicedQuantity: 7.5 }] };
  const { page, api, complaints } = await here.open(`/invoices/${draft.uuid}/edit/`, {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: (screen) => {
      screen.company.invoices = [stored];
      screen.api.answer(updateDraft, () => ({ ...stored, version: 2 }));
    },
  });
  const quantity = page.getByLabel('Antall');
  await quantity.waitFor();
  expect(await quantity.inputValue()).toBe('7,5');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Skriv et helt tall.').waitFor();
  await inspect(page, 'units-off-draft');
  await quantity.fill('8');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura oppdatert!').waitFor();
  expect(api.asked(updateDraft)).toMatchObject([
    { body: { invoiceLines: [{ invoicedQuantity: 8 }] } },
  ]);
  expect(complaints).toEqual([]);
});
