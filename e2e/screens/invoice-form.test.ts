import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../../domain/date.ts';
import {
  createInvoices,
  searchInvoiceLines,
  updateDraft,
} from '../../domain/invoice/invoice.endpoints.ts';
import {
  getAssignment,
  listAssignmentRuns,
  previewAssignment,
  runAssignment,
} from '../../domain/recurring/recurring.endpoints.ts';
import type { Assignment, AssignmentRun } from '../../domain/recurring/recurring.schema.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { invoiceOf } from '../support/usual-answers.ts';

const here = screens();
const customers = [{ name: 'Nordnes Kaffebar', email: 'faktura@nordnes.no' }];

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

test('an invoice is due on the typed date, which sets the number of due days', async () => {
  const { page, api, complaints } = await here.open('/invoices/create/', { customers });
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const issued = page.getByLabel('Fakturadato', { exact: true });
  const days = page.getByLabel('Dager til forfall');
  const due = page.getByLabel('Forfallsdato', { exact: true });
  await issued.fill('10.08.2026');
  expect(await due.inputValue()).toBe('24.08.2026');
  await days.fill('30');
  expect(await due.inputValue()).toBe('09.09.2026');
  await page.getByText('Onsdag', { exact: true }).waitFor();

  await due.fill('9.8.2026');
  await page.getByText('Velg en dato etter fakturadatoen.').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('dueDays must be a positive number').waitFor();
  await due.fill('31.8.2026');
  expect(await days.inputValue()).toBe('21');

  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Konsulenttime');
  await line.getByLabel('Pris eks. mva.').fill('1000');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  expect(api.asked(createInvoices)).toMatchObject([
    { body: { issueDate: '2026-08-10', dueDays: 21 } },
  ]);
  expect(complaints).toEqual([]);
});

// INV-18
test('a form and a draft warn of a due date in the past until it is corrected', async () => {
  const issueDate = addDays(todayInOslo(), -15);
  const draft = invoiceOf({ issueDate, dueDate: addDays(issueDate, 14) });
  const { page, complaints } = await here.open(`/invoices/${draft.uuid}/`, {
    customers,
    prepare: ({ api, company }) => {
      company.invoices = [draft];
      api.answer(updateDraft, ({ body: { dueDays } }) => {
        const dueDate = addDays(issueDate, dueDays ?? 0);
        const changed = { ...draft, dueDays: dueDays ?? 0, dueDate, version: 2 };
        company.invoices = [changed];
        return changed;
      });
    },
  });
  const warning = page.getByText('Forfallsdatoen er passert');
  await warning.waitFor();
  await inspect(page, 'draft-due-date-passed');
  await page.getByRole('link', { name: 'Endre datoene' }).click();
  await warning.waitFor();
  await inspect(page, 'form-due-date-passed');
  await page.getByLabel('Dager til forfall').fill('15');
  await warning.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura oppdatert!').waitFor();
  expect(await warning.count()).toBe(0);
  await page.goto('/invoices/create/');
  await page.getByLabel('Fakturadato', { exact: true }).fill('01.06.2026');
  await warning.waitFor();
  expect(complaints).toEqual([]);
});

