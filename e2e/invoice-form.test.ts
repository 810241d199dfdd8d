import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../domain/date.ts';
import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, withoutAndWithAll } from './support/faktur.ts';
import { enterDescription, proposalsName, vatValue } from './support/features.ts';
import { addCustomer, addDraft, call, completeProfile, createAccount } from './support/person.ts';

const here = stage();

interface Listed {
  readonly results: readonly {
    issue_date: string;
    due_days: number;
    due_date: string;
    gross_amount: number;
    lines: readonly { description: string; net_unit_amount: number }[];
  }[];
}

test('an invoice is due on the typed date, which sets the number of due days', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'forfall@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/create/');
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
  const { results } = await call<Listed>(page, 'GET', '/api/invoices/');
  expect(results).toMatchObject([
    { issue_date: '2026-08-10', due_days: 21, due_date: '2026-08-31' },
  ]);
  expect(complaints).toEqual([]);
});

test('a form and a draft warn of a due date in the past until it is corrected', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'passert@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const { uuid } = await addDraft(page, customer, { issue_date: addDays(todayInOslo(), -15) });
  const warning = page.getByText('Forfallsdatoen er passert');
  await page.goto(`/invoices/${uuid}/`);
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

test('forms and registration warn of characters that documents cannot show', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'tegn@fjordlys.no');
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  const { uuid } = await addDraft(page, customer);
  const notice = page.getByText('Noen tegn kan ikke skrives ut');
  await page.goto(`/invoices/${uuid}/edit/`);
  const description = page.getByRole('listitem', { name: 'Linje 1' }).getByLabel('Beskrivelse');
  await description.fill('𝐊𝐚𝐟𝐟𝐞 株式会社');
  expect(await notice.count()).toBe(0);
  await description.fill('Kaffe ქ');
  await notice.waitFor();
  await page.getByText('i stedet for ქ.').waitFor();
  await inspect(page, 'form-unprintable');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura oppdatert!').waitFor();
  await page.goto(`/invoices/${uuid}/`);
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  const question = page.getByRole('alertdialog', { name: 'Registrere og sende?' });
  await question.getByText('i stedet for ქ.').waitFor();
  await inspect(page, 'register-unprintable');
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await page.goto('/invoices/');
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await question.getByText('i stedet for ქ.').waitFor();
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await page.goto(`/invoices/${uuid}/`);
  const status = async () =>
    (await call<{ status: string }>(page, 'GET', `/api/invoices/${uuid}/`)).status;
  expect(await status()).toBe('DRAFT');
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await question.getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByText('Registrert', { exact: true }).first().waitFor();
  expect(await status()).toBe('REGISTERED');
  await page.goto(`/customers/${customer}/edit/`);
  await page.getByLabel('Navn').fill('தமிழ் Kaffe');
  await notice.waitFor();
  expect(complaints).toEqual([]);
});

