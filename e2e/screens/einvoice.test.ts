import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import {
  getEhfCheck,
  getEInvoiceSettings,
  listCustomersEhf,
  updateEInvoiceSettings,
} from '../../domain/einvoice/einvoice.endpoints.ts';
import { getInvoiceLink } from '../../domain/portal/portal.endpoints.ts';
import { getCustomerEhf } from '../../domain/ehf/ehf.endpoints.ts';
import type { EInvoiceSettings, InvoiceEInvoice } from '../../domain/einvoice/einvoice.schema.ts';
import { listInvoices, queueInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import { inspect } from '../support/inspect.ts';
import { screens, type Screen } from '../support/screens.ts';
import { invoiceOf, invoicePageOf } from '../support/usual-answers.ts';

const here = screens();

const BEFORE = new Date('2026-12-31T22:59:00Z');
const AFTER = new Date('2026-12-31T23:00:00Z');

const SETTINGS: EInvoiceSettings = {
  exempt: false,
  ehfFirst: true,
  dutyFrom: '2027-01-01',
  businessCustomers: 12,
  reachableCustomers: 7,
  banner: null,
};

const LINK = { url: 'https://faktur.example/kunde/a/', expiresOn: null, renewedAt: null };

/** Opens a screen at an instant, of a company with these settings. */
async function open(
  path: string,
  at: Date,
  settings: Partial<EInvoiceSettings> = {},
  prepare: (screen: Screen) => void = () => undefined,
): Promise<Screen> {
  return here.open(path, {
    features: 'all',
    alone: true,
    customers: [{ name: 'Nordnes Kaffebar', orgNumber: '974760673', email: 'post@nordnes.no' }],
    prepare: async (screen) => {
      await screen.page.clock.setFixedTime(at);
      screen.api.answer(getEInvoiceSettings, () => ({ ...SETTINGS, ...settings }));
      screen.api.answer(getInvoiceLink, () => LINK);
      screen.company.invoices = [
        invoiceOf(),
        invoiceOf({ status: 'REGISTERED', invoiceNumber: 1 }),
      ];
      prepare(screen);
    },
  });
}

// EINV-9
test('before 2027 a company is told what is missing, and may hide it for a week', async () => {
  const { page, complaints } = await open('/invoices/', BEFORE, { banner: 'NO_AGREEMENT' });
  await page.getByRole('link', { name: 'Inngå utstederavtale' }).waitFor();
  await inspect(page, 'einvoice-banner-2026');
  await page.getByRole('button', { name: 'Skjul i en uke' }).click();
  await page.reload();
  await page.getByRole('cell', { name: 'Nordnes Kaffebar' }).first().waitFor();
  expect(await page.getByText('bedriftskundene dine').count()).toBe(0);
  expect(complaints).toEqual([]);
});

// EINV-9
test('from 2027 it is told so for good, and whom to ask where nothing is sent', async () => {
  const { page, complaints } = await open('/invoices/', AFTER, { banner: 'NO_ACCESS_POINT' });
  await page
    .getByText('Denne installasjonen sender ikke EHF. Kontakt hjelp@faktur.test.')
    .waitFor();
  expect(await page.getByRole('button', { name: 'Skjul i en uke' }).count()).toBe(0);
  await inspect(page, 'einvoice-banner-2027');
  expect(complaints).toEqual([]);
});

// EINV-5
test('the list is narrowed to what could have gone as EHF, once there is a duty', async () => {
  const before = await open('/invoices/', BEFORE);
  const status = (page: Page) => page.getByLabel('Status');
  await before.page.getByRole('cell', { name: 'Nordnes Kaffebar' }).first().waitFor();
  expect(await status(before.page).locator('option').allTextContents()).not.toContain(
    'Ikke sendt som EHF',
  );
  const asked: (string | undefined)[] = [];
  const { page, complaints } = await open('/invoices/', AFTER, {}, ({ api, company }) =>
    api.answer(listInvoices, ({ query: { einvoice } }) => {
      asked.push(einvoice);
      return invoicePageOf(einvoice ? [] : company.invoices);
    }),
  );
  await status(page).selectOption('Ikke sendt som EHF');
  await expect.poll(() => asked).toContain('OTHER_WAY');
  await expect.poll(() => page.url()).toContain('einvoice=OTHER_WAY');
  await page
    .getByRole('button', { name: 'Vis alle' })
    .or(page.getByText('Ingen'))
    .first()
    .waitFor();
  await status(page).selectOption('Alle statuser');
  await page.getByRole('cell', { name: 'Nordnes Kaffebar' }).first().waitFor();
  expect(complaints).toEqual([]);
});

// EINV-7
test.each([
  [BEFORE, 'Registrer og send'],
  [AFTER, 'Registrer likevel'],
])(
  'the question before registering many says what goes as EHF, and what does not (%s)',
  async (at, confirm) => {
    const { page, complaints } = await open('/invoices/', at, {}, ({ api, company }) => {
      company.invoices = [invoiceOf(), invoiceOf(), invoiceOf()];
      api.answer(queueInvoices, () => ({
        registered: [],
        skipped: [],
        changed: [
          { uuid: company.invoices[0]?.uuid ?? '', from: 'EMAIL' as const, to: 'EHF' as const },
        ],
        queueable: { drafts: 3, emails: 2, grossAmount: 3750 },
        asEhf: 1,
        otherWay: 2,
        unprintable: [],
        hinted: 0,
      }));
    });
    await page.getByRole('button', { name: 'Registrer og send faktura' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog
      .getByText('Én av fakturaene sendes som EHF i stedet for e-post, fordi kunden kan motta det.')
      .waitFor();
    await dialog.getByText('2 av kundene kan motta EHF, men får ikke fakturaen som EHF.').waitFor();
    expect(await dialog.getByText(/av dem sendes på e-post|Ingen av dem sendes/).count()).toBe(0);
    await dialog.getByRole('button', { name: confirm, exact: true }).waitFor();
    if (at === AFTER) await inspect(page, 'einvoice-question');
    expect(complaints).toEqual([]);
  },
);

const EVIDENCE: InvoiceEInvoice = {
  duty: true,
  reason: 'BUSINESS',
  willBeSentAs: null,
  verdict: 'RECIPIENT_CANNOT',
  evidence: {
    outcome: 'NOT_REGISTERED',
    participant: '0192:974760673',
    documentType: 'INVOICE',
    network: 'production',
    publisher: null,
    cause: null,
    askedAt: '2026-11-28T12:05:00Z',
  },
};

// EINV-4, EINV-5, EINV-7
test('an invoice shows the network’s answer, and a draft that it goes as EHF', async () => {
  const show = async (fields: Parameters<typeof invoiceOf>[0]) =>
    open('/invoices/1/', AFTER, {}, ({ company }) => {
      company.invoices = [invoiceOf({ invoiceNumber: 1, ...fields })];
    });
  const cannot = await show({ status: 'REGISTERED', einvoice: EVIDENCE });
  await cannot.page.getByText('ELMA-oppslag 28.11.2026 kl. 13:05: kan ikke motta EHF').waitFor();
  await cannot.page.getByText('Kunden kunne ikke motta EHF').waitFor();
  expect(await cannot.page.getByText('testnettet').count()).toBe(0);
  await inspect(cannot.page, 'einvoice-evidence');
  const tried = {
    ...EVIDENCE.evidence,
    network: 'test',
    outcome: 'UNKNOWN',
    cause: 'DNS',
  } as const;
  const test = await show({
    status: 'REGISTERED',
    einvoice: { ...EVIDENCE, verdict: 'NO_ANSWER', evidence: tried as InvoiceEInvoice['evidence'] },
  });
  await test.page.getByText('ELMA-oppslag 28.11.2026 kl. 13:05: fikk ikke svar').waitFor();
  await test.page.getByText('Svaret er fra testnettet, og beviser ingenting.').waitFor();
  const draft = await open('/invoices/x/', AFTER, {}, ({ company }) => {
    const einvoice = { ...EVIDENCE, verdict: null, evidence: null, willBeSentAs: 'EHF' } as const;
    company.invoices = [invoiceOf({ deliveryType: 'EMAIL', einvoice })];
  });
  await draft.page.goto(`/invoices/${draft.company.invoices[0]?.uuid}/`);
  await draft.page.getByText('Sendes som EHF, fordi kunden kan motta det.').waitFor();
});

// EINV-7
test('a form without an agreement keeps e-mail, and says that the customer receives EHF', async () => {
  const receives = (settings: Partial<EInvoiceSettings>) =>
    open('/invoices/create/?customer=1', BEFORE, settings, ({ api }) => {
      api.answer(getCustomerEhf, () => ({ status: 'REACHABLE' as const, checkedAt: null }));
    });
  const { page, complaints } = await receives({ banner: 'NO_AGREEMENT' });
  await page.getByText('Kunden tar imot EHF.').waitFor();
  await page.getByRole('link', { name: 'Kom i gang' }).waitFor();
  expect(await page.getByLabel('Leveringsmetode').inputValue()).toBe('EMAIL');
  expect(complaints).toEqual([]);
});

// EINV-8
test('the customers who can receive EHF are marked, and all can be checked', async () => {
  const { page, api, complaints } = await open('/customers/', BEFORE, {}, ({ api }) => {
    api.answer(listCustomersEhf, () => [
      { customerNumber: 1, status: 'REACHABLE' as const, checkedAt: '2026-11-28T12:05:00Z' },
    ]);
    api.answer(getEhfCheck, () => ({
      state: 'WORKING' as const,
      total: 12,
      asked: 5,
      reachable: 3,
      cannot: 1,
      unknown: 1,
      startedAt: '2026-12-31T22:30:00Z',
      finishedAt: null,
    }));
  });
  await page.getByText('Sjekker 5 av 12 bedriftskunder …').waitFor();
  api.answer(getEhfCheck, () => ({
    state: 'DONE' as const,
    total: 12,
    asked: 12,
    reachable: 7,
    cannot: 4,
    unknown: 1,
    startedAt: '2026-12-31T22:30:00Z',
    finishedAt: '2026-12-31T22:31:00Z',
  }));
  await page.clock.resume();
  await page
    .getByText('7 av 12 bedriftskunder kan motta EHF, 4 kan ikke, 1 fikk vi ikke svar om.')
    .waitFor();
  expect(await page.getByRole('row').filter({ hasText: 'Nordnes' }).textContent()).toContain('EHF');
  await inspect(page, 'einvoice-customers');
  expect(complaints).toEqual([]);
});

// EINV-9
test('the choices are saved as they are ticked', async () => {
  const saved: object[] = [];
  const { page, complaints } = await open('/profile/agreements/', BEFORE, {}, ({ api }) => {
    api.answer(updateEInvoiceSettings, ({ body }) => {
      saved.push(body);
      return { ...SETTINGS, ...body };
    });
  });
  await page.getByLabel('Omsetningen er under 50 000 kr i året, så bedriften er unntatt').check();
  await page.getByText('Valgene er lagret!').waitFor();
  expect(saved).toEqual([{ exempt: true, ehfFirst: true }]);
  await inspect(page, 'einvoice-choices');
  expect(complaints).toEqual([]);
});
