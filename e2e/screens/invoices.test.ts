import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import type { Delivery } from '../../domain/delivery/delivery.schema.ts';
import { inspect } from '../support/inspect.ts';
import { screens } from '../support/screens.ts';
import { invoiceOf } from '../support/usual-answers.ts';

const here = screens();

const REGISTERED = {
  invoiceNumber: 1,
  status: 'REGISTERED',
  paymentDeadline: '2099-01-01',
} as const;

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