test('INV-46: the month end is one press, and another date is hinted at below it and before it is registered', async () => {
  const { page, api, complaints } = await here.open('/invoices/create/', {
    customers,
    alone: true,
    prepare: async (screen) => screen.page.clock.setFixedTime('2026-11-10T10:00:00+01:00'),
  });
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const issued = page.getByLabel('Fakturadato', { exact: true });
  const use = page.getByRole('button', { name: 'Bruk 31. oktober' });
  await use.waitFor();
  await inspect(page, 'invoice-month-end');
  await issued.fill('02.01.2026');
  const hint = page.getByText('Fakturadatoen er før i dag.');
  await hint.waitFor();
  await inspect(page, 'invoice-date-hint');
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Snekring');
  await line.getByLabel('Pris eks. mva.').fill('1000');
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  const question = page.getByRole('alertdialog', { name: /1 faktura/ });
  await question.getByText('Fakturadatoen er før i dag.').waitFor();
  await question.getByRole('button', { name: 'Avbryt' }).click();
  expect(api.asked(createInvoices)).toEqual([]);

  await use.click();
  expect(await issued.inputValue()).toBe('31.10.2026');
  expect([await use.count(), await hint.count()]).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Flere valg' }).click();
  await page.getByLabel('Leveringsdato', { exact: true }).fill('02.11.2026');
  await page.getByText('leveringsdatoen er 02.11.2026').waitFor();
  await page.getByLabel('Leveringsdato', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  expect(api.asked(createInvoices)).toMatchObject([
    { body: { issueDate: '2026-10-31', deliveryDate: null } },
  ]);
  expect(complaints).toEqual([]);
});

test('lines are typed with VAT, with a note about an øre of rounding, and can be reordered', async () => {
  const { page, api, complaints } = await here.open('/invoices/create/', { customers });
  await page.getByLabel('Skriv priser inkl. mva.').check();
  // The browser remembers the choice.
  await page.reload();
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const line = (number: number) => page.getByRole('listitem', { name: `Linje ${number}` });
  const descriptions = async () =>
    Promise.all([1, 2, 3].map(async (n) => line(n).getByLabel('Beskrivelse').inputValue()));
  for (const [index, [text, price]] of (
    [
      ['Klipp', '499,02'],
      ['Farge', '1250'],
      ['Voks', '200'],
    ] as const
  ).entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Legg til linje' }).click();
    await line(index + 1)
      .getByLabel('Beskrivelse')
      .fill(text);
    await line(index + 1)
      .getByLabel('Pris inkl. mva.')
      .fill(price);
  }
  await line(1).getByText('Linjen blir 499,03 med mva., 1 øre mer enn 499,02').waitFor();
  // Another rate does not change the typed price with VAT.
  await line(3).getByLabel('Mva.', { exact: true }).selectOption('15');
  expect(await line(3).getByLabel('Pris inkl. mva.').inputValue()).toMatch(/^200/);
  await inspect(page, 'invoice-create-with-vat');

  await line(3).getByRole('button', { name: 'Flytt linje 3 opp' }).press('Enter');
  await page.getByText('Linje 3 er nå linje 2 av 3.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Linje 2 er nå linje 1 av 3.').waitFor();
  const focused = page.locator(':focus');
  await expect.poll(async () => focused.getAttribute('aria-label')).toBe('Flytt linje 1 ned');
  expect(await descriptions()).toEqual(['Voks', 'Klipp', 'Farge']);

  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(async () => focused.getAttribute('aria-label')).toBe('Flytt linje 3 opp');
  await expect.poll(descriptions).toEqual(['Klipp', 'Farge', 'Voks']);

  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  const [asked] = api.asked(createInvoices);
  expect(asked?.body.invoiceLines?.map(({ netUnitAmount }) => netUnitAmount)).toEqual([
    399.22, 1000, 173.91,
  ]);
  expect(complaints).toEqual([]);
});

test('earlier lines are proposed, and choosing one by keyboard fills in price and rate', async () => {
  const { page, complaints } = await here.open('/invoices/create/', {
    customers,
    prepare: ({ api }) =>
      api.answer(searchInvoiceLines, ({ query: { query } }) =>
        [
          { description: 'Klippekort', netUnitAmount: 3200, vatRatePercentage: 0 } as const,
          { description: 'Klipp dame', netUnitAmount: 480, vatRatePercentage: 25 } as const,
        ].filter(({ description }) => description.toLowerCase().startsWith(query.toLowerCase())),
      ),
  });
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  const field = line.getByRole('combobox', { name: 'Beskrivelse' });
  await field.pressSequentially('kli');
  const proposals = page.getByRole('listbox', { name: 'Brukt før' }).getByRole('option');
  await proposals.first().waitFor();
  await field.press('ArrowDown');
  await inspect(page, 'invoice-create-proposals');
  expect(await proposals.allInnerTexts()).toEqual([
    expect.stringMatching(/^Klippekort/),
    expect.stringMatching(/^Klipp dame/),
  ]);
  await field.press('Enter');
  expect(await field.inputValue()).toBe('Klippekort');
  expect(await line.getByLabel('Pris eks. mva.').inputValue()).toBe('3\u00A0200,00');
  expect(await line.getByLabel('Mva.', { exact: true }).inputValue()).toBe('0');
  // The key did not submit the form.
  expect(await page.getByText('Missing customerNumbers').count()).toBe(0);
  await field.fill('klipp d');
  await proposals.first().click();
  expect(await line.getByLabel('Pris eks. mva.').inputValue()).toBe('480,00');
  await page.getByLabel('Fakturadato', { exact: true }).focus();
  expect(await proposals.count()).toBe(0);
  expect(complaints).toEqual([]);
});

// INV-4, WEB-23
test('Enter in a line moves to the next field, and from the last field to a new line', async () => {
  const { page, api, complaints } = await here.open('/invoices/create/', { customers });
  await page.getByRole('option', { name: /^Nordnes/ }).click();
  await page.getByLabel('Antall').focus();
  const focused = page.locator(':focus');
  for (const text of ['2', 'Klipp', '480,50']) {
    await focused.fill(text);
    await page.keyboard.press('Enter');
  }
  expect(await page.getByLabel('Mva.', { exact: true }).evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Enter');
  const second = page.getByRole('listitem', { name: 'Linje 2' });
  await second.waitFor();
  await expect
    .poll(async () => second.getByRole('combobox', { name: 'Beskrivelse' }).evaluate(isFocused))
    .toBe(true);
  for (const text of ['Vask', '100']) {
    await focused.fill(text);
    await page.keyboard.press('Enter');
  }
  expect(page.url()).toContain('/invoices/create/');
  // The total is 2 × 480.50 and 100, plus 25 % VAT.
  await page.getByText('1\u00A0326,25').first().waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  expect(api.asked(createInvoices)).toMatchObject([
    {
      body: {
        invoiceLines: [
          { invoicedQuantity: 2, description: 'Klipp', netUnitAmount: 480.5 },
          { invoicedQuantity: 1, description: 'Vask', netUnitAmount: 100 },
        ],
      },
    },
  ]);
  expect(complaints).toEqual([]);
});

// WEB-24
test('an invalid date, too many days and a due date in the past show messages', async () => {
  const { page, complaints } = await here.open('/invoices/create/');
  const [issued, days, due] = [
    page.getByLabel('Fakturadato', { exact: true }),
    page.getByLabel('Dager til forfall'),
    page.getByLabel('Forfallsdato', { exact: true }),
  ];
  await page.getByRole('button', { name: 'Flere valg' }).click();
  const said = page.getByText('Skriv en dato som finnes, for eksempel 21.11.2026.');
  for (const field of [issued, due, page.getByLabel('Leveringsdato', { exact: true })]) {
    const before = await field.inputValue();
    await field.fill('32.13.2026');
    await field.blur();
    await said.waitFor();
    await field.fill(before);
    await said.waitFor({ state: 'hidden' });
  }
  await days.fill('99999');
  await days.blur();
  await page.getByText('Det meste er 36500.').waitFor();

  await issued.fill('10.06.2026');
  await due.fill('09.06.2026');
  await page.getByText('Velg en dato etter fakturadatoen.').waitFor();
  await due.blur();
  expect(await days.inputValue()).toBe('\u22121');
  expect(await due.inputValue()).toBe('09.06.2026');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('dueDays must be a positive number').waitFor();
  await due.fill('24.06.2026');
  expect(await days.inputValue()).toBe('14');
  await due.fill('24.06.2199');
  await page.getByText('Velg en dato innen 100 år.').waitFor();
  expect(complaints).toEqual([]);
});

/** The terms that the form shows: due days, delivery type and reference. */
const termsOn = async (page: Page) => {
  const reference = page.getByLabel('Referanse');
  return [
    await page.getByLabel('Dager til forfall').inputValue(),
    await page.getByLabel('Leveringsmetode').inputValue(),
    (await reference.count()) === 0 ? '' : await reference.inputValue(),
  ];
};

test("a customer's own terms are proposed, and never replace what the user typed", async () => {
  const { page, api, complaints } = await here.open('/invoices/create/', {
    customers: [
      { name: 'Kommunen', reference: 'Avdeling 7', dueDays: 30, deliveryType: 'NONE' },
      { name: 'Nordnes Kaffebar' },
    ],
  });
  const days = page.getByLabel('Dager til forfall');
  const type = page.getByLabel('Leveringsmetode');
  const reference = page.getByLabel('Referanse');
  const areShown = async (...values: string[]) =>
    expect.poll(async () => termsOn(page)).toEqual(values);
  const remove = async (name: string) =>
    page.getByRole('button', { name: new RegExp(`^Fjern ${name}`) }).click();
  const addAnother = async (name: string) => {
    const finder = page.getByRole('button', { name: 'Legg til flere' });
    if (await finder.isVisible()) await finder.click();
    await page.getByRole('option', { name: new RegExp(name) }).click();
  };
  await areShown('14', 'EMAIL', '');
  await page.getByRole('option', { name: /Kommunen/ }).click();
  await areShown('30', 'NONE', 'Avdeling 7');
  await inspect(page, 'invoice-create-customer-terms');

  // Several customers have the usual terms, and another customer its own.
  await addAnother('Nordnes Kaffebar');
  await areShown('14', 'EMAIL', '');
  await remove('Nordnes Kaffebar');
  await areShown('30', 'NONE', 'Avdeling 7');

  // Values that the user typed stay.
  await days.fill('21');
  await reference.fill('');
  await type.selectOption('E-post');
  await addAnother('Nordnes Kaffebar');
  await remove('Kommunen');
  await areShown('21', 'EMAIL', '');
  await addAnother('Kommunen');
  await remove('Nordnes Kaffebar');
  await reference.fill('Bestilling 9');
  await areShown('21', 'EMAIL', 'Bestilling 9');
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Konsulenttime');
  await line.getByLabel('Pris eks. mva.').fill('1000');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  expect(api.asked(createInvoices)).toMatchObject([
    { body: { dueDays: 21, deliveryType: 'EMAIL', reference: 'Bestilling 9' } },
  ]);
  expect(complaints).toEqual([]);
});

// REC-13
test('an assignment cannot be saved before the profile is complete, and its form says so', async () => {
  const { page, complaints } = await here.open('/invoices/recurring/create/', {
    features: 'all',
    prepare: ({ api, company }) => {
      company.profile = { ...company.profile, isProfileCompleted: false };
      api.answer(previewAssignment, () => ({
        periods: [],
        sample: { description: null, message: null },
      }));
    },
  });
  await page.getByText('Fullfør profilen før du kan lage faste oppdrag.').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).isDisabled()).toBe(true);
  expect(complaints).toEqual([]);
});

