import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import type { Attachment } from '../../domain/attachment/attachment.schema.ts';
import { addDays, todayInOslo } from '../../domain/date.ts';
import { acceptQuote, declineQuote } from '../../domain/quote/offer.endpoints.ts';
import {
  addQuoteAttachment,
  listQuoteAttachments,
} from '../../domain/quote/quote-attachment.endpoints.ts';
import {
  createQuote,
  getQuoteHistory,
  invoiceQuote,
  sendQuote,
} from '../../domain/quote/quote.endpoints.ts';
import type { Quote, QuoteEvent } from '../../domain/quote/quote.schema.ts';
import { listAssignments } from '../../domain/recurring/recurring.endpoints.ts';
import { AppError } from '../../server/errors.ts';
import { inspect, inspectFit } from '../support/inspect.ts';
import { answerQuotes, quoteOf } from '../support/quote-answers.ts';
import { screens } from '../support/screens.ts';
import { invoiceOf } from '../support/usual-answers.ts';

const here = screens();
const SENT_AT = '2026-11-20T10:00:00Z';
const LINK = 'https://faktur.example/tilbud/abc/';
const PRIVATE = { name: 'Kari Nordmann', email: 'kari@nordmann.no', isPrivate: true };

function sent(fields: Partial<Quote> = {}): Quote {
  return quoteOf({ quoteNumber: 12, state: 'SENT', sentAt: SENT_AT, url: LINK, ...fields });
}

function accepted(fields: Partial<Quote> = {}): Quote {
  const quote = sent({
    state: 'ACCEPTED',
    answeredAt: '2026-11-22T10:00:00Z',
    answeredBy: 'Kari Nordmann',
    answeredHow: 'LINK',
    leftNet: 13_000,
    netAmount: 13_000,
    grossAmount: 16_250,
  });
  const [line] = quote.lines;
  if (!line) throw new Error('A quote has a line');
  const material = {
    ...line,
    id: 2,
    description: 'Benkeplate i eik',
    invoicedQuantity: 1,
    netUnitAmount: 3000,
    netAmount: 3000,
    netLeft: 3000,
  };
  return { ...quote, lines: [{ ...line, netLeft: 10_000 }, material], ...fields };
}

async function open(quotes: Quote[], path: string, customer = PRIVATE) {
  const screen = await here.open(path, {
    features: 'all',
    customers: [customer],
    prepare: (opened) => answerQuotes(opened, quotes),
  });
  return { ...screen, quotes };
}

