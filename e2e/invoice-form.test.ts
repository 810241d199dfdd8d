import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage, withoutAndWithAll } from './support/faktur.ts';
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

// DOC-14
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
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  const question = page.getByRole('alertdialog', { name: /^(Registrere|Sende) 1 faktura/ });
  await question.getByText('i stedet for ქ.').waitFor();
  await inspect(page, 'register-unprintable');
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await follow(page, '/invoices/');
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await question.getByText('i stedet for ქ.').waitFor();
  await question.getByRole('button', { name: 'Avbryt' }).click();
  await follow(page, `/invoices/${uuid}/`);
  const status = async () =>
    (await call<{ status: string }>(page, 'GET', `/api/invoices/${uuid}/`)).status;
  expect(await status()).toBe('DRAFT');
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await question.getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByText('Registrert', { exact: true }).first().waitFor();
  expect(await status()).toBe('REGISTERED');
  await follow(page, `/customers/${customer}/edit/`);
  await page.getByLabel('Navn').fill('தமிழ் Kaffe');
  await notice.waitFor();
  expect(complaints).toEqual([]);
});

// WEB-16
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
  // Nothing is offered that would change Kari's invoice too.
  await page.getByRole('button', { name: 'Send 1 nå, la 1 bli utkast' }).waitFor();
  const none = page.getByRole('button', { name: 'Bruk Ingen i stedet' });
  expect(await none.count()).toBe(0);
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Ola i svingen/ }).click();
  await none.click();
  await page.getByText('har ingen e-postadresse').waitFor({ state: 'hidden' });
  expect(await page.locator('select:focus').inputValue()).toBe('NONE');

  // After the last address the focus goes on to the delivery type, and what is typed in the invoice is still there.
  const { customer_number: per } = await addCustomer(page, 'Per i bakken');
  await page.goto('/invoices/create/');
  await page.getByRole('option', { name: /Per i bakken/ }).click();
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Klipp');
  await line.getByLabel('Pris eks. mva.').fill('100');
  // INV-43: what could not be sent is not saved either.
  await page.getByText('Per i bakken mangler e-post, så fakturaen kan ikke sendes.').waitFor();
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  await expect.poll(async () => addTo('Per i bakken').evaluate(isFocused)).toBe(true);
  // CUS-19
  const hint = page.getByText('Per i bakken mangler adresse');
  await hint.waitFor();
  await inspect(page, 'invoice-create-without-address');
  await page.getByRole('button', { name: 'Legg til adresse' }).click();
  const address = page.getByRole('dialog', { name: 'Adressen til Per i bakken' });
  await address.getByLabel('Adresse', { exact: true }).fill('Bakken 1');
  await inspect(page, 'invoice-create-add-address');
  await address.getByRole('button', { name: 'Lagre' }).click();
  await hint.waitFor({ state: 'detached' });
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
    address1: 'Bakken 1',
  });
  const { results } = await call<{ results: { uuid: string }[] }>(page, 'GET', '/api/invoices/');
  expect(results).toMatchObject([{ status: 'DRAFT' }]);
  await call(page, 'DELETE', `/api/invoices/${results[0]?.uuid}/`);

  await addDraft(page, ola, { delivery_type: 'EMAIL' });
  await page.goto('/invoices/');
  await page.getByRole('link', { name: 'Ett utkast mangler noe' }).click();
  await page.getByRole('cell', { name: 'Ola i svingen', exact: true }).click();
  await page.getByRole('link', { name: 'Rett det hos Ola i svingen' }).click();
  await page.getByRole('heading', { name: 'Endre kunde' }).waitFor();
  expect(complaints).toEqual([]);
});

/** The width that the text of a field does not take (px). */
function roomLeft(input: HTMLInputElement): number {
  const { fontFamily, fontSize, fontVariantNumeric, paddingLeft, paddingRight } =
    getComputedStyle(input);
  const text = document.createElement('span');
  Object.assign(text.style, {
    position: 'absolute',
    whiteSpace: 'pre',
    fontFamily,
    fontSize,
    fontVariantNumeric,
  });
  text.textContent = input.value;
  document.body.append(text);
  const { width } = text.getBoundingClientRect();
  text.remove();
  return (
    input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - width
  );
}

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
      [1440, 900, 1, 0.45],
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
      // A price of ten thousands is whole beside the step buttons, which are there while it has the focus.
      const price = line.getByLabel('Pris eks. mva.');
      await price.fill('12500,50');
      await price.blur();
      await price.focus();
      expect(await price.evaluate(roomLeft), `at ${width}`).toBeGreaterThan(0);
      await price.fill('');
      // INV-40: the button is in view with the line, at any size.
      const button = await page.getByRole('button', { name: 'Registrer og send' }).boundingBox();
      expect((button?.y ?? 0) + (button?.height ?? height), `at ${width}`).toBeLessThan(height);
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
  await page.goto('/invoices/create/');
  await write();
  // INV-45: the first recipient's, and nothing is made.
  const drawn = page.waitForResponse('**/api/invoices/preview/');
  const tab = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Forhåndsvis' }).click();
  expect((await drawn).headers()['content-type']).toBe('application/pdf');
  await (await tab).close();
  expect(await statuses()).toEqual([]);
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  const question = page.getByRole('alertdialog', { name: /^Sende 1 faktura/ });
  await inspect(page, 'invoice-create-send');
  await question.getByRole('button', { name: 'Avbryt' }).click();
  expect(await statuses()).toEqual([]);
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Faktura opprettet!').waitFor();
  await page.getByRole('log').getByText('2 utkast, ett til hver kunde').waitFor();
  expect(await statuses()).toEqual(['DRAFT', 'DRAFT']);

  // The form is gone when the list is there; the address changes before.
  await page.getByRole('heading', { name: 'Fakturaer', level: 1 }).waitFor();
  await follow(page, '/invoices/create/');
  await write();
  await page.getByRole('button', { name: 'Registrer og send' }).click();
  const slow = Promise.withResolvers<void>();
  await page.route('**/api/invoices/queue/**', async (route) => {
    await slow.promise;
    await route.continue();
  });
  await question.getByRole('button', { name: 'Send 1 nå, la 1 bli utkast' }).click();
  await page.getByText('Registrerer 2 utkast …').waitFor();
  slow.resolve();
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

  await follow(page, `/invoices/create/?group=${uuid}`);
  await page.getByText('Det lages 1 utkast').waitFor();
  await page.getByLabel('Beskrivelse').fill('Klipp');
  await page.getByLabel('Pris eks. mva.').fill('400');
  await call(page, 'POST', `${groups}${uuid}/update/`, group(one, other));
  await isDraft(/Gruppen er endret mens du skrev/, [500, 500, 12_375]);
  expect(complaints).toEqual([]);
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

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
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();

  // Nobody has 25 days by themselves, so that was typed by hand too.
  await follow(page, `/invoices/create/?copy=${uuid}`);
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