test('a recipient without e-mail is shown before and after saving, with a link to correct it', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'uten-epost@fjordlys.no');
  await completeProfile(page);
  const { customer_number: kari } = await addCustomer(page, 'Kari på hjørnet');
  const { customer_number: ola } = await addCustomer(page, 'Ola i svingen');
  await call(page, 'POST', '/api/customers/groups/create/', {
    group_name: 'Nabolaget',
    customers: [kari, ola],
  });

  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Kari på hjørnet/ }).click();
  await page.getByText('Kari på hjørnet har ingen e-postadresse').waitFor();
  await page.getByRole('button', { name: 'Legg til flere' }).click();
  await page.getByRole('tab', { name: 'Grupper' }).click();
  await page.getByRole('option', { name: /Nabolaget/ }).click();
  await page.getByRole('button', { name: 'Ferdig' }).click();
  await page.getByText('2 kunder har ingen e-postadresse').waitFor();
  await inspect(page, 'invoice-create-without-email');
  const addTo = (name: string) =>
    page.getByRole('button', { name: `Legg til e-post for ${name}`, exact: true });
  const dialog = page.getByRole('dialog', { name: 'Legg til e-post' });
  const email = dialog.getByLabel('E-post til Kari på hjørnet');
  // A dialog that is cancelled gives the focus back to its button, one that saved to the next customer's.
  await addTo('Kari på hjørnet').click();
  await email.fill('bare nesten');
  await dialog.getByRole('button', { name: 'Avbryt' }).click();
  await expect.poll(async () => addTo('Kari på hjørnet').evaluate(isFocused)).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(async () => email.evaluate(isFocused)).toBe(true);
  expect(await email.inputValue()).toBe('');
  await inspect(page, 'invoice-create-add-email');
  await page.keyboard.type('kari');
  await page.keyboard.press('Enter');
  await page.getByText('email must be a valid email').waitFor();
  await email.fill('kari@hjornet.no');
  await email.press('Enter');
  await page.getByText('Ola i svingen har ingen e-postadresse').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(async () => addTo('Ola i svingen').evaluate(isFocused)).toBe(true);
  expect(await call(page, 'GET', `/api/customers/${kari}/`)).toMatchObject({
    name: 'Kari på hjørnet',
    email: 'kari@hjornet.no',
  });
  await page.getByRole('button', { name: 'Bruk Ingen i stedet' }).click();
  await page.getByText('har ingen e-postadresse').waitFor({ state: 'hidden' });
  expect(await page.locator('select:focus').inputValue()).toBe('NONE');

  // After the last address the focus goes on to the delivery type, and what is typed in the invoice is still there.
  const { customer_number: per } = await addCustomer(page, 'Per i bakken');
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Per i bakken/ }).click();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Klipp');
  await line.getByLabel('Pris eks. mva.').fill('100');
  await addTo('Per i bakken').click();
  await dialog.getByLabel('E-post til Per i bakken').fill('per@bakken.no');
  await dialog.getByRole('button', { name: 'Lagre' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(async () => page.getByLabel('Leveringsmetode').evaluate(isFocused)).toBe(true);
  expect(await page.getByText('har ingen e-postadresse').count()).toBe(0);
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  expect(await call(page, 'GET', `/api/customers/${per}/`)).toMatchObject({
    email: 'per@bakken.no',
  });
  const { results } = await call<{ results: { uuid: string }[] }>(page, 'GET', '/api/invoices/');
  expect(results).toMatchObject([{ status: 'DRAFT' }]);
  await call(page, 'DELETE', `/api/invoices/${results[0]?.uuid}/`);

  await addDraft(page, ola, { delivery_type: 'EMAIL' });
  await page.goto('/invoices/');
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await page.getByRole('link', { name: 'Rett det hos Ola i svingen' }).click();
  await page.getByRole('heading', { name: 'Endre kunde' }).waitFor();
  expect(complaints).toEqual([]);
});

