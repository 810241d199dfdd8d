import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { listCustomerGroups, searchCustomers } from '../../domain/customer/customer.endpoints.ts';
import { listInvoiceTemplates } from '../../domain/invoice-template/invoice-template.endpoints.ts';
import {
  createInvoices,
  queueInvoices,
  updateInvoice,
  updateInvoices,
} from '../../domain/invoice/invoice.endpoints.ts';
import { DESKTOP, PHONE } from '../support/browser.ts';
import { inspect, takePicture } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { invoiceOf, type Company } from '../support/usual-answers.ts';

const here = screens();
const phone = { viewport: PHONE, hasTouch: true };

/** Registered invoices with the numbers from 1. */
const registered = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    invoiceOf({ invoiceNumber: index + 1, status: 'REGISTERED', paymentDeadline: '2099-01-01' }),
  );

/** Marks an invoice as paid or not paid. */
const markIn = (company: Company) => (uuid: string, status: 'PAID' | 'REGISTERED') => {
  const before = company.invoices.find((invoice) => invoice.uuid === uuid);
  const isPaid = status === 'PAID';
  const after = invoiceOf({
    ...before,
    status,
    paidDate: isPaid ? '2026-01-01' : null,
    amountDue: isPaid ? 0 : 1250,
    paidAmount: isPaid ? 1250 : 0,
  });
  company.invoices = company.invoices.map((invoice) => (invoice.uuid === uuid ? after : invoice));
  return after;
};

// WEB-19
test('a double tap does not answer the question that its first tap opens', async () => {
  const { page, api } = await here.open('/invoices/', {
    options: phone,
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: (screen) => {
      screen.company.invoices = [invoiceOf(), invoiceOf()];
      screen.api.answer(queueInvoices, ({ query }) => {
        const numbered = screen.company.invoices.map(({ uuid }, index) => ({
          uuid,
          invoiceNumber: index + 1,
        }));
        if (query.dryRun) {
          const queueable = { drafts: 2, emails: 0, grossAmount: 2500 };
          return { registered: [], skipped: [], queueable };
        }
        return { registered: numbered, skipped: [] };
      });
    },
  });
  const sent = () => api.asked(queueInvoices).filter(({ query }) => !query.dryRun).length;
  const opener = page.getByRole('button', { name: 'Registrer og send faktura' });
  const question = page.getByRole('alertdialog', { name: /^Registrere 2 fakturaer/ });
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
  for (let many = 0; many < 4; many++) await page.touchscreen.tap(x, y);
  await question.waitFor();
  expect(sent()).toBe(0);
  await page.waitForTimeout(600);
  await page.touchscreen.tap(x, y);
  await question.waitFor({ state: 'hidden' });
  expect(sent()).toBe(1);
});

test('a question names number, sum and who is left out, and keeps its buttons in view (WEB-19)', async () => {
  const skipped = Array.from({ length: 12 }, (_, index) => ({
    uuid: crypto.randomUUID(),
    customerName: `Uten adresse ${index + 1}`,
    customerNumber: index + 1,
    message: 'Kunden mangler e-postadresse',
    mendedAt: 'CUSTOMER' as const,
  }));
  const { page } = await here.open('/invoices/', {
    options: phone,
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: ({ api, company }) => {
      company.invoices = [invoiceOf(), invoiceOf()];
      const queueable = { drafts: 2, emails: 0, grossAmount: 2500 };
      api.answer(queueInvoices, () => ({ registered: [], skipped, queueable }));
    },
  });
  await page.getByRole('button', { name: 'Registrer og send faktura' }).tap();
  const question = page.getByRole('alertdialog', {
    name: /^Registrere 2 fakturaer, 2\s500,00\skr/,
  });
  await question.getByText('Se hvem').tap();
  await page.setViewportSize({ width: PHONE.width, height: 300 });
  const links = question.getByRole('link', { name: /^Rett det hos Uten adresse/ });
  expect(await links.count()).toBe(skipped.length);
  const cancel = question.getByRole('button', { name: 'Avbryt' });
  for (const link of [links.last(), links.first()]) {
    await link.focus();
    const [focused, button] = await Promise.all([link.boundingBox(), cancel.boundingBox()]);
    if (!focused || !button) throw new Error('The link or the button is not shown');
    expect(focused.y).toBeGreaterThanOrEqual(0);
    expect(focused.y + focused.height).toBeLessThanOrEqual(button.y);
    expect(button.y + button.height).toBeLessThanOrEqual(300);
  }
});

