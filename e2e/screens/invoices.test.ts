import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import { listBankFiles } from '../../domain/bank-file/bank-file.endpoints.ts';
import { todayInOslo } from '../../domain/date.ts';
import { listInvoices } from '../../domain/invoice/invoice.endpoints.ts';
import { listPayments } from '../../domain/payment/payment.endpoints.ts';
import type { Payment } from '../../domain/payment/payment.schema.ts';
import { DESKTOP, follow, PHONE } from '../support/browser.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { invoiceOf, invoicePageOf } from '../support/usual-answers.ts';

const here = screens();

const REGISTERED = {
  invoiceNumber: 1,
  status: 'REGISTERED',
  paymentDeadline: '2099-01-01',
} as const;

// WEB-26
test('a list and an invoice are printed without navigation and buttons', async () => {
  const { page, complaints } = await here.open('/invoices/', {
    alone: true,
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: async (screen) => {
      screen.company.invoices = [invoiceOf(REGISTERED)];
      await screen.page.emulateMedia({ media: 'print' });
    },
  });
  for (const [path, text] of [
    ['/invoices/', 'Nordnes Kaffebar'],
    ['/invoices/1/', 'Konsulenttime'],
  ] as const) {
    await page.goto(path);
    await page.getByText(text).first().waitFor();
    expect(await page.getByText('1\u00A0250,00').first().isVisible()).toBe(true);
    for (const kind of ['banner', 'contentinfo', 'navigation', 'searchbox'] as const) {
      expect([path, kind, await page.getByRole(kind).count()]).toEqual([path, kind, 0]);
    }
    const buttons = await page.getByRole('button').allTextContents();
    // Headings and counts of the list are buttons that say something.
    expect(buttons.filter((name) => !/Nummer|Kunde|dato|Beløp|faktura/.test(name))).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

// CUS-11
test('the lines of an invoice begin in the first screen of a desktop and in the second of a phone (INV-38)', async () => {
  const draft = invoiceOf({ customerIdentifier: '974760673' });
  const { page, complaints } = await here.open('/invoices/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: ({ company }) => {
      company.invoices = [invoiceOf({ ...REGISTERED, dueDate: '2026-01-01' }), draft];
    },
  });
  await page.getByRole('link', { name: /^Detaljer om utkast/ }).waitFor();
  for (const [size, screensHigh] of [
    [DESKTOP, 1],
    [PHONE, 2],
  ] as const) {
    await page.setViewportSize(size);
    for (const id of ['1', draft.uuid]) {
      await follow(page, `/invoices/${id}/`);
      const box = await page.getByText('Konsulenttime').boundingBox();
      const bottom = (box?.y ?? Infinity) + (box?.height ?? 0);
      expect(bottom, `${id} at ${size.width}`).toBeLessThanOrEqual(screensHigh * size.height);
    }
  }
  // A desktop shows a customer's invoices beside its form.
  await page.setViewportSize(DESKTOP);
  await follow(page, '/customers/1/edit/');
  const [invoices, form] = await Promise.all(
    ['Fakturaer', 'Endre kunde'].map(async (name) =>
      page.getByRole('heading', { name, exact: true }).boundingBox(),
    ),
  );
  expect(form?.x).toBeGreaterThan((invoices?.x ?? Infinity) + 300);
  expect(Math.abs((form?.y ?? Infinity) - (invoices?.y ?? 0))).toBeLessThan(40);
  expect(complaints).toEqual([]);
});

test('a row is pressed anywhere, but for its controls and marked text (WEB-29)', async () => {
  const { page, complaints } = await here.open('/invoices/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: ({ company }) => {
      company.invoices = [invoiceOf(REGISTERED)];
    },
  });
  const row = page.getByRole('row', { name: /Nordnes Kaffebar/ });
  await row.getByRole('checkbox').check();
  const name = row.getByText('Nordnes Kaffebar');
  const { x = 0, y = 0, width = 0 } = (await name.boundingBox()) ?? {};
  await page.mouse.move(x + 2, y + 8);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 8, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString().trim())).not.toBe('');
  expect(new URL(page.url()).pathname).toBe('/invoices/');
  await page.evaluate(() => getSelection()?.empty());
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    name.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await tab.waitForURL('**/invoices/1/');
  await tab.close();
  expect(await row.getByRole('link', { name: /^(?!Vis PDF)/ }).count()).toBe(1);
  await row.getByRole('cell').nth(3).click();
  await page.waitForURL('**/invoices/1/');
  expect(complaints).toEqual([]);
});