test.each(withoutAndWithAll())(
  'a chosen customer leaves the first line in view, and the other fields appear when needed with FEATURES=%s',
  async (_, { browser, faktur }) => {
    const { page, complaints } = await visit(browser, faktur.url);
    await createAccount(page, faktur, 'skjema@fjordlys.no');
    await completeProfile(page);
    await addCustomer(page, 'Nordnes Kaffebar', { email: 'faktura@nordnes.no' });
    const line = page.getByRole('listitem', { name: 'Linje 1' });
    const description = line.getByLabel('Beskrivelse');
    for (const [width, height, screens, share] of [
      [1440, 900, 1, 0.2],
      [1024, 768, 2, 0.5],
      [360, 740, 2, 0.5],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto('/invoices/create/');
      await page.getByRole('option', { name: /^Nordnes Kaffebar/ }).click();
      await page.getByPlaceholder('Søk etter kunde').waitFor({ state: 'hidden' });
      const box = await description.boundingBox();
      const { width: whole = 0 } = (await line.boundingBox()) ?? {};
      if (!box) throw new Error('The line is not shown');
      expect(box.y + box.height, `at ${width}`).toBeLessThanOrEqual(screens * height);
      expect(box.width, `at ${width}`).toBeGreaterThan(whole * share);
    }
    const reference = page.getByLabel('Referanse');
    expect(await reference.count()).toBe(0);
    await page.getByRole('button', { name: 'Flere valg' }).click();
    await expect
      .poll(async () => page.getByLabel('Leveringsdato', { exact: true }).evaluate(isFocused))
      .toBe(true);
    await reference.fill('A'.repeat(300));
    await page.getByRole('button', { name: 'Lagre' }).click();
    await expect.poll(async () => reference.getAttribute('aria-invalid')).toBe('true');
    await inspect(page, 'invoice-create-chosen');
    expect(complaints).toEqual([]);
  },
);

test('invoices to several are registered and sent from the form after a question', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'til-flere@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar', { email: 'faktura@nordnes.no' });
  await addCustomer(page, 'Ola i svingen');
  const write = async () => {
    await page.goto('/invoices/create/');
    await page.getByRole('option', { name: /^Nordnes Kaffebar/ }).click();
    await page.getByText(/gir fakturaen nummer og sender den til Nordnes Kaffebar/).waitFor();
    await page.getByRole('button', { name: 'Legg til flere' }).click();
    await page.getByRole('option', { name: /^Ola i svingen/ }).click();
    await page.getByRole('button', { name: 'Ferdig' }).click();
    const line = page.getByRole('listitem', { name: 'Linje 1' });
    await line.getByLabel('Beskrivelse').fill('Klipp');
    await line.getByLabel('Pris eks. mva.').fill('400');
    await page.getByText('Det lages 2 utkast, ett til hver kunde.').waitFor();
  };
  const statuses = async () => {
    const { results } = await call<{ results: { status: string }[] }>(
      page,
      'GET',
      '/api/invoices/',
    );
    return results.map(({ status }) => status);
  };
  await write();
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  const question = page.getByRole('alertdialog', { name: 'Registrere og sende?' });
  await question.getByText(/500,00 kr hver/).waitFor();
  await inspect(page, 'invoice-create-send');
  await question.getByRole('button', { name: 'Avbryt' }).click();
  expect(await statuses()).toEqual([]);
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByRole('log').getByText('2 utkast, ett til hver kunde').waitFor();
  expect(await statuses()).toEqual(['DRAFT', 'DRAFT']);

  await write();
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  await question.getByRole('button', { name: 'Registrer og send' }).click();
  await page.waitForURL('**/invoices/');
  await page.getByText('Fakturaer lagt til utsending').waitFor();
  // Ola has no address: the invoice stays a draft, and the message says why.
  await page.getByText('1 utkast står igjen').waitFor();
  await page
    .getByRole('log')
    .getByText(/Ola i svingen: /)
    .waitFor();
  expect((await statuses()).toSorted()).toEqual(['DRAFT', 'DRAFT', 'DRAFT', 'REGISTERED']);
  await here.faktur.mailbox.take('faktura@nordnes.no');
  expect(complaints).toEqual([]);
});

test('drafts that are not what the form showed are not registered', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'endret-mal@fjordlys.no');
  await completeProfile(page);
  const email = 'faktura@nordnes.no';
  const { customer_number: one } = await addCustomer(page, 'Nordnes Kaffebar', { email });
  const { customer_number: other } = await addCustomer(page, 'Ola i svingen', { email });
  const line = { invoiced_quantity: 1, description: 'Tilsyn', vat_rate_percentage: 25 };
  const template = (price: number) => ({
    name: 'Mal',
    delivery_type: 'EMAIL',
    due_days: 14,
    lines: [{ ...line, net_unit_amount: price }],
  });
  const path = '/api/invoices/template/';
  const { id } = await call<{ id: number }>(page, 'POST', `${path}create/`, template(100));
  const group = (...customers: number[]) => ({ group_name: 'Nabolaget', customers });
  const groups = '/api/customers/groups/';
  const { uuid } = await call<{ uuid: string }>(page, 'POST', `${groups}create/`, group(one));
  const isDraft = async (reason: RegExp, sums: number[]) => {
    await page.getByRole('button', { name: 'Registrer og send' }).click();
    await page.getByText('Ikke registrert og sendt').waitFor();
    await page.getByRole('log').getByText(reason).waitFor();
    await page.waitForURL('**/invoices/');
    const { results } = await call<Listed>(page, 'GET', '/api/invoices/');
    expect(results.map(({ gross_amount: gross }) => gross)).toEqual(sums);
    expect(
      new Set(results.map((draft) => (draft as unknown as { status: string }).status)),
    ).toEqual(new Set(['DRAFT']));
  };

  await page.goto(`/invoices/create/?template=${id}`);
  await page.getByRole('option', { name: /^Nordnes Kaffebar/ }).click();
  await page.getByText('125,00 kr').first().waitFor();
  await call(page, 'PUT', `${path}${id}/update/`, template(9900));
  await isDraft(/Malen er endret mens du skrev/, [12_375]);

  await page.goto(`/invoices/create/?group=${uuid}`);
  await page.getByText('Det lages 1 utkast').waitFor();
  await page.getByLabel('Beskrivelse').fill('Klipp');
  await page.getByLabel('Pris eks. mva.').fill('400');
  await call(page, 'POST', `${groups}${uuid}/update/`, group(one, other));
  await isDraft(/Gruppen er endret mens du skrev/, [500, 500, 12_375]);
  expect(complaints).toEqual([]);
});

