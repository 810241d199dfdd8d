import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { follow, visit } from './support/browser.ts';
import { ehfStage, enterAgreed, REACHABLE, UNKNOWN, UNREACHABLE } from './support/ehf-network.ts';
import { inspect } from './support/inspect.ts';
import {
  addCustomer,
  addDraft,
  choose,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = ehfStage('einvoice');

async function unchoose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Fjern ${name}` }).click();
}

// EHF-4, EHF-6, PRO-13
test('a company applies for EHF, and sends it after an operator has approved', async () => {
  const { faktur, browser } = here;
  const { page, complaints } = await visit(browser, faktur.url);
  await createAccount(page, faktur, 'kari@fjordlys.no');
  await completeProfile(page);
  await addCustomer(page, REACHABLE.name, { ...REACHABLE, email: 'post@nordnes.no' });

  // Before the agreement the form does not offer EHF.
  await page.goto('/invoices/create/');
  const type = page.getByLabel('Leveringsmetode');
  await type.waitFor();
  expect(await type.locator('option').allTextContents()).toEqual(['Ingen', 'E-post']);

  await follow(page, '/profile/');
  await page.getByRole('link', { name: 'Avtaler (KID og EHF)' }).click();
  await page.getByRole('button', { name: 'Inngå utstederavtale' }).click();
  await page.getByText('Venter på svar').waitFor();
  expect(await faktur.operate('ehf', 'approve', 'kari@fjordlys.no')).toContain('kari@fjordlys.no');
  await page.reload();
  await page.getByText('Du kan sende EHF.').waitFor();
  await inspect(page, 'ehf-agreement');

  await follow(page, '/invoices/create/');
  await choose(page, REACHABLE.name);
  await expect.poll(async () => type.inputValue()).toBe('EHF');
  expect(await type.locator('option').allTextContents()).toEqual(['Ingen', 'E-post', 'EHF']);
  await page.getByLabel('Beskrivelse').fill('Konsulenttime');
  await page.getByLabel('Pris eks. mva.').fill('1000');
  await inspect(page, 'ehf-proposed');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.waitForURL('**/invoices/');
  await page.getByRole('cell', { name: REACHABLE.name, exact: true }).click();
  // The list has a button of this name too, and stays until the code of the next screen is there.
  await page.getByRole('heading', { name: 'Utkast til faktura' }).waitFor();
  await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
  await page.getByText(/^Som EHF til 974\s760\s673/).waitFor();
  // The sentence at the top goes on with the due date; the delivery's own words are these alone.
  await page.getByText('Sendt som EHF til 974 760 673', { exact: true }).waitFor();
  await inspect(page, 'ehf-sent');
  expect(here.network.point.transmissions).toHaveLength(1);
  expect(complaints).toEqual([]);
});

// EHF-6
test('EHF is proposed for customers who can receive it, and never replaces a choice', async () => {
  const { page, complaints } = await enterAgreed(here, 'ola@fjordlys.no');
  for (const { name, org_number } of [REACHABLE, UNREACHABLE, UNKNOWN]) {
    await addCustomer(page, name, { org_number, email: 'post@nordnes.no' });
  }
  await page.goto('/invoices/create/');
  const type = page.getByLabel('Leveringsmetode');
  const isShown = async (value: string) => expect.poll(async () => type.inputValue()).toBe(value);
  await choose(page, REACHABLE.name);
  await isShown('EHF');
  await choose(page, UNREACHABLE.name);
  await isShown('EMAIL');
  await unchoose(page, UNREACHABLE.name);
  await isShown('EHF');
  await choose(page, UNKNOWN.name);
  await isShown('EMAIL');
  expect(await page.getByText('Kan ikke motta EHF').count()).toBe(0);

  await type.selectOption('EHF');
  // An unknown receiver is not shown as unable to receive EHF.
  expect(await page.getByText('Kan ikke motta EHF').count()).toBe(0);
  await choose(page, UNREACHABLE.name);
  await page.getByText(`Kan ikke motta EHF: ${UNREACHABLE.name}. Velg E-post i stedet.`).waitFor();
  await inspect(page, 'ehf-not-received');
  await type.selectOption('EMAIL');
  await expect.poll(async () => page.getByText('Kan ikke motta EHF').count()).toBe(0);
  await unchoose(page, UNREACHABLE.name);
  await unchoose(page, UNKNOWN.name);
  await page.waitForLoadState('networkidle');
  expect(await type.inputValue()).toBe('EMAIL');
  expect(complaints).toEqual([]);
});

test('a template can have EHF as delivery type', async () => {
  const { page, complaints } = await enterAgreed(here, 'per@fjordlys.no');
  await addCustomer(page, UNREACHABLE.name, { org_number: UNREACHABLE.org_number });
  await page.goto('/invoices/templates/create/');
  await page.getByLabel('Navn').fill('Husleie');
  await page.getByLabel('Leveringsmetode').selectOption('EHF');
  await page.getByLabel('Beskrivelse').fill('Husleie');
  await page.getByLabel('Pris eks. mva.').fill('5000');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('cell', { name: 'EHF' }).waitFor();
  await follow(page, '/invoices/create/');
  await page.getByLabel('Mal').selectOption({ label: 'Husleie' });
  await choose(page, UNREACHABLE.name);
  await page.getByText('Velg bort malen for å bruke E-post.').waitFor();
  expect(await page.getByLabel('Leveringsmetode').inputValue()).toBe('EHF');
  expect(complaints).toEqual([]);
});

test('a template keeps the choice of EHF through a new login', async () => {
  const { page, complaints } = await enterAgreed(here, 'siv@fjordlys.no');
  const type = page.getByLabel('Leveringsmetode');
  await page.goto('/invoices/templates/create/');
  await page.getByLabel('Navn').fill('Husleie');
  await type.selectOption('EHF');
  await page.getByLabel('Beskrivelse').fill('Husleie');
  await page.getByLabel('Pris eks. mva.').fill('5000');
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Det du skrev, er der når du har logget inn igjen.').waitFor();
  await page.context().addCookies(cookies);
  // The restored input is shown before the screen knows that the company may send EHF.
  const { promise: isAsked, resolve: answer } = Promise.withResolvers<undefined>();
  await page.route('**/api/users/ehf-agreement/', async (route) => {
    await isAsked;
    await route.continue();
  });
  const answered = page.waitForResponse('**/api/users/ehf-agreement/');
  await page.goto('/invoices/templates/create/');
  await page.getByText('Det du skrev, er hentet fram igjen.').waitFor();
  answer(undefined);
  await answered;
  await page.getByRole('option', { name: 'EHF' }).waitFor({ state: 'attached' });
  expect(await type.inputValue()).toBe('EHF');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByRole('cell', { name: 'EHF' }).waitFor();
  expect(complaints).toEqual([]);
});

// EHF-11
test('an invoice that the receiver cannot take as EHF is sent by e-mail', async () => {
  const { faktur } = here;
  const { page, complaints } = await enterAgreed(here, 'eva@fjordlys.no');
  const customer = await addCustomer(page, REACHABLE.name, {
    ...REACHABLE,
    email: 'faktura@nordnes.no',
  });
  const draft = await addDraft(page, customer.customer_number, { delivery_type: 'EHF' });
  here.network.point.outcomes.set(REACHABLE.org_number, 'not-registered');
  await register(page, draft);
  await page.goto(`/invoices/${draft.uuid}/`);
  await page.getByText(/^Som EHF til 974\s760\s673\. /).waitFor();
  await page.getByText('Kunne ikke leveres som EHF til 974 760 673').waitFor();
  await page.getByRole('button', { name: 'Send på nytt' }).waitFor();
  await inspect(page, 'ehf-failed');
  await page.getByRole('button', { name: 'Send på e-post' }).click();
  expect(await page.getByRole('textbox', { name: 'E-post' }).inputValue()).toBe(
    'faktura@nordnes.no',
  );
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText(/^Til faktura@nordnes\.no/).waitFor();
  expect((await faktur.mailbox.take('faktura@nordnes.no')).subject).toContain('Faktura 1');
  // One button alone, once the e-mail is sent: a step that is not reached is called 'Sendt' too.
  await page.getByRole('button', { name: 'Send på e-post' }).waitFor();
  await inspect(page, 'ehf-then-email');
  expect(complaints).toEqual([]);
});