test('an empty list keeps its message until the next list is loaded', async () => {
  const { page, complaints } = await here.open('/invoices/', {
    prepare: ({ company }) => {
      company.invoices = [invoiceOf(REGISTERED)];
    },
  });
  const comes = Promise.withResolvers<void>();
  await page.route(/status=OVERDUE/, async (route) => {
    await comes.promise;
    await route.continue();
  });
  const status = page.getByLabel('Status');
  await status.selectOption('Feilet');
  const nothingFailed = page.getByText('Ingenting har feilet');
  await nothingFailed.waitFor();
  await status.selectOption('Forfalt');
  await nothingFailed.waitFor({ state: 'detached' });
  const nothingLate = page.getByText('Ingenting er forfalt');
  expect(await nothingLate.count()).toBe(0);
  comes.resolve();
  await nothingLate.waitFor();
  expect(complaints).toEqual([]);
});

test('an invoice over the daily mail limit of a new account shows until when and why it waits', async () => {
  const waiting: Delivery = {
    uuid: randomUUID(),
    deliveryType: 'EMAIL',
    status: 'QUEUED',
    recipient: 'faktura@nordnes.no',
    recipients: [{ address: 'faktura@nordnes.no', status: 'QUEUED', reason: null }],
    unreached: [],
    sentTime: null,
    failureReason: null,
    waitingReason: 'En ny konto sender høyst 1 fakturaer på e-post i døgnet.',
    deferredUntil: '2099-01-01T23:00:00.000Z',
    unconfirmed: false,
    stoppedBy: null,
  };
  const { page, complaints } = await here.open('/invoices/1/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: ({ company }) => {
      company.invoices = [
        invoiceOf({
          ...REGISTERED,
          deliveryType: 'EMAIL',
          deliveryStatus: 'QUEUED',
          deliveries: [waiting],
        }),
      ];
    },
  });
  await page
    .getByText(
      /^Venter til 02\.01\.2099, 00:00\. En ny konto sender høyst 1 fakturaer på e-post i døgnet\.$/,
    )
    .waitFor();
  await inspect(page, 'invoice-deferred');
  expect(complaints).toEqual([]);
});

// WEB-3
test('a period and a customer narrow the list, stand in its address and go along to the export (INV-35, EXP-80)', async () => {
  const { page, api, complaints } = await here.open('/invoices/', {
    features: 'all',
    options: { viewport: PHONE },
    customers: [{ name: 'Nordnes Kaffebar' }, { name: 'Bryggen Bakeri' }],
    prepare: ({ company }) => {
      company.invoices = [invoiceOf(REGISTERED)];
    },
  });
  const more = page.getByRole('button', { name: 'Flere filtre' });
  await more.click();
  expect(await page.getByRole('navigation', { name: 'Brødsmulesti' }).count()).toBe(0);
  await page.getByLabel('Søk etter kunde').fill('Bryggen');
  await page.getByRole('option', { name: /Bryggen Bakeri/ }).click();
  await page.getByLabel('Fakturadato').selectOption('I fjor');
  await page.getByText('Fakturaer til').waitFor();
  const year = Number(todayInOslo().slice(0, 4)) - 1;
  const days = `from=${year}-01-01&to=${year}-12-31`;
  await expect.poll(() => page.url()).toContain(`/invoices/?customer=2&${days}`);
  await inspect(page, 'invoices-more-filters');
  const wanted = { customerNumber: 2, from: `${year}-01-01`, to: `${year}-12-31` };
  expect(api.asked(listInvoices).at(-1)?.query).toMatchObject(wanted);
  const exports = page.getByRole('link', { name: 'Eksporter' });
  expect(await exports.getAttribute('href')).toBe(`/invoices/export/?customer_number=2&${days}`);
  // Dates of one's own, and none again.
  await page.getByLabel('Fra', { exact: true }).fill(`15.3.${year}`);
  await expect.poll(() => page.url()).toContain(`from=${year}-03-15&to=${year}-12-31`);
  expect(await page.getByLabel('Fakturadato').inputValue()).toBe('DATES');
  await page.getByRole('button', { name: /^Fjern fra / }).click();
  await expect.poll(() => page.url()).toMatch(/customer=2$/);
  expect(await page.getByLabel('Fra', { exact: true }).inputValue()).toBe('');
  await more.click();
  expect(await page.getByLabel('Fakturadato').count()).toBe(0);
  expect(complaints).toEqual([]);
});