test('lines are typed with VAT, with a note about an øre of rounding, and can be reordered', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'linjer@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar', { email: 'faktura@nordnes.no' });
  await page.goto('/invoices/create/');
  await page.getByLabel('Skriv priser inkl. mva.').check();
  // The browser remembers the choice.
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
  const line = (number: number) => page.getByRole('listitem', { name: `Linje ${number}` });
  const descriptions = async () =>
    Promise.all([1, 2, 3].map(async (n) => line(n).getByLabel('Beskrivelse').inputValue()));
  for (const [index, [text, price]] of [
    ['Klipp', '499,02'],
    ['Farge', '1250'],
    ['Voks', '200'],
  ].entries()) {
    if (index > 0) await page.getByRole('button', { name: 'Legg til linje' }).click();
    await line(index + 1)
      .getByLabel('Beskrivelse')
      .fill(text ?? '');
    await line(index + 1)
      .getByLabel('Pris inkl. mva.')
      .fill(price ?? '');
  }
  await line(1).getByText('Linjen blir 499,03 med mva., 1 øre mer enn 499,02').waitFor();
  // Another rate does not change the typed price with VAT.
  await line(3)
    .getByLabel('Mva.', { exact: true })
    .selectOption(await vatValue(page, 15));
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
  const { results } = await call<Listed>(page, 'GET', '/api/invoices/');
  expect(results[0]?.lines.map(({ net_unit_amount: net }) => net)).toEqual([399.22, 1000, 173.91]);
  expect(complaints).toEqual([]);
});

