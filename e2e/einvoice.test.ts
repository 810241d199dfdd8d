import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { follow } from './support/browser.ts';
import { ehfStage, enterAgreed, REACHABLE, UNKNOWN, UNREACHABLE } from './support/ehf-network.ts';
import { inspect } from './support/inspect.ts';
import { addCustomer, addDraft, call, choose } from './support/person.ts';

// On the embedded database: its clock is that of the process, which these journeys set.
const here = ehfStage('einvoice,recurring');

const OLD_YEAR = '2026-12-31T23:50:00+01:00';
const NEW_YEAR = '2027-01-01T00:10:00+01:00';

/** Moves the clocks of the server and of the browser. */
async function setClock(page: Page, time: string): Promise<void> {
  await here.faktur.ask('setClock', time);
  await page.clock.setFixedTime(time);
}

const PERSON = { name: 'Per Hansen', is_private: true };
const ABROAD = { name: 'Malmö Möbler', country: 'SE', org_number: null };
const BUYERS = [REACHABLE, UNREACHABLE, UNKNOWN, PERSON, ABROAD];

/** A user on the last evening of 2026 whose company may send EHF, with customers of all kinds. */
async function enter(email: string) {
  await here.faktur.ask('setClock', OLD_YEAR);
  const { page, complaints } = await enterAgreed(here, email, { alone: true });
  await setClock(page, OLD_YEAR);
  for (const { name, ...fields } of BUYERS) {
    await addCustomer(page, name, { ...fields, email: 'post@kunder.test' });
  }
  return { page, complaints };
}

/** Makes a draft for e-mail to each customer. */
async function addDrafts(page: Page, issueDate: string): Promise<void> {
  for (const index of BUYERS.keys()) {
    await addDraft(page, index + 1, { delivery_type: 'EMAIL', issue_date: issueDate });
  }
}

const VERDICT = /^(Kunden kunne ikke motta EHF|Ikke avklart om kunden|Kunne vært sendt som EHF)/;

