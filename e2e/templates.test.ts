import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { withoutAndWithAll } from './support/faktur.ts';
import { addCustomer, call, completeProfile, createAccount } from './support/person.ts';

// TPL-5, TPL-7, WEB-13, WEB-14
test.each(withoutAndWithAll())(
  'a user saves a template and creates an invoice from it with FEATURES=%s',
  async (features, { browser, faktur }) => {
    const { page, complaints } = await visit(browser, faktur.url);
    // With everything on these screens differ in the menu alone, which is beside the form too.
    const inspectOnce = async (name: string) =>
      features === 'all' ? undefined : inspect(page, name);
    await createAccount(page, faktur, 'maler@fjordlys.no');
    await completeProfile(page);
    await addCustomer(page, 'Nordnes Kaffebar');

    await page.goto('/invoices/');
    await page.getByRole('link', { name: 'Maler' }).click();
    await page.getByText('Ingen maler ennå').waitFor();
    await inspectOnce('templates-empty');
    await page.getByRole('link', { name: 'Ny mal' }).click();
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('name is a required field').waitFor();
    await page.getByLabel('Navn').fill('Vedlikehold');
    await page.getByLabel('Dager til forfall').fill('30');
    const first = page.getByRole('listitem', { name: 'Linje 1' });
    await first.getByLabel('Beskrivelse').fill('Månedlig tilsyn');
    await first.getByLabel('Pris eks. mva.').fill('1500');
    await page.getByRole('button', { name: 'Legg til linje' }).click();
    const second = page.getByRole('listitem', { name: 'Linje 2' });
    await second.getByLabel('Beskrivelse').fill('Rabatt');
    await second.getByLabel('Pris eks. mva.').fill('-250,50');
    await page.getByText('1 561,88 kr').waitFor();
    await inspect(page, 'template-create');
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('Fakturamal opprettet!').waitFor();
    await page.getByRole('cell', { name: 'E-post' }).waitFor();
    for (const name of ['Nummer', 'Navn', 'Leveringsmetode', 'Dager til forfall']) {
      await page.getByRole('columnheader', { name }).waitFor();
    }
    await inspectOnce('templates');

    await page.getByRole('link', { name: 'Vedlikehold', exact: true }).click();
    await page.getByRole('heading', { name: 'Vedlikehold' }).waitFor();
    await page.getByText('1 561,88 kr').waitFor();
    await inspect(page, 'template');
    await page.getByRole('link', { name: 'Endre', exact: true }).click();
    await page.getByLabel('Navn').fill('Vedlikehold 2026');
    await page.getByRole('button', { name: 'Fjern linje 2' }).click();
    await inspect(page, 'template-edit');
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('Fakturamal oppdatert!').waitFor();

    // Another user changes the template after it was loaded. New invoices use the changed template.
    await page.getByRole('link', { name: 'Vedlikehold 2026', exact: true }).click();
    const path = `/api/invoices/template/${page.url().split('/').at(-2)}/`;
    const stored = await call<{ lines: object[] }>(page, 'GET', path);
    const change = async (description: string) =>
      call(page, 'PUT', `${path}update/`, {
        ...stored,
        version: undefined,
        lines: [{ ...stored.lines[0], description }],
      });
    await change('Årlig tilsyn');
    await page.getByRole('link', { name: 'Lag faktura' }).click();
    const initial = page.getByRole('listitem', { name: 'Linje 1' }).getByLabel('Beskrivelse');
    expect(await initial.inputValue()).toBe('Årlig tilsyn');
    await change('Månedlig tilsyn');

    // The template fills delivery, due days and lines, and locks them.
    await page.goto('/invoices/create/');
    const line = page.getByRole('listitem', { name: 'Linje 1' });
    // Typed input is not discarded without a question.
    await line.getByLabel('Beskrivelse').fill('Skrevet selv');
    await page.getByLabel('Mal').selectOption('Vedlikehold 2026');
    const question = page.getByRole('alertdialog', { name: 'Bruke malen?' });
    await question.waitFor();
    await inspectOnce('invoice-create-template-asked');
    await question.getByRole('button', { name: 'Avbryt' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await line.getByLabel('Beskrivelse').inputValue()).toBe('Skrevet selv');
    expect(await page.getByLabel('Mal').inputValue()).toBe('');
    await page.getByLabel('Mal').selectOption('Vedlikehold 2026');
    await question.getByRole('button', { name: 'Bruk malen' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await line.getByLabel('Beskrivelse').inputValue()).toBe('Månedlig tilsyn');
    expect(await line.getByLabel('Beskrivelse').isDisabled()).toBe(true);
    expect(await line.getByLabel('Pris eks. mva.').inputValue()).toBe('1\u00A0500,00');
    expect(await page.getByLabel('Dager til forfall').inputValue()).toBe('30');
    expect(await page.getByLabel('Dager til forfall').isDisabled()).toBe(true);
    expect(await page.getByLabel('Leveringsmetode').isDisabled()).toBe(true);
    await inspect(page, 'invoice-create-template');
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('Missing customerNumbers').waitFor();
    await page.getByText('Missing groupUuid').waitFor();
    // The message is above the pressed button and therefore visible.
    const focused = page.locator(':focus').getByText('Missing groupUuid');
    await expect.poll(async () => focused.isVisible()).toBe(true);
    await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('Faktura opprettet!').waitFor();
    await page.getByText('1 875,00 kr', { exact: true }).waitFor();
    await page.waitForURL('**/invoices/');

    await follow(page, '/invoices/templates/');
    await page.getByRole('link', { name: 'Endre Vedlikehold 2026' }).click();
    await page.getByRole('button', { name: 'Slett fakturamal' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Avbryt' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Slett fakturamal' }).click();
    await dialog.getByRole('button', { name: 'Slett', exact: true }).click();
    await page.getByText('Fakturamal slettet!').waitFor();
    await page.getByText('Ingen maler ennå').waitFor();
    expect(complaints).toEqual([]);
  },
);