test('lists of customers, groups and templates have two lines in a row of 64 px (WEB-25)', async () => {
  const { page, complaints } = await here.open('/customers/', {
    options: phone,
    customers: [{ name: 'Nordnes Kaffebar', email: 'faktura@nordnes.no' }],
    prepare: ({ api }) => {
      const group = { uuid: crypto.randomUUID(), groupName: 'Styret', customers: [] };
      api.answer(listCustomerGroups, () => [{ ...group, customerCount: 123, version: 1 }]);
      api.answer(listInvoiceTemplates, () => [
        {
          id: 1,
          name: 'Tilsyn',
          deliveryType: 'EMAIL' as const,
          dueDays: 14,
          lines: [],
          version: 1,
        },
      ]);
    },
  });
  for (const [path, name, below] of [
    ['/customers/', 'Nordnes Kaffebar', 'faktura@nordnes.no'],
    ['/customers/groups/', 'Styret', '123'],
    ['/invoices/templates/', 'Tilsyn', 'E-post'],
  ] as const) {
    await page.goto(path);
    const row = page.getByRole('row', { name: new RegExp(name) });
    const { height = 0 } = (await row.boundingBox()) ?? {};
    expect([path, Math.round(height)]).toEqual([path, 64]);
    expect(await row.getByText(below, { exact: true }).isVisible()).toBe(true);
  }
  expect(complaints).toEqual([]);
});

// WEB-19
test('an act on many is off while it runs, and says how many it is about', async () => {
  const mayEnd = Promise.withResolvers<void>();
  const { page, api, complaints } = await here.open('/invoices/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: (screen) => {
      screen.company.invoices = registered(3);
      const mark = markIn(screen.company);
      screen.api.answer(updateInvoices, async ({ body: { uuids, status } }) => {
        await mayEnd.promise;
        return { updated: uuids.map((uuid) => mark(uuid, status).uuid), skipped: [] };
      });
    },
  });
  await page.getByRole('checkbox', { name: 'Velg alle på siden' }).check();
  const chosen = page.getByRole('region', { name: 'Valgte fakturaer' });
  await chosen.getByRole('button', { name: 'Sett til betalt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sett til betalt' });
  // By keyboard: a second click at the same place would be taken for a double tap.
  await dialog.getByRole('button', { name: 'Sett til betalt' }).press('Enter');
  const working = dialog.getByRole('button', { name: 'Setter 3 fakturaer til betalt …' });
  await working.press('Enter');
  expect(await working.isDisabled()).toBe(true);
  expect(api.asked(updateInvoices)).toHaveLength(1);
  mayEnd.resolve();
  await page.getByText('3 fakturaer satt til betalt').waitFor();
  expect(complaints).toEqual([]);
});