// QUO-70
test('the list begins with what is to invoice and what is open, and shows one state', async () => {
  const long = 'Ombygging av kjøkken, bad og vaskerom i andre etasje med nye vinduer';
  const { page, complaints } = await open(
    [
      quoteOf({ customerName: 'Ola Hansen' }),
      sent({ quoteNumber: 14, title: long }),
      sent({ quoteNumber: 13, state: 'EXPIRED', validUntil: addDays(todayInOslo(), -3) }),
      accepted(),
      sent({ quoteNumber: 11, state: 'DECLINED' }),
      accepted({ quoteNumber: 10, state: 'PARTLY_INVOICED', leftNet: 3000 }),
    ],
    '/quotes/',
  );
  await page.getByText('16 000,00 kr').waitFor();
  await inspect(page, 'quotes');
  await page.getByRole('button', { name: 'Vis å fakturere: 2 godtatte' }).click();
  await expect.poll(async () => page.getByRole('row').count()).toBe(3);
  expect(new URL(page.url()).search).toBe('?state=TO_INVOICE');
  await page.getByRole('button', { name: 'Vis utløpt' }).click();
  await expect.poll(async () => page.getByRole('row').count()).toBe(2);
  expect(new URL(page.url()).search).toBe('?state=EXPIRED');
  await page.getByLabel('Status').selectOption('Trukket tilbake');
  await page.getByText('Ingen tilbud med status «Trukket tilbake».').waitFor();
  await inspectFit(page, 'quotes-none');
  await page.getByRole('button', { name: 'Vis alle tilbud' }).click();
  await page.getByText(long).click();
  await page.getByRole('heading', { name: 'Tilbud 14', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

// QUO-70, QUO-71, QUO-73
test('the first quote is made for a private customer, who is told what the price binds to', async () => {
  const { page, api, complaints } = await open([], '/quotes/');
  await page.getByText('Ingen tilbud ennå').waitFor();
  await inspect(page, 'quotes-empty');
  await page.getByRole('link', { name: 'Lag det første tilbudet' }).click();
  await page.getByRole('option', { name: /^Kari Nordmann/ }).click();
  await page.getByLabel('Tittel').fill('Nytt kjøkken');
  await page.getByText('Prisen er bindende').waitFor();
  await page.getByLabel('Pris', { exact: true }).selectOption('Prisoverslag');
  await page.getByText('mer enn 15 prosent høyere enn prisoverslaget').waitFor();
  await page.getByLabel('Beskrivelse').fill('Snekkerarbeid');
  await page.getByLabel('Pris eks. mva.').fill('10000');
  await page.getByLabel('Gyldig til og med', { exact: true }).fill('01.01.2020');
  await page.getByText('Tilbudet kan ikke sendes slik.').waitFor();
  await inspect(page, 'quote-form');
  await page.getByLabel('Gyldig til og med', { exact: true }).fill('31.12.2099');
  await page.getByRole('button', { name: 'Lagre' }).click();
  await page.getByText('Tilbud opprettet!').waitFor();
  await page.getByRole('heading', { name: 'Utkast til tilbud til Kari Nordmann' }).waitFor();
  const [asked] = api.asked(createQuote);
  expect(asked?.body).toMatchObject({
    customerNumber: 1,
    title: 'Nytt kjøkken',
    priceKind: 'ESTIMATE',
    validUntil: '2099-12-31',
    lines: [{ description: 'Snekkerarbeid', netUnitAmount: 10_000 }],
    confirmByCode: false,
  });
  expect(complaints).toEqual([]);
});

// QUO-72
test('the page says in each state how the quote stands, and offers what comes next', async () => {
  const invoice = { uuid: crypto.randomUUID(), invoiceNumber: 7, status: 'PAID' } as const;
  const delivery: Quote['deliveries'][number] = {
    uuid: crypto.randomUUID(),
    recipient: 'kari@nordmann.no',
    recipients: [
      { address: 'kari@nordmann.no', status: 'FAILED', reason: 'Postkassen finnes ikke' },
    ],
    status: 'FAILED',
    sentTime: null,
    failureReason: 'Postkassen finnes ikke',
  };
  const texts = {
    message: 'Takk for praten!\nHer er prisen vi snakket om.',
    terms: 'Prisen gjelder arbeid på dagtid.\nStrøm og vann holdes av kunden.',
  };
  const past = addDays(todayInOslo(), -3);
  const states: [string, Quote, notice: string, act: string | null][] = [
    ['draft', quoteOf(texts), 'Melding til kunden', 'Send tilbud'],
    [
      'revision',
      sent({ state: 'DRAFT', revision: 2, sentRevision: 1, sentState: 'SENT', validUntil: past }),
      'Datoen er passert',
      'Endre datoen',
    ],
    ['sent', sent({ revision: 2 }), 'Venter på svar fra Kari Nordmann', 'Marker som godtatt'],
    ['failed', sent({ deliveries: [delivery] }), 'kom ikke fram', 'Send på nytt'],
    ['expired', sent({ state: 'EXPIRED', validUntil: past }), 'Tilbudet gikk ut', 'Lag ny versjon'],
    ['accepted', accepted(), 'Godtatt av Kari Nordmann 22.11.2026', 'Lag faktura'],
    [
      'partly',
      accepted({
        state: 'PARTLY_INVOICED',
        invoicedNet: 3900,
        leftNet: 9100,
        invoices: [{ ...invoice, netAmount: 3900 }],
      }),
      'Fakturaer av tilbudet',
      'Lag faktura',
    ],
    [
      'declined',
      sent({
        state: 'DECLINED',
        answeredHow: 'LINK',
        answeredAt: SENT_AT,
        answerNote: 'Vi fant en som er billigere.',
      }),
      'Avslått 20.11.2026',
      'Lag ny versjon',
    ],
    ['withdrawn', sent({ state: 'WITHDRAWN' }), 'kan ikke godtas', null],
  ];
  const by = { type: 'CUSTOMER', name: 'Kari Nordmann' } as const;
  const { page, api, complaints } = await open(
    states.map(([, quote]) => quote),
    '/quotes/',
  );
  const events: QuoteEvent[] = [
    { at: SENT_AT, kind: 'DECLINED', by, details: { reason: 'Vi fant en som er billigere.' } },
    { at: SENT_AT, kind: 'SENT', by, details: { quoteNumber: 12, recipient: 'kari@nordmann.no' } },
  ];
  api.answer(getQuoteHistory, () => events);
  for (const [name, { uuid }, notice, act] of states) {
    await page.goto(`/quotes/${uuid}/`);
    await page.getByText(notice).first().waitFor();
    await page.getByText('Sendt som tilbud 12').waitFor();
    const role = act === 'Endre datoen' ? 'link' : 'button';
    const first = page.getByRole(role, { name: act ?? 'Send tilbud', exact: true });
    expect(await first.count()).toBe(act === null ? 0 : 1);
    await (name === 'draft' || name === 'partly' ? inspect : inspectFit)(page, `quote-${name}`);
  }
  expect(complaints).toEqual([]);
});

// QUO-19, QUO-72, QUO-74
test('files are added to a draft, named when it is sent, and stay with what was sent', async () => {
  const draft = quoteOf();
  const { page, api, quotes, complaints } = await open([draft], `/quotes/${draft.uuid}/`);
  const files: Attachment[] = [];
  api.answer(listQuoteAttachments, () => files);
  api.answer(addQuoteAttachment, ({ query: { name } }) => {
    if (files.length === 1) throw new AppError('too_many_attachments');
    const sha256 = 'a'.repeat(64);
    const file = { uuid: randomUUID(), name, size: 4_400_000, sha256, createdAt: SENT_AT };
    return (files[files.length] = { ...file, mediaType: 'application/pdf' });
  });
  api.answer(sendQuote, () => (quotes[0] = sent({ uuid: draft.uuid })));
  const card = page.getByRole('region', { name: 'Vedlegg' });
  const chooser = card.locator('input[type=file]');
  const name = 'Tegninger av kjøkkenet med mål, sett fra alle fire veggene.pdf';
  const file = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await chooser.setInputFiles([file, { ...file, name: 'En for mye.pdf' }]);
  const list = page.getByRole('list', { name: 'Filer som følger med tilbudet' });
  await list.getByRole('link', { name }).waitFor();
  await card.getByText('En for mye.pdf: Det er plass til høyst ti vedlegg.').waitFor();
  await inspect(page, 'quote-files');
  await page.getByRole('button', { name: 'Send tilbud' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send tilbud' });
  await dialog.getByText('med PDF, 1 vedlegg og lenke.').waitFor();
  await dialog.getByRole('button', { name: 'Send tilbud' }).press('Enter');
  await page.getByText('Tilbud sendt!').waitFor();
  await card.getByRole('button').first().waitFor({ state: 'detached' });
  expect(await list.getByRole('link').getAttribute('href')).toMatch(
    new RegExp(`^/api/quotes/${draft.uuid}/attachments/`),
  );
  expect(await chooser.count()).toBe(0);
  expect(complaints).toEqual([]);
});

// QUO-7
test('the customer’s page says which quote keeps it from being deleted', async () => {
  const quote = sent();
  const { page, complaints } = await here.open('/customers/1/', {
    features: 'all',
    customers: [PRIVATE],
    prepare: (screen) => {
      answerQuotes(screen, [quote]);
      screen.api.answer(listAssignments, () => []);
    },
  });
  await page.getByText('Kunden har tilbud 12, som ikke er avsluttet.').waitFor();
  expect(await page.getByRole('button', { name: 'Slett kunde' }).isDisabled()).toBe(true);
  await inspectFit(page, 'customer-kept-by-quote');
  await page.getByRole('link', { name: 'tilbud 12' }).click();
  await page.getByRole('heading', { name: 'Tilbud 12', level: 1 }).waitFor();
  expect(complaints).toEqual([]);
});

// QUO-74
test('sending names the sum and the address, and asks for one that is missing', async () => {
  const draft = quoteOf();
  const first = await open([draft], `/quotes/${draft.uuid}/`);
  first.api.answer(sendQuote, () => (first.quotes[0] = sent({ uuid: draft.uuid })));
  const { page } = first;
  await page.getByRole('button', { name: 'Send tilbud' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send tilbud' });
  await dialog.getByText('kari@nordmann.no').waitFor();
  await inspect(page, 'quote-send');
  await dialog.getByRole('button', { name: 'Send tilbud' }).press('Enter');
  await page.getByText('Tilbud sendt!').waitFor();
  await page.getByRole('heading', { name: 'Tilbud 12', level: 1 }).waitFor();
  expect(first.api.asked(sendQuote)[0]?.body).toEqual({ recipient: null });
  expect(first.complaints).toEqual([]);

  const second = await open([draft], `/quotes/${draft.uuid}/`, { ...PRIVATE, email: '' });
  second.api.answer(sendQuote, () => (second.quotes[0] = sent({ uuid: draft.uuid })));
  await page.getByRole('button', { name: 'Send tilbud' }).click();
  await dialog.getByText('Kunden mangler e-postadresse.').waitFor();
  await dialog.getByLabel('Kundens e-post').press('Enter');
  await dialog.getByLabel('Kundens e-post').fill('kari@annet.no');
  await dialog.getByLabel('Kundens e-post').press('Enter');
  await page.getByText('Tilbud sendt!').waitFor();
  expect(second.api.asked(sendQuote).map(({ body }) => body)).toEqual([
    { recipient: 'kari@annet.no' },
  ]);
  expect(second.complaints).toEqual([]);
});

// QUO-74
test('an answer that was given otherwise is noted with who gave it', async () => {
  const quote = sent();
  const { page, api, quotes, complaints } = await open([quote], `/quotes/${quote.uuid}/`);
  api.answer(declineQuote, () => (quotes[0] = { ...quote, state: 'DECLINED' }));
  api.answer(acceptQuote, () => (quotes[0] = accepted({ uuid: quote.uuid })));
  await page.getByRole('button', { name: 'Marker som avslått' }).click();
  const no = page.getByRole('dialog', { name: 'Marker tilbud 12 som avslått' });
  await no.getByLabel('Årsak').fill('For dyrt');
  await inspect(page, 'quote-decline');
  await no.getByRole('button', { name: 'Marker som avslått' }).press('Enter');
  await page.getByText('Tilbudet er markert som avslått.').waitFor();
  expect(api.asked(declineQuote)[0]?.body).toEqual({ note: 'For dyrt' });
  await page.getByRole('button', { name: 'Marker som godtatt' }).click();
  const yes = page.getByRole('dialog', { name: 'Marker tilbud 12 som godtatt' });
  expect(await yes.getByLabel('Hvem sa ja?').inputValue()).toBe('Kari Nordmann');
  await yes.getByLabel('Send ordrebekreftelse til kunden').check();
  await inspect(page, 'quote-accept');
  await yes.getByRole('button', { name: 'Marker som godtatt' }).press('Enter');
  await page.getByText('Godtatt av Kari Nordmann').waitFor();
  expect(api.asked(acceptQuote)[0]?.body).toEqual({
    name: 'Kari Nordmann',
    date: todayInOslo(),
    note: null,
    sendConfirmation: true,
  });
  expect(complaints).toEqual([]);
});

// QUO-75
test('an invoice is made of all that is left, a percent, or some of the lines', async () => {
  const quote = accepted();
  const { page, api, company, complaints } = await open([quote], `/quotes/${quote.uuid}/`);
  const draft = invoiceOf({ customerName: 'Kari Nordmann' });
  company.invoices = [draft];
  api.answer(invoiceQuote, () => draft);
  await page.getByRole('button', { name: 'Lag faktura' }).click();
  const dialog = page.getByRole('dialog', { name: 'Lag faktura av tilbud 12' });
  await dialog.getByText('Fakturaen blir på 13 000,00 kr uten mva.').waitFor();
  await dialog.getByLabel('En andel').check();
  await dialog.getByRole('button', { name: 'Lag faktura' }).press('Enter');
  await dialog.getByText('Skriv hvor mange prosent.').waitFor();
  await dialog.getByLabel('Prosent av tilbudet').fill('30');
  await dialog.getByText('3 900,00 kr uten mva. Da gjenstår 9 100,00 kr.').waitFor();
  await inspect(page, 'quote-invoice-share');
  await dialog.getByLabel('Noen av linjene').check();
  await dialog.getByRole('button', { name: 'Lag faktura' }).press('Enter');
  await dialog.getByText('Velg minst én linje.').waitFor();
  await dialog.getByLabel('Snekkerarbeid').check();
  await dialog.getByLabel('Antall').fill('11');
  await dialog.getByRole('button', { name: 'Lag faktura' }).press('Enter');
  await dialog.getByText('Bare 10 000,00 kr gjenstår.').waitFor();
  await dialog.getByLabel('Antall').fill('3');
  await dialog.getByLabel('Benkeplate i eik').check();
  await dialog.getByText('Fakturaen blir på 6 000,00 kr uten mva.').waitFor();
  await inspect(page, 'quote-invoice-lines');
  await dialog.getByRole('button', { name: 'Lag faktura' }).press('Enter');
  await page.waitForURL(`**/invoices/${draft.uuid}/`);
  expect(api.asked(invoiceQuote)[0]?.body).toMatchObject({
    lines: [{ id: 1, quantity: 3, percent: null }, { id: 2 }],
  });
  expect(complaints).toEqual([]);
});
