import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';

import { DESKTOP, follow, PHONE, visit } from './support/browser.ts';
import { inspect, shiftOnLoad } from './support/inspect.ts';
import { withoutAndWithAll } from './support/faktur.ts';
import { finishPaying, vatValue } from './support/features.ts';
import { call, openPdf, signUp } from './support/person.ts';

// INV-34, INV-42, PRO-4, PRO-10, WEB-7
test.each(withoutAndWithAll())(
  'a user signs up, sends a first invoice and marks it as paid with FEATURES=%s',
  async (features, { faktur, browser }) => {
    const isAll = features === 'all';
    const { page, complaints } = await visit(browser, faktur.url);
    // With everything on these screens only have more links, which the list of paid invoices has too.
    const inspectOnce = async (name: string) => (isAll ? undefined : inspect(page, name));
    await signUp(page, faktur, 'kari@fjordlys.no');

    // Nothing can be created before the profile is complete.
    await page.getByText('Ingen fakturaer ennå').waitFor();
    const left = page.getByRole('region', { name: 'Kom i gang' }).getByRole('listitem');
    await left.nth(2).waitFor();
    expect(await stepsOf(left)).toEqual(['current', null, null]);
    expect(await left.getByRole('link').allTextContents()).toEqual([
      'Fullfør profilen',
      'Legg til en kunde',
    ]);
    await inspectOnce('invoices-incomplete');
    // `payments` tries that with everything on.
    for (const size of isAll ? [] : [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      expect(await shiftOnLoad(page, page.url())).toBeLessThan(0.01);
    }
    for (const name of ['Lag ny', 'Maler']) {
      expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
    }
    const assignments = page.getByRole(isAll ? 'link' : 'button', { name: 'Fast oppdrag' });
    expect(await assignments.isDisabled()).toBe(!isAll);
    await page.getByRole('link', { name: 'Fullfør profilen' }).click();

    await page.getByText('Fullfør profilen før du kan lage fakturaer').waitFor();
    await inspect(page, 'profile-incomplete');
    await page.getByLabel('Firmanavn').fill('Fjordlys Snekkeri AS');
    await page.getByLabel('Organisasjonsnummer').fill('123 456 785');
    await page.getByLabel('E-post', { exact: true }).fill('post@fjordlys.no');
    await page.getByLabel('Registrert i Merverdiavgiftsregisteret').check();
    await page.getByLabel('Fakturaadresse', { exact: true }).fill('Strandgata 12');
    await page.getByLabel('Postnummer').fill('5003');
    await page.getByLabel('Poststed').fill('Bergen');
    // The field uses the full keyboard, because the keypads of many phones lack points and spaces.
    expect(await page.getByLabel('Kontonummer').getAttribute('inputmode')).toBeNull();
    await page.getByLabel('Kontonummer').fill('1234 11 12345');
    await page.getByText('Kontroller kontonummeret').waitFor();
    await page.getByRole('button', { name: 'Oppdater', exact: true }).click();
    await page.getByText('Profil oppdatert!').waitFor();
    const account = page.getByLabel('Kontonummer');
    await expect.poll(async () => account.inputValue()).toBe('1234.11.12345');

    await page.getByRole('link', { name: 'Fakturaer' }).click();
    await left.nth(2).waitFor();
    expect(await stepsOf(left)).toEqual(['done', 'current', null]);
    expect(await left.getByRole('link').allTextContents()).toEqual([
      'Legg til en kunde',
      'Skriv en faktura',
    ]);
    await page.getByRole('link', { name: 'Kunder' }).click();
    await page.getByText('Ingen kunder ennå').waitFor();
    await inspectOnce('customers-empty');
    await page.getByRole('link', { name: 'Ny kunde' }).click();
    await page.getByLabel('Navn').fill('Nordnes Kaffebar');
    await page.getByLabel('E-post').fill('faktura@nordnes.no');
    await page.getByLabel('Adresse', { exact: true }).fill('Torget 1');
    await page.getByLabel('Postnummer').fill('5014');
    await page.getByLabel('Poststed').fill('Bergen');
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('Kunde opprettet!').waitFor();
    await page.getByRole('cell', { name: 'Nordnes Kaffebar', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Fakturaer' }).click();
    await expect.poll(async () => stepsOf(left)).toEqual(['done', 'done', 'current']);
    await inspectOnce('invoices-none');
    await page.getByRole('link', { name: 'Lag ny' }).click();
    await page.getByText('Legg til kunde først').waitFor();
    await inspectOnce('invoice-create-empty');
    await page.getByRole('option', { name: /Nordnes Kaffebar/ }).click();
    const lines = [
      { quantity: '2', text: 'Benk i eik', price: '12500,50', rate: 25 },
      { quantity: '10', text: 'Håndlagde boller', price: '39', rate: 15 },
      { quantity: '1', text: 'Avisabonnement', price: '499,00', rate: 0 },
    ] as const;
    for (const [index, line] of lines.entries()) {
      if (index > 0) await page.getByRole('button', { name: 'Legg til linje' }).click();
      const row = page.getByRole('listitem', { name: `Linje ${index + 1}` });
      await row.getByLabel('Antall').fill(line.quantity);
      await row.getByLabel('Beskrivelse').fill(line.text);
      await row.getByLabel('Pris eks. mva.').fill(line.price);
      await row.getByLabel('Mva.', { exact: true }).selectOption(await vatValue(page, line.rate));
    }
    await page.getByText('32 198,75 kr', { exact: true }).waitFor();
    await inspect(page, 'invoice-create');
    await page.getByRole('button', { name: 'Lagre' }).click();
    await page.getByText('Faktura opprettet!').waitFor();

    await page.getByText(/^Ett utkast/).waitFor();
    expect(await left.count()).toBe(0);
    await inspectOnce('invoices-draft');
    await page.getByRole('cell', { name: 'Nordnes Kaffebar', exact: true }).click();
    await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
    await page.getByRole('region', { name: 'Oversikt' }).getByText('32 198,75 kr').waitFor();
    await inspect(page, 'invoice-draft');
    await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
    await page.getByText('Fakturaer lagt til utsending').waitFor();
    await page.getByRole('heading', { name: 'Faktura 1' }).waitFor();

    const mail = await faktur.mailbox.take('faktura@nordnes.no');
    expect(mail.from?.name).toContain('Fjordlys Snekkeri AS');
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');
    // The word 'Utsendt' is always there, so check the current step of the delivery.
    const steps = page.getByRole('list', { name: 'Levering' });
    await steps
      .locator('[aria-current="step"][data-state="done"]', { hasText: 'Utsendt' })
      .waitFor();
    await page.getByText(/^Til faktura@nordnes\.no, \d/).waitFor();
    expect(await call(page, 'GET', '/api/invoices/1/')).toMatchObject({
      delivery_status: 'SENT',
      deliveries: [{ status: 'SENT', recipient: 'faktura@nordnes.no' }],
    });
    expect(await page.getByText(/^\d{18}$/).textContent()).toMatch(/^00000010000000001\d$/);
    const history = page.getByRole('region', { name: 'Historikk' }).getByRole('listitem');
    await history.first().getByText('Sendt', { exact: true }).waitFor();
    await inspect(page, 'invoice-sent');

    await openPdf(page);

    await page.getByRole('button', { name: 'Sett til betalt' }).click();
    await finishPaying(page);
    await page.getByRole('button', { name: 'Ikke betalt' }).waitFor();
    await history.nth(5).waitFor();
    const events = (await history.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(events).toEqual([
      expect.stringMatching(/^Satt til betalt Betalingsdato .* kari@fjordlys\.no$/),
      expect.stringMatching(/^Betaling på .* registrert Betalingsdato .* kari@fjordlys\.no$/),
      expect.stringMatching(/^Sendt faktura@nordnes\.no .* Faktur$/),
      expect.stringMatching(/^Lagt til utsending faktura@nordnes\.no .* Faktur$/),
      expect.stringMatching(/^Registrert med nummer 1 .* kari@fjordlys\.no$/),
      expect.stringMatching(/^Opprettet .* kari@fjordlys\.no$/),
    ]);

    await follow(page, '/invoices/');
    await page.getByRole('cell', { name: 'Nordnes Kaffebar', exact: true }).waitFor();
    await page.getByRole('table').getByText('Betalt').waitFor();
    await inspect(page, 'invoices-paid');
    expect(complaints).toEqual([]);
  },
);

async function stepsOf(steps: Locator): Promise<(string | null)[]> {
  return Promise.all((await steps.all()).map(async (step) => step.getAttribute('data-state')));
}