test('a message covers no bar at the lower edge of a phone', async () => {
  const { page } = await here.open('/invoices/1/', {
    options: phone,
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: ({ api, company }) => {
      company.invoices = [...registered(1), ...Array.from({ length: 12 }, () => invoiceOf())];
      const mark = markIn(company);
      api.answer(updateInvoice, ({ params: { invoiceUuid }, body: { status } }) =>
        mark(invoiceUuid, status === 'PAID' ? 'PAID' : 'REGISTERED'),
      );
      api.answer(updateInvoices, ({ body: { uuids, status } }) => {
        const able = company.invoices.filter(
          ({ uuid, invoiceNumber }) => invoiceNumber !== null && uuids.includes(uuid),
        );
        return { updated: able.map(({ uuid }) => mark(uuid, status).uuid), skipped: [] };
      });
    },
  });
  const message = page.getByRole('log');
  const isBelowMessage = async (bar: Locator) => {
    const [above, below] = await Promise.all([message.boundingBox(), bar.boundingBox()]);
    if (!above || !below) throw new Error('The message or the bar is not shown');
    return above.y + above.height <= below.y;
  };
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

/** The name that a screen reader gives to the focused element. */
function focusedText(): string {
  const element = document.activeElement;
  const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
  const text = element?.getAttribute('aria-label') ?? label?.textContent;
  return element === document.body ? 'the page' : (text ?? element?.textContent ?? '');
}

// WEB-10, WEB-15
test('the focus never falls back to the page', async () => {
  const { page, api } = await here.open('/invoices/create/', {
    customers: [{ name: 'Nordnes Kaffebar', email: 'faktura@nordnes.no' }, { name: 'Åsane Rør' }],
    prepare: ({ api: fake, company }) => {
      company.invoices = registered(1);
      const mark = markIn(company);
      fake.answer(updateInvoice, ({ params: { invoiceUuid } }) => mark(invoiceUuid, 'PAID'));
      fake.answer(queueInvoices, () => ({
        registered: company.invoices
          .filter(({ status }) => status === 'DRAFT')
          .map(({ uuid }) => ({ uuid, invoiceNumber: 2 })),
        skipped: [],
      }));
    },
  });
  const press = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press('Enter');
  };
  const named = async (text: string) =>
    expect.poll(async () => page.evaluate(focusedText)).toContain(text);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  // Enter pressed before the search is answered.
  await page.getByRole('option', { name: /^Nordnes/ }).waitFor();
  expect(api.asked(searchCustomers)[0]?.query.size).toBe(4);
  await page.getByLabel('Søk etter kunde').fill('Nord');
  await page.keyboard.press('Enter');
  await named('Beskrivelse');

  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /^Nordnes/ }).waitFor();
  await page.getByLabel('Søk etter kunde').press('ArrowDown');
  await page.keyboard.press('Enter');
  await named('Beskrivelse');
  await press(button('Legg til flere'));
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
  const pressed = Promise.withResolvers<void>();
  await page.route('**/api/invoices/create/', async (route) => {
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
  expect(api.asked(createInvoices)).toHaveLength(1);

  // A second Enter must not register the draft.
  await page.goto('/invoices/?query=zzz');
  await press(button('Vis alle fakturaer'));
  await named('Fakturaer');

  await press(button('Sett faktura 1 til betalt'));
  await page.getByRole('log').getByText('Faktura oppdatert!').waitFor();
  await named('Vis PDF av faktura 1');
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

/** The elements that messages still cover when they have the focus. */
const coveredControls = async (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(':is(header, main, footer) :is(button, a, input)')]
      .filter((control) => !control.matches(':disabled, [role=log] *') && control.checkVisibility())
      .filter((control) => {
        control.focus();
        const { left, top, width, height } = control.getBoundingClientRect();
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        return !seen || seen.closest('[role=log]');
      })
      .map((control) => control.outerHTML.slice(0, 80)),
  );

// WEB-10
test('messages stay while they have focus or pointer, cover no focused control, and close with their screen', async () => {
  const { page, api } = await here.open('/profile/', {
    alone: true,
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: async (screen) => {
      await screen.page.clock.install();
      screen.company.invoices = registered(4);
      const mark = markIn(screen.company);
      screen.api.answer(updateInvoice, ({ params: { invoiceUuid } }) => mark(invoiceUuid, 'PAID'));
    },
  });
  const messages = page.getByRole('log');
  const shown = messages.getByRole('button', { name: 'Lukk meldingen' });
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
      await messages.getByText('Faktura oppdatert!').last().waitFor();
      await expect.poll(async () => shown.count()).toBe(Math.min(many + 1, 2));
    }
    await page.clock.runFor(1_000);
    expect(await coveredControls(page)).toEqual([]);
    await takePicture(page, `messages-${size.width}`);
  }
  await page.getByRole('link', { name: 'Kunder' }).click();
  await page.getByRole('heading', { name: 'Kunder' }).waitFor();
  await expect.poll(async () => shown.count()).toBe(0);

  // WEB-10: a search asks half a second after the last key.
  const search = page.getByLabel('Søk etter kunde');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  const searches = () => api.asked(searchCustomers).map(({ query }) => query.query);
  for (const part of ['No', 'rd']) {
    await search.pressSequentially(part);
    await page.clock.runFor(499);
    expect(searches()).toEqual([]);
  }
  await page.clock.runFor(1);
  await expect.poll(searches).toEqual(['Nord']);
  await page.clock.resume();

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

// WEB-21
test('the menu has one row on a tablet and on a phone, with every feature on', async () => {
  const { page } = await here.open('/invoices/', { features: 'all' });
  const links = page.getByRole('navigation', { name: 'Hovedmeny' }).getByRole('link');
  await links.nth(5).waitFor();
  for (const width of [768, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const tops = await links.evaluateAll((all) =>
      all.map((link) => link.getBoundingClientRect().top),
    );
    expect(new Set(tops).size, `at ${width}`).toBe(1);
  }
});
