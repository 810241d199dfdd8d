import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';
import { addCustomer, call, completeProfile, createAccount } from './support/person.ts';

const here = stage();

// GRP-6, WEB-10, WEB-13
test('a user puts customers into a group and creates an invoice for each of them', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'grupper@fjordlys.no');
  await completeProfile(page);
  for (const name of ['Anne', 'Berit', 'Cecilie']) await addCustomer(page, name);

  await page.goto('/customers/');
  await page.getByRole('link', { name: 'Kundegrupper' }).click();
  await page.getByText('Ingen grupper ennå').waitFor();
  await inspect(page, 'groups-empty');
  await page.getByRole('link', { name: 'Ny gruppe' }).click();
  await page.getByText('0 av 3 kunder').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('groupName is a required field').waitFor();
  await page.getByLabel('Navn på gruppen').fill('Husleie');
  await page.getByRole('option', { name: /Anne/ }).click();
  await page.getByLabel('Søk etter kunde').fill('cec');
  await page.getByRole('option', { name: /Anne/ }).waitFor({ state: 'hidden' });
  await page.getByRole('option', { name: /Cecilie/ }).waitFor();
  // Enter chooses the only result.
  await page.getByLabel('Søk etter kunde').press('Enter');
  await page.getByText('2 av 3 kunder').waitFor();
  // Select all results of a search, and all customers.
  await page.getByLabel('Søk etter kunde').fill('eri');
  await page.getByRole('button', { name: 'Velg alle 1 treff' }).click();
  await page.getByText('3 av 3 kunder').waitFor();
  await inspect(page, 'group-create');
  await page.getByRole('button', { name: 'Fjern alle 1 treff' }).click();
  await page.getByLabel('Søk etter kunde').fill('');
  await page.getByRole('button', { name: 'Velg alle', exact: true }).click();
  await page.getByText('3 av 3 kunder').waitFor();
  await page.getByRole('option', { name: /Berit/ }).click();
  await page.getByText('2 av 3 kunder').waitFor();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kundegruppe opprettet!').waitFor();
  await page.getByText('1 gruppe', { exact: true }).waitFor();
  await inspect(page, 'groups');

  await page.getByRole('cell', { name: 'Husleie', exact: true }).click();
  await page.getByRole('heading', { name: 'Endre kundegruppe' }).waitFor();
  await page.getByLabel('Vis bare valgte').check();
  expect(await page.getByRole('option', { name: /Berit/ }).count()).toBe(0);
  await page.getByLabel('Vis bare valgte').uncheck();
  await page.getByRole('option', { name: /Berit/ }).click();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kundegruppe oppdatert!').waitFor();
  await inspect(page, 'group-edit');

  await follow(page, '/invoices/create/');
  await page.getByRole('tab', { name: 'Grupper' }).click();
  await page.getByRole('option', { name: /Husleie/ }).click();
  await page.getByText('Husleie (3 kunder)').waitFor();
  await inspect(page, 'invoice-create-group');
  const line = page.getByRole('listitem', { name: 'Linje 1' });
  await line.getByLabel('Beskrivelse').fill('Husleie');
  await line.getByLabel('Pris eks. mva.').fill('9000');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('log').getByText('3 utkast, ett til hver kunde').waitFor();

  // A deleted customer leaves the group, which can then be saved unchanged.
  await addCustomer(page, 'Dagny');
  await page.goto('/customers/groups/');
  await page.getByRole('cell', { name: 'Husleie', exact: true }).click();
  await page.getByRole('option', { name: /Dagny/ }).click();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Kundegruppe oppdatert!').waitFor();
  await page.getByRole('link', { name: 'Kunder', exact: true }).click();
  await page.getByRole('cell', { name: 'Dagny', exact: true }).click();
  await page.getByRole('button', { name: 'Slett kunde' }).click();
  const deletion = page.getByRole('alertdialog', { name: 'Slette kunde' });
  await deletion.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Kunde slettet!').waitFor();
  await page.getByRole('link', { name: 'Kundegrupper' }).click();
  await page.getByRole('cell', { name: 'Husleie', exact: true }).click();
  await page.getByText('3 av 3 kunder').waitFor();
  await page.getByLabel('Navn på gruppen').fill('Leie');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect
    .poll(async () => call(page, 'GET', '/api/customers/groups/'))
    .toMatchObject([{ group_name: 'Leie', customer_count: 3 }]);
  await page.getByLabel('Navn på gruppen').fill('Husleie');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect
    .poll(async () => call(page, 'GET', '/api/customers/groups/'))
    .toMatchObject([{ group_name: 'Husleie' }]);

  // An empty group shows a message when it is saved and when it is chosen.
  await page.goto('/customers/groups/');
  await page.getByRole('cell', { name: 'Husleie', exact: true }).click();
  for (const name of [/Anne/, /Berit/, /Cecilie/]) {
    await page.getByRole('option', { name }).click();
  }
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Gruppen har ingen kunder ennå.').waitFor();
  await page.goto('/invoices/create/');
  await page.getByRole('tab', { name: 'Grupper' }).click();
  await page.getByRole('option', { name: /Husleie/ }).click();
  await page.getByText('Gruppen har ingen kunder ennå').waitFor();
  await inspect(page, 'invoice-create-group-empty');

  await page.goto('/customers/groups/');
  await page.getByRole('cell', { name: 'Husleie', exact: true }).click();
  await page.getByRole('button', { name: 'Slett kundegruppe' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Slette kundegruppe' });
  await dialog.waitFor();
  await inspect(page, 'group-delete');
  await dialog.getByRole('button', { name: 'Avbryt' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Slett kundegruppe' }).click();
  await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
  await page.getByText('Kundegruppe slettet!').waitFor();
  await page.getByText('Ingen grupper ennå').waitFor();
  expect(complaints).toEqual([]);
});

test('customers and groups cannot be invoiced, nor templates created, before the profile is complete', async () => {
  const { page, complaints } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'uferdig@fjordlys.no');
  const { customer_number: number } = await addCustomer(page, 'Anne');
  const { uuid } = await call<{ uuid: string }>(page, 'POST', '/api/customers/groups/create/', {
    group_name: 'Husleie',
    customers: [number],
  });
  await page.goto('/customers/groups/');
  await expect
    .poll(async () => page.getByRole('button', { name: 'Fakturer Husleie' }).isDisabled())
    .toBe(true);
  await page.getByRole('cell', { name: 'Husleie', exact: true }).click();
  await expect
    .poll(async () => page.getByRole('button', { name: 'Fakturer gruppen' }).isDisabled())
    .toBe(true);
  await follow(page, `/invoices/create/?group=${uuid}`);
  await page.getByText('Fullfør profilen før du kan lage fakturaer.').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).isDisabled()).toBe(true);
  await inspect(page, 'invoice-create-incomplete');
  await follow(page, '/invoices/templates/create/');
  await page.getByText('Fullfør profilen før du kan lage maler.').waitFor();
  const save = page.getByRole('button', { name: 'Lagre' });
  expect(await save.isDisabled()).toBe(true);
  // A button that is off can be reached by keyboard. Neither it nor Enter in a field submits the form.
  await save.press('Enter');
  expect(await page.locator(':focus').textContent()).toBe('Lagre');
  await page.getByLabel('Navn').press('Enter');
  expect(await page.getByText('name is a required field').count()).toBe(0);
  await inspect(page, 'template-create-incomplete');

  await completeProfile(page);
  await page.goto('/customers/groups/');
  await page.getByRole('link', { name: 'Fakturer Husleie' }).click();
  await page.getByText('Husleie (1 kunde)').waitFor();
  expect(await page.getByRole('button', { name: 'Lagre' }).isDisabled()).toBe(false);
  expect(complaints).toEqual([]);
});