// CUS-9, CUS-16, CUS-20, EHF-8, EINV-2 to EINV-9
test('a carpenter sends to all kinds of buyers before New Year and after', async () => {
  const { page, complaints } = await enter('nils@fjordlys.no');
  await page.goto('/customers/');
  await page.getByRole('button', { name: 'Sjekk hvem som kan motta EHF' }).click();
  await page
    .getByText('1 av 3 bedriftskunder kan motta EHF, 1 kan ikke, 1 fikk vi ikke svar om.')
    .waitFor();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row(REACHABLE.name).getByText('EHF', { exact: true }).waitFor();
  expect(await row(UNREACHABLE.name).getByText('EHF', { exact: true }).count()).toBe(0);

  await follow(page, '/invoices/create/');
  await choose(page, REACHABLE.name);
  const type = page.getByLabel('Leveringsmetode');
  await expect.poll(async () => type.inputValue()).toBe('EHF');
  await type.selectOption('EMAIL');
  await page.getByText('Sendes som EHF, fordi kunden kan motta det.').waitFor();
  await page.getByText(/sender den til Nordnes Kaffebar som EHF/).waitFor();
  await page.getByLabel('Beskrivelse').fill('Terrasse');
  await page.getByLabel('Pris eks. mva.').fill('1000');
  await page.getByRole('button', { name: /^Registrer og send/ }).click();
  await page.getByText('Én sendes som EHF i stedet for e-post').waitFor();
  await page.goto('/invoices/1/');
  await page.getByText('Sendt som EHF til 974 760 673', { exact: true }).waitFor();
  await page.getByText('Sendes som EHF i stedet for e-post').waitFor();
  await page
    .getByText(/^ELMA-oppslag .+: kan motta EHF$/)
    .first()
    .waitFor();

  // A customer who wants e-mail gets e-mail.
  await page.goto('/customers/1/edit/');
  await page.getByText('Kan motta EHF', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Flere opplysninger' }).click();
  await page.getByLabel('Send på e-post selv om kunden kan motta EHF').check();
  await page.getByRole('button', { name: /^(Lagre|Oppdater)/ }).click();
  await page.getByText('Kunde oppdatert!').waitFor();
  const registerAll = async (confirm: string) => {
    await page.goto('/invoices/');
    await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog
      .getByText('Én av kundene kan motta EHF, men får ikke fakturaen som EHF.')
      .waitFor();
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await page.getByText('Fakturaer lagt til utsending').waitFor();
  };
  await addDrafts(page, '2026-12-31');
  await registerAll('Registrer og send');
  await page.goto('/invoices/3/');
  await page
    .getByText(/^ELMA-oppslag 31\.12\.2026 .+: kan ikke motta EHF$/)
    .first()
    .waitFor();

  await setClock(page, NEW_YEAR);
  await addDrafts(page, '2027-01-01');
  await registerAll('Registrer likevel');
  const verdicts = [
    'Kunne vært sendt som EHF',
    'Kunden kunne ikke motta EHF',
    'Ikke avklart om kunden kan motta EHF',
  ];
  for (const [index, { name }] of BUYERS.entries()) {
    await page.goto(`/invoices/${7 + index}/`);
    await page.getByText(name).first().waitFor();
    await page.getByText('Sendt til').first().waitFor();
    await expect
      .poll(async () => page.getByText(VERDICT).allInnerTexts())
      .toEqual(index < verdicts.length ? [verdicts[index]] : []);
  }
  // The law asks for EHF of what was registered in the new year alone.
  await page.goto('/invoices/');
  await page.getByLabel('Status').selectOption('Ikke sendt som EHF');
  await expect.poll(async () => page.getByRole('row').filter({ hasText: 'kr' }).count()).toBe(1);
  await page.getByRole('row').filter({ hasText: REACHABLE.name }).waitFor();
  expect(complaints).toEqual([]);
});

// EINV-6, EINV-7
test('a club sends to its members and sponsors before New Year by hand, and after by an assignment', async () => {
  const { page, complaints } = await enter('kasserer@turn.no');
  const customers = BUYERS.map((_, index) => index + 1);
  const group = await call<{ uuid: string }>(page, 'POST', '/api/customers/groups/create/', {
    group_name: 'Medlemmer og sponsorer',
    customers,
  });
  const ehf = 'Én av fakturaene sendes som EHF i stedet for e-post, fordi kunden kan motta det.';
  const question = page.getByRole('alertdialog');
  const sent = here.network.point.transmissions.length;
  await page.goto(`/invoices/create/?group=${group.uuid}`);
  await page.getByText(ehf).waitFor();
  await page.getByText(/gir dem nummer og sender dem på e-post eller som EHF/).waitFor();
  await page.getByLabel('Beskrivelse').fill('Kontingent');
  await page.getByLabel('Pris eks. mva.').fill('400');
  await inspect(page, 'einvoice-form-of-several');
  await page.getByRole('button', { name: /^Registrer og send/ }).click();
  await question.getByText('Sende 5 fakturaer').waitFor();
  await question.getByText(ehf).waitFor();
  await inspect(page, 'einvoice-question-of-several');
  await question.getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByText('Én sendes som EHF i stedet for e-post').waitFor();
  await expect.poll(() => here.network.point.transmissions.length).toBe(sent + 1);

  await setClock(page, NEW_YEAR);
  const { uuid } = await call<{ uuid: string }>(page, 'POST', '/api/invoices/recurring/create/', {
    name: 'Kontingent',
    customer_numbers: customers,
    delivery_type: 'EMAIL',
    due_days: 14,
    invoice_lines: [
      {
        invoiced_quantity: 1,
        description: 'Kontingent {måned} {år}',
        net_unit_amount: 400,
        vat_rate_percentage: 25,
      },
    ],
    interval: { unit: 'MONTH', count: 1 },
    day: 1,
    first_date: '2027-01-01',
    mode: 'SEND',
  });
  await page.goto(`/invoices/recurring/${uuid}/`);
  await page.getByRole('button', { name: 'Lag nå' }).click();
  await question.getByText(ehf).waitFor();
  await question.getByRole('button', { name: 'Registrer og send' }).click();
  await page.getByText('5 fakturaer').first().waitFor();
  await expect.poll(() => here.network.point.transmissions.length).toBe(sent + 2);
  await page.goto('/invoices/?einvoice=OTHER_WAY');
  await page.getByText('Ingen fakturaer').first().waitFor();
  expect(complaints).toEqual([]);
});