test('an assignment says what a run makes, asks with the same before it sends, and says how far it is (REC-16)', async () => {
  const today = todayInOslo();
  const assignment: Assignment = {
    uuid: crypto.randomUUID(),
    name: 'Husleie',
    customerNumbers: [1, 2],
    customerCount: 2,
    groupUuid: null,
    templateId: null,
    deliveryType: 'EMAIL',
    dueDays: 14,
    invoiceLines: [
      {
        invoicedQuantity: 1,
        description: 'Husleie',
        netUnitAmount: 8000,
        vatRatePercentage: 25,
      },
    ],
    message: null,
    interval: { unit: 'WEEK', count: 1 },
    day: null,
    firstDate: today,
    lastDate: null,
    occurrences: null,
    mode: 'SEND',
    state: 'ACTIVE',
    nextDate: today,
    hasRun: false,
    waitingReason: null,
    version: 1,
  };
  const run: AssignmentRun = {
    periodFrom: today,
    periodTo: addDays(today, 6),
    date: today,
    invoices: [],
    made: [],
    failures: [],
    lostCustomers: [],
    invoiceCount: 1,
    recipientCount: 2,
    mode: 'SEND',
    state: 'RUNNING',
  };
  const runs: AssignmentRun[] = [];
  const { page, api, complaints } = await here.open(`/invoices/recurring/${assignment.uuid}/`, {
    features: 'all',
    customers: [...customers, { name: 'Bryggen Bakeri' }],
    prepare: (screen) => {
      screen.api.answer(getAssignment, () => assignment);
      screen.api.answer(listAssignmentRuns, () => runs);
      screen.api.answer(previewAssignment, () => ({
        periods: [],
        sample: { description: null, message: null },
      }));
      screen.api.answer(runAssignment, () => {
        runs.push(run);
        return run;
      });
    },
  });
  await page.getByText('2 fakturaer, 20 000,00 kr. 1 mangler e-post.').waitFor();
  await page.getByRole('button', { name: 'Lag nå' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sende 1 faktura, 10 000,00 kr?' });
  await question.getByText('Én mangler e-post og blir liggende som utkast.').waitFor();
  expect(api.asked(runAssignment)).toEqual([]);
  await question.getByRole('button', { name: 'Send 1 nå, la 1 bli utkast' }).click();
  const making = page.getByRole('button', { name: 'Lager 1 av 2 …' });
  await making.waitFor();
  expect(await making.isDisabled()).toBe(true);
  expect(api.asked(runAssignment)).toHaveLength(1);
  expect(complaints).toEqual([]);
});

// INV-40
test('a line that is added draws no other line again', async () => {
  const { page } = await here.open('/invoices/create/', { features: 'all', customers });
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const browser = await page.context().newCDPSession(page);
  await browser.send('Profiler.enable');
  await browser.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** How many calls of functions the screen made since this was asked last. */
  const called = async () => {
    const { result } = await browser.send('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.includes('/assets/'))
      .flatMap(({ functions }) => functions.map(({ ranges: [whole] }) => whole?.count ?? 0))
      .reduce((sum, count) => sum + count, 0);
  };
  const add = page.getByRole('button', { name: 'Legg til linje' });
  const costs = [];
  for (let lines = 2; lines <= 30; lines++) {
    await called();
    await add.click();
    await page.getByRole('listitem', { name: `Linje ${lines}`, exact: true }).waitFor();
    // The new line's effects have run after two frames.
    await page.evaluate(
      async () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    costs.push(await called());
  }
  // The least of a few, since something else may have run beside one.
  const [few, many] = [Math.min(...costs.slice(8, 12)), Math.min(...costs.slice(-4))];
  expect(few).toBeGreaterThan(0);
  expect(many / few).toBeLessThan(1.2);
});