test('every letter typed while the response to a save arrives is kept', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await createAccount(page, here.faktur, 'tastetrykk@fjordlys.no');
  await page.goto('/customers/groups/create/');
  await page.getByLabel('Navn på gruppen').fill('Leie');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('cell', { name: 'Leie', exact: true }).click();
  const name = page.getByLabel('Navn på gruppen');
  await name.fill('Husleie ');
  // Type a letter in each turn of the event loop, from before the response until after the message.
  const typed = name.evaluate(async (element) => {
    if (!(element instanceof HTMLInputElement)) throw new Error('The name is not an input.');
    const turn = new MessageChannel();
    const letters = Promise.withResolvers<number>();
    let count = 0;
    let end = Number.POSITIVE_INFINITY;
    turn.port1.addEventListener('message', () => {
      if (performance.now() > end) {
        letters.resolve(count);
        return;
      }
      if (end === Number.POSITIVE_INFINITY && document.body.textContent.includes('oppdatert!')) {
        end = performance.now() + 200;
      }
      element.setRangeText('x', element.value.length, element.value.length, 'end');
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
      count += 1;
      turn.port2.postMessage(null);
    });
    turn.port1.start();
    element.form?.requestSubmit();
    turn.port2.postMessage(null);
    return letters.promise;
  });
  const letters = await typed;
  expect(letters).toBeGreaterThan(0);
  expect(await name.inputValue()).toBe(`Husleie ${'x'.repeat(letters)}`);
  await name.fill('Husleie');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await expect
    .poll(async () => call(page, 'GET', '/api/customers/groups/'))
    .toMatchObject([{ group_name: 'Husleie' }]);
});
