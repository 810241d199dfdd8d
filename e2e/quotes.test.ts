import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { addDays, todayInOslo } from '../domain/date.ts';
import type { CaughtMail } from '../server/testing/mails.ts';
import { DESKTOP, PHONE, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import { inspect } from './support/inspect.ts';
import {
  addCustomer,
  call,
  COMPANY,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

// Its own, since one test moves the clock.
const here = stage(() => WITH_ALL);
const KARI = 'kari@tilbud.fjordlys.no';

const DRAWING = {
  name: 'Tegning.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\n%%EOF\n'),
};

/** Opens the offer that the next mail to the customer leads to. */
async function openOffer(page: Page, heading: RegExp): Promise<void> {
  const isIt = ({ subject }: CaughtMail) => heading.test(subject);
  const { text = '' } = await here.faktur.mailbox.take(KARI, isIt);
  const link = /https?:\/\/\S+\/tilbud\/\S+/.exec(text)?.[0] ?? '';
  await page.goto(new URL(link).pathname);
}

async function press(page: Page, dialog: string, button: string): Promise<void> {
  // By keyboard: a second click at the same place would be taken for a double tap.
  await page
    .getByRole('dialog', { name: dialog })
    .getByRole('button', { name: button })
    .press('Enter');
}

async function send(page: Page, recipient: string): Promise<void> {
  await page.getByRole('button', { name: 'Send tilbud', exact: true }).click();
  await page.getByRole('dialog', { name: 'Send tilbud' }).getByText(recipient).waitFor();
  await press(page, 'Send tilbud', 'Send tilbud');
  await page.getByText('Tilbud sendt!').waitFor();
}

/** Makes a quote of 1 000 kroner and 25 %, and sends it. */
async function addSent(page: Page, customerNumber: number, validUntil: string): Promise<string> {
  const { uuid } = await call<{ uuid: string }>(page, 'POST', '/api/quotes/create/', {
    customer_number: customerNumber,
    price_kind: 'FIXED',
    valid_until: validUntil,
    lines: [
      {
        invoiced_quantity: 1,
        description: 'Maling av gjerde',
        net_unit_amount: 1000,
        vat_rate_percentage: 25,
      },
    ],
  });
  await call(page, 'POST', `/api/quotes/${uuid}/send/`, {});
  return uuid;
}

// QUO-19, QUO-72, QUO-74, QUO-75
test('a carpenter estimates, attaches a drawing, revises, is told yes on a phone, and invoices in parts; a no and the last day end two others', async () => {
  const owner = await visit(here.browser, here.faktur.url, { viewport: DESKTOP });
  const { page } = owner;
  await createAccount(page, here.faktur, 'snekker@tilbud.fjordlys.no');
  await completeProfile(page);
  const { customer_number: kari } = await addCustomer(page, 'Kari Nordmann', {
    email: KARI,
    is_private: true,
  });

  // The estimate.
  await page.goto('/quotes/');
  await page.getByRole('link', { name: 'Lag det første tilbudet' }).click();
  await page.getByRole('option', { name: /^Kari Nordmann/ }).click();
  await page.getByLabel('Tittel').fill('Ny terrasse');
  await page.getByLabel('Pris', { exact: true }).selectOption('Prisoverslag');
  await page.getByLabel('Beskrivelse').fill('Snekkerarbeid');
  await page.getByLabel('Antall').fill('40');
  await page.getByLabel('Pris eks. mva.').fill('800');
  await page.getByRole('button', { name: 'Legg til linje' }).click();
  await page.getByLabel('Beskrivelse').last().fill('Terrassebord');
  await page.getByLabel('Pris eks. mva.').last().fill('12000');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Tilbud opprettet!').waitFor();
  await page.locator('input[type=file]').setInputFiles(DRAWING);
  await page.getByRole('link', { name: DRAWING.name }).waitFor();
  await send(page, KARI);
  await page.getByRole('heading', { name: 'Tilbud 1', level: 1 }).waitFor();
  await page.getByRole('button', { name: `Fjern ${DRAWING.name}` }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: DRAWING.name }).waitFor();
  await page.getByText('Venter på svar fra Kari Nordmann').waitFor();
  const phone = await visit(here.browser, here.faktur.url, { viewport: PHONE });
  await openOffer(phone.page, /^Tilbud 1 fra/);
  await phone.page.getByRole('heading', { name: 'Tilbud 1', level: 1 }).waitFor();
  const saved = phone.page.waitForEvent('download');
  await phone.page.getByRole('link', { name: DRAWING.name }).click();
  expect((await saved).suggestedFilename()).toBe(DRAWING.name);

  // A cheaper second version.
  await page.getByRole('button', { name: 'Lag ny versjon' }).click();
  await page.getByRole('heading', { name: 'Endre tilbud', level: 1 }).waitFor();
  await page.getByLabel('Pris eks. mva.').last().fill('8000');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Utkast til versjon 2').waitFor();
  await send(page, KARI);
  await page.getByText('Versjon 2', { exact: true }).waitFor();

  // Accepted by link on a phone: 40 000 and 25 %.
  await openOffer(phone.page, /^Tilbud 1 fra/);
  await phone.page.getByText('50\u00A0000,00\u00A0kr').first().waitFor();
  await phone.page.getByLabel('Navn').fill('Kari Nordmann');
  await phone.page
    .getByRole('button', { name: 'Godta tilbudet – bestilling med betalingsplikt' })
    .click();
  await phone.page.getByRole('heading', { name: 'Tilbudet er godtatt' }).waitFor();
  await here.faktur.mailbox.take(KARI, ({ subject }) =>
    subject.startsWith('Ordrebekreftelse – tilbud 1 fra'),
  );
  await here.faktur.mailbox.take(COMPANY.email, ({ subject }) =>
    subject.includes('Tilbud 1 er godtatt'),
  );

  // 30 % now, the rest later.
  await page.goto('/quotes/');
  await page.getByText('40\u00A0000,00\u00A0kr').waitFor();
  await page.getByRole('link', { name: 'Kari Nordmann' }).click();
  await page.getByText('Godtatt av Kari Nordmann').waitFor();
  await inspect(page, 'quote-accepted-by-link');
  await page.getByRole('button', { name: 'Lag faktura' }).click();
  const dialog = page.getByRole('dialog', { name: 'Lag faktura av tilbud 1' });
  await dialog.getByLabel('En andel').check();
  await dialog.getByLabel('Prosent av tilbudet').fill('30');
  await dialog.getByText('Fakturaen blir på 12\u00A0000,00\u00A0kr').waitFor();
  await press(page, 'Lag faktura av tilbud 1', 'Lag faktura');
  await page.getByText('Snekkerarbeid (30 % av tilbud 1)').waitFor();
  const first = await call<{ results: { uuid: string; invoice_number: null }[] }>(
    page,
    'GET',
    '/api/invoices/',
  );
  const [draft] = first.results;
  if (!draft) throw new Error('No draft was made');
  const number = await register(page, draft);
  await page.goto(`/invoices/${number}/`);
  await page.getByRole('link', { name: 'Tilbud 1' }).click();
  await page.getByText('Delvis fakturert').waitFor();
  await page.getByRole('button', { name: 'Lag faktura' }).click();
  await dialog.getByText('Fakturaen blir på 28\u00A0000,00\u00A0kr').waitFor();
  await press(page, 'Lag faktura av tilbud 1', 'Lag faktura');
  await page.getByText('Snekkerarbeid (rest av tilbud 1)').waitFor();

  // One line of the first is credited: the quote is invoiced all the same.
  await call(page, 'POST', `/api/invoices/${draft.uuid}/credit/`, {
    lines: [{ id: (await linesOf(page, draft.uuid))[0]?.id, quantity: 1 }],
  });
  await page.goto('/quotes/?state=INVOICED');
  const invoiced = page.getByRole('row').filter({ hasText: 'Kari Nordmann' });
  await invoiced.getByText('Fakturert', { exact: true }).waitFor();
  await invoiced.getByRole('link', { name: 'Kari Nordmann' }).click();
  await page.getByText('Fakturaer av tilbudet').waitFor();
  await page.getByRole('link', { name: `Faktura ${number}` }).waitFor();

  // A customer who declines, with a reason.
  const no = await addSent(page, kari, addDays(todayInOslo(), 14));
  await openOffer(phone.page, /^Tilbud 2 fra/);
  await phone.page.getByLabel('Hvorfor?').fill('Vi maler selv.');
  await phone.page.getByRole('button', { name: 'Avslå tilbudet' }).click();
  await phone.page.getByRole('heading', { name: 'Tilbudet er avslått' }).waitFor();
  await page.goto(`/quotes/${no}/`);
  await page.getByText('«Vi maler selv.»').waitFor();
  await page.getByRole('button', { name: 'Lag ny versjon' }).waitFor();

  // The last day counts whole, and ends at midnight in Oslo.
  const last = addDays(todayInOslo(), 1);
  const late = await addSent(page, kari, last);
  await openOffer(phone.page, /^Tilbud 3 fra/);
  await here.faktur.ask('setClock', `${last}T21:30:00Z`);
  await phone.page.reload();
  await phone.page.getByLabel('Navn').waitFor();
  await here.faktur.ask('setClock', `${addDays(last, 1)}T00:30:00Z`);
  await phone.page.reload();
  await phone.page.getByRole('heading', { name: 'Tilbudet har gått ut' }).waitFor();
  await page.goto(`/quotes/${late}/`);
  await page.getByText('Tilbudet gikk ut').waitFor();
  expect([...owner.complaints, ...phone.complaints]).toEqual([]);
});

async function linesOf(page: Page, uuid: string): Promise<readonly { id: number }[]> {
  return (await call<{ lines: { id: number }[] }>(page, 'GET', `/api/invoices/${uuid}/`)).lines;
}
