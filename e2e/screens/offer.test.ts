import { expect, test } from 'vitest';

import type { Offer } from '../../domain/quote/offer.schema.ts';
import { offerPage, type ShownOffer } from '../../server/quote/offer-page.ts';
import { openBrowser } from '../support/browser.ts';
import { inspect, inspectFit } from '../support/inspect.ts';

const OFFER: Offer = {
  seller: {
    name: 'Fjordsnekkeren AS',
    orgNumber: '123456785',
    vatRegistered: true,
    address: 'Storgata 1\n0155 Oslo',
    email: 'post@fjordsnekkeren.no',
  },
  customerName: 'Kari Nordmann',
  quoteNumber: 12,
  revision: 2,
  state: 'SENT',
  priceKind: 'FIXED',
  title: 'Nytt bad i kjelleren',
  issueDate: '2026-11-30',
  validUntil: '2026-12-30',
  message: 'Hei Kari!\nTakk for en hyggelig befaring. Vi kan begynne i uke 3.',
  terms: 'Prisen forutsetter fri adkomst.\nSkjulte feil i konstruksjonen avtales for seg.',
  lines: [
    {
      invoicedQuantity: 1,
      description: 'Riving og bortkjøring av gammelt bad, med container',
      netUnitAmount: 18_000,
      netAmount: 18_000,
      vatRatePercentage: 25,
    },
    {
      invoicedQuantity: 42.5,
      unit: 'HUR',
      description: `Snekkerarbeid, ${'ekstra'.repeat(12)}`,
      netUnitAmount: 790,
      netAmount: 33_575,
      vatRatePercentage: 25,
    },
  ],
  netAmount: 51_575,
  vatAmount: 12_893.75,
  grossAmount: 64_468.75,
  confirmByCode: false,
  pdf: '/tilbud/x/pdf/',
  attachments: [
    {
      name: 'Tegning av badet.pdf',
      mediaType: 'application/pdf',
      size: 1,
      path: '/tilbud/x/vedlegg/1/',
    },
  ],
  answeredAt: null,
  answeredBy: null,
};
const SHOWN: Omit<ShownOffer, 'offer'> = {
  isPrivate: true,
  isByHand: false,
  isSellerClosed: false,
  logo: null,
  base: '/tilbud/x/',
  codeHint: null,
  isCodeSent: false,
  fault: null,
};
const ANSWERED = { answeredAt: '2026-11-30T06:12:00Z' } as const;
const NEWER = {
  field: null,
  sentence: 'Tilbudet er endret siden du åpnet siden. Les den nye versjonen før du svarer.',
  name: '',
  reason: '',
};
const WRONG = { ...NEWER, field: 'code', sentence: 'Koden er feil.', name: 'Kari' } as const;
const BY_CODE = { isPrivate: false, codeHint: 'k…@example.com' } as const;

// QUO-37
test('the page of a quote fits phones and desktops, and can be used by all, in each of its states', async () => {
  const browser = await openBrowser();
  const page = await browser.newPage();
  const show = async (offer: Partial<Offer>, shown: Partial<ShownOffer> = {}) =>
    page.setContent(offerPage({ ...SHOWN, ...shown, offer: { ...OFFER, ...offer } }));
  await show({});
  await inspect(page, 'offer-open');
  await show({ confirmByCode: true }, { ...BY_CODE, isCodeSent: true, fault: WRONG });
  await inspect(page, 'offer-code');
  await show({ state: 'ACCEPTED', ...ANSWERED, answeredBy: 'Kari Nordmann' });
  await inspect(page, 'offer-accepted');
  await show({ state: 'DECLINED', ...ANSWERED });
  await inspect(page, 'offer-declined');
  await show({ state: 'EXPIRED' });
  await inspectFit(page, 'offer-expired');
  await show({ state: 'WITHDRAWN' });
  await inspectFit(page, 'offer-withdrawn');
  await show({}, { fault: NEWER });
  await inspect(page, 'offer-newer');
  expect(await page.title()).toBe('Tilbud');
  await page.close();
});