test('earlier lines are proposed, and choosing one by keyboard fills in price and rate', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'forslag@fjordlys.no');
  await completeProfile(page);
  const { customer_number: number } = await addCustomer(page, 'Nordnes Kaffebar');
  for (const [description, price, rate] of [
    ['Klipp dame', 480, 25],
    ['Klippekort', 3200, 0],
  ] as const) {
    await addDraft(page, number, {
      invoice_lines: [
        {
          invoiced_quantity: 1,
          description,
          net_unit_amount: price,
          vat_rate_percentage: rate,
        },
      ],
    });
  }
  await page.goto('/invoices/create/');
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  const field = line.getByRole('combobox', { name: 'Beskrivelse' });
  await field.pressSequentially('kli');
  const proposals = page
    .getByRole('listbox', { name: await proposalsName(page) })
    .getByRole('option');
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
  expect(await line.getByLabel('Mva.', { exact: true }).inputValue()).toBe(await vatValue(page, 0));
  // The key did not submit the form.
  expect(await page.getByText('Missing customerNumbers').count()).toBe(0);
  await field.fill('klipp d');
  await proposals.first().click();
  expect(await line.getByLabel('Pris eks. mva.').inputValue()).toBe('480,00');
  await page.getByLabel('Fakturadato', { exact: true }).focus();
  expect(await proposals.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('Enter in a line moves to the next field, and from the last field to a new line', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'enter@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /^Nordnes/ }).click();
  await page.getByLabel('Antall').focus();
  const focused = page.locator(':focus');
  await focused.fill('2');
  await enterDescription(page);
  for (const text of ['Klipp', '480,50']) {
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
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  // The total is 2 × 480.50 and 100, plus 25 % VAT.
  await page.getByText('1\u00A0326,25').first().waitFor();
  expect(complaints).toEqual([]);
});

test('an invalid date, too many days and a due date in the past show messages', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'datoer@fjordlys.no');
  await completeProfile(page);
  await page.goto('/invoices/create/');
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

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

test("a customer's own terms are proposed, and never replace what the user typed", async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'egne-vilkar@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, 'Kommunen', {
    reference: 'Avdeling 7',
    due_days: 30,
    delivery_type: 'NONE',
  });
  await addCustomer(page, 'Nordnes Kaffebar');
  await page.goto('/invoices/create/');
  const days = page.getByLabel('Dager til forfall');
  const type = page.getByLabel('Leveringsmetode');
  const reference = page.getByLabel('Referanse');
  const areShown = async (...values: string[]) =>
    expect
      .poll(async () => [
        await days.inputValue(),
        await type.inputValue(),
        (await reference.count()) === 0 ? '' : await reference.inputValue(),
      ])
      .toEqual(values);
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
  const { results } = await call<Listed>(page, 'GET', '/api/invoices/');
  expect(results).toMatchObject([
    { due_days: 21, delivery_type: 'EMAIL', reference: 'Bestilling 9' },
  ]);
  expect(complaints).toEqual([]);
});

test("with a draft's or a copy's customer its terms go, but for what was typed by hand (CUS-18)", async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'bytter@fjordlys.no');
  await completeProfile(page);
  const own = { reference: 'Avdeling 7', due_days: 30, delivery_type: 'NONE' };
  const { customer_number: number } = await addCustomer(page, 'Kommunen', own);
  await addCustomer(page, 'Fylket', { reference: 'Bestiller 12', due_days: 20 });
  const { uuid } = await addDraft(page, number, own);
  const days = page.getByLabel('Dager til forfall');
  const type = page.getByLabel('Leveringsmetode');
  const reference = page.getByLabel('Referanse');
  const areShown = async (...values: string[]) =>
    expect
      .poll(async () => [
        await days.inputValue(),
        await type.inputValue(),
        await reference.inputValue(),
      ])
      .toEqual(values);
  const exchangeFor = async (name: string) => {
    await page.getByRole('button', { name: 'Bytt kunde' }).click();
    await page.getByRole('option', { name: new RegExp(name) }).click();
  };
  await page.goto(`/invoices/${uuid}/edit/`);
  await areShown('30', 'NONE', 'Avdeling 7');
  await exchangeFor('Fylket');
  await areShown('20', 'EMAIL', 'Bestiller 12');
  await page.getByText(/^Endret med kunden: .*referanse/).waitFor();
  await inspect(page, 'draft-customer-exchanged');
  await exchangeFor('Kommunen');
  await areShown('30', 'NONE', 'Avdeling 7');
  await page.getByText(/^Endret med kunden/).waitFor({ state: 'hidden' });
  await days.fill('25');
  await exchangeFor('Fylket');
  await areShown('25', 'EMAIL', 'Bestiller 12');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura oppdatert!').waitFor();

  // Nobody has 25 days by themselves, so that was typed by hand too.
  await page.goto(`/invoices/create/?copy=${uuid}`);
  await areShown('25', 'EMAIL', 'Bestiller 12');
  await page.getByRole('button', { name: /^Fjern Fylket/ }).click();
  await page.getByRole('option', { name: /Kommunen/ }).click();
  await areShown('25', 'NONE', 'Avdeling 7');
  await page.getByText(/^Endret med kunden: .*leveringsmetode/).waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  const { results } = await call<Listed>(page, 'GET', '/api/invoices/');
  const by = { due_days: 25, delivery_type: 'EMAIL', reference: 'Bestiller 12' };
  expect(results).toMatchObject([{ ...own, due_days: 25 }, by]);
  expect(complaints).toEqual([]);
});