const PAID_IN: Payment = {
  uuid: randomUUID(),
  date: todayInOslo(),
  amount: 1250,
  reminderAmount: 0,
  source: 'BANK',
  kind: 'PAYMENT',
  account: null,
  kid: null,
  text: 'Takk',
  payer: 'BERG ANNE',
  invoiceUuid: null,
  invoiceNumber: null,
  customerNumber: null,
  customerName: null,
  possibleCopy: false,
  canBeDropped: false,
  suggestion: null,
  undoes: null,
  undoneBy: null,
};

test('the finder for a payment begins with invoices of its sum and payer (PAY-14)', async () => {
  const owed = (invoiceNumber: number, customerName: string, amountDue: number) =>
    invoiceOf({ ...REGISTERED, invoiceNumber, customerName, amountDue });
  const ofAnother = owed(1, 'Nordnes Kaffebar', 900);
  const ofSum = owed(2, 'Bryggen Bakeri', 1250);
  const ofPayer = owed(3, 'Anne Berg', 500);
  const ofBoth = owed(4, 'Anne Berg', 1250);
  const found: Partial<Record<string, ReturnType<typeof invoiceOf>[]>> = {
    '': [ofAnother, ofPayer],
    '1250.00': [ofSum, ofBoth],
    'BERG ANNE': [ofPayer, ofBoth],
    kaffe: [ofAnother],
  };
  const { page, complaints } = await here.open('/payments/', {
    features: 'all',
    prepare: ({ api }) => {
      const none = { count: 1, next: null, previous: null, preceding: null };
      api.answer(listPayments, ({ query: { state } }) => ({
        ...none,
        results: state === 'UNPLACED' ? [PAID_IN] : [],
      }));
      api.answer(listBankFiles, () => []);
      api.answer(listInvoices, ({ query: { query, status } }) =>
        invoicePageOf(status === 'OUTSTANDING' ? (found[query] ?? []) : []),
      );
    },
  });
  await page.getByRole('button', { name: /^Finn faktura/ }).click();
  const options = page.getByRole('dialog').getByRole('option');
  await expect.poll(async () => options.count()).toBe(4);
  expect((await options.allTextContents()).map((text) => text[0])).toEqual(['4', '2', '3', '1']);
  await page.getByLabel('Søk etter nummer, navn eller beløp').fill('kaffe');
  await expect.poll(async () => options.allTextContents()).toHaveLength(1);
  expect(complaints).toEqual([]);
});

// The browser's own buttons lead on also while a dialog waits for what was sent.
test('a dialog about one invoice does not stay open on the next (WEB-30)', async () => {
  const { page, complaints } = await here.open('/invoices/2/', {
    customers: [{ name: 'Nordnes Kaffebar' }],
    prepare: ({ company }) => {
      company.invoices = [invoiceOf(REGISTERED), invoiceOf({ ...REGISTERED, invoiceNumber: 2 })];
    },
  });
  await page.getByRole('heading', { name: 'Faktura 2' }).waitFor();
  await follow(page, '/invoices/1/');
  await page.getByRole('button', { name: 'Velg betalingsdato' }).click();
  await page.getByRole('dialog', { name: 'Sett til betalt' }).waitFor();
  // An invoice that was loaded before is shown at once; another one closes the dialog while it is loading.
  await page.goBack();
  await page.getByRole('heading', { name: 'Faktura 2' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sett til betalt' }).waitFor();
  expect(complaints).toEqual([]);
});
