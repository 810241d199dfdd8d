import { describe, expect, it } from 'vitest';
import type { InvoiceDocument } from '../../../../domain/document/invoice-document.ts';
import { invoiceTotals } from '../../../../domain/invoice/invoice.totals.ts';
import { ore, type Ore } from '../../../../domain/money.ts';
import type { InvoiceWithFiles } from '../../../document/document-file.service.ts';
import { invoiceMail } from './invoice.mail.ts';

const INVOICE: InvoiceDocument = {
  kind: 'INVOICE',
  invoiceNumber: 1001,
  issueDate: '2026-11-21',
  dueDate: '2026-12-05',
  deliveryDate: '2026-11-21',
  reference: 'Åse Ødegård',
  kid: '000000100000010012',
  kidModulus: null,
  buyerVatNumber: null,
  deliveryCountry: null,
  bankAccountNumber: '12341112344',
  credits: null,
  seller: {
    name: 'Snekker Andersen AS',
    orgNumber: '123456785',
    email: 'post@andersen.example.no',
    vatRegistered: true,
    foretaksregisteret: false,
    address1: 'Storgata 1',
    address2: null,
    postalCode: '0155',
    city: 'Oslo',
  },
  buyer: {
    customerNumber: 1,
    name: 'Kari Nordmann',
    orgNumber: null,
    email: 'kari@example.no',
    address1: null,
    address2: null,
    postalCode: null,
    city: null,
  },
  lines: [
    {
      description: 'Gulv',
      quantity: 10,
      netUnitAmount: ore(123_450),
      vatRate: 25,
      vatTreatment: null,
      unit: null,
      productNumber: null,
    },
  ],
  message: null,
  logo: null,
  vatSubtotals: null,
  quoteNumber: null,
  attachments: null,
};

const CREDIT_NOTE: InvoiceDocument = {
  ...INVOICE,
  kind: 'CREDIT_NOTE',
  invoiceNumber: 1002,
  kid: null,
  reference: null,
  credits: { invoiceNumber: 1001, issueDate: '2026-11-21', extent: null },
};

function plain(text: string): string {
  return text.replaceAll('\u00A0', ' ');
}

function mailOf(
  document: InvoiceDocument,
  {
    ehf,
    logo = null,
    attachments = [],
    amountDue = invoiceTotals(document.lines).gross,
    linkUrl = null,
  }: {
    readonly ehf: boolean;
    readonly logo?: Uint8Array | null;
    readonly attachments?: InvoiceWithFiles['attachments'];
    readonly amountDue?: Ore;
    readonly linkUrl?: string | null;
  },
) {
  const formats = ehf ? (['PDF', 'EHF'] as const) : (['PDF'] as const);
  return invoiceMail(
    { mailFrom: 'faktura@example.no' },
    {
      carrierKey: '<1@faktur.test>',
      recipient: 'kari@example.no',
      amountDue,
      creditedAmount: ore(0),
      linkUrl,
    },
    {
      document,
      files: formats.map((format) => ({ format, content: Buffer.from(format) })),
      attachments,
      logo,
    },
  );
}

describe('the mail of an invoice', () => {
  // DEL-10
  it('says what to pay, when, where and with which KID, in both forms', () => {
    const { subject, text, html } = mailOf(INVOICE, { ehf: true });
    expect(subject).toBe('Faktura 1001 fra Snekker Andersen AS');
    expect(plain(text)).toBe(`Snekker Andersen AS

Faktura 1001

Her er faktura 1001 fra Snekker Andersen AS til Kari Nordmann.

Å betale: 15 431,25 kr
Forfaller 05.12.2026

Kontonummer:   1234.11.12344
KID/melding:   000000100000010012
Forfallsdato:  05.12.2026
Fakturanummer: 1001
Fakturadato:   21.11.2026
Referanse:     Åse Ødegård

Fakturaen ligger ved som PDF, og som EHF (XML) til regnskapssystemet.

-- 
Snekker Andersen AS · Org.nr. 123 456 785 MVA · Storgata 1 · 0155 Oslo · post@andersen.example.no
Spørsmål? Svar på denne e-posten, så går svaret til Snekker Andersen AS. Sendt med Faktur.
`);
    for (const fact of ['15 431,25 kr', '05.12.2026', '1234.11.12344', '000000100000010012']) {
      expect(plain(html)).toContain(`>${fact}<`);
    }
  });

  it('asks for what is left, and of what is paid for nothing', () => {
    const part = mailOf(INVOICE, { ehf: false, amountDue: ore(50000) });
    expect(plain(part.text)).toContain(
      'Å betale: 500,00 kr\nAv 15 431,25 kr, resten er betalt. Forfaller 05.12.2026',
    );
    expect(plain(part.text)).toContain('Kontonummer');
    expect(plain(part.html)).toContain('>500,00 kr, forfaller 05.12.2026');
    const { text, html } = mailOf(INVOICE, { ehf: false, amountDue: ore(0) });
    expect(plain(text)).toContain('Betalt: 15 431,25 kr\nIngenting å betale');
    for (const form of [text, html]) expect(form).not.toMatch(/Kontonummer|Forf|KID|Å betale/);
  });

  // DEL-10
  it('shows the message above the amounts, with its line breaks', () => {
    const message = 'Hei Kari!\n\nTakk for <sist> & ha det.';
    const { text, html } = mailOf({ ...INVOICE, message }, { ehf: false });
    expect(plain(text)).toContain(`til Kari Nordmann.\n\n${message}\n\nÅ betale: 15 431,25 kr`);
    const written = html.indexOf('>Hei Kari!<br><br>Takk for &lt;sist&gt; &amp; ha det.</p>');
    expect(written).toBeGreaterThan(0);
    expect(html.indexOf('Å betale<')).toBeGreaterThan(written);
  });

  it('calls the KID of an agreement by its name', () => {
    const { text, html } = mailOf({ ...INVOICE, kidModulus: 'MOD11' }, { ehf: false });
    expect(plain(text)).toContain('\nKID:           000000100000010012\n');
    expect(html).toContain('>KID<');
    expect(text + html).not.toContain('KID/melding');
  });

  it('leaves out what there is not', () => {
    const bare = { ...INVOICE, kid: null, reference: null };
    const { text, html } = mailOf(bare, { ehf: false });
    for (const form of [text, html]) {
      expect(form).not.toMatch(/KID|Referanse|EHF|null|undefined/);
    }
  });

  it('speaks of a credit note as one', () => {
    const { subject, text } = mailOf(CREDIT_NOTE, { ehf: false });
    expect(subject).toBe('Kreditnota 1002 fra Snekker Andersen AS');
    expect(plain(text)).toContain(
      'Den opphever faktura 1001 av 21.11.2026, som du ikke skal betale.',
    );
    expect(plain(text)).toContain('Kreditert: 15 431,25 kr\nIngenting å betale\n');
    expect(text).not.toMatch(/Å betale|Forfall|Kontonummer/);
  });

  it.each([
    ['PART', 'Den trekker 15 431,25 kr fra faktura 1001', 'Trukket fra fakturaen'],
    ['REST', 'Den opphever resten av faktura 1001', 'Ingenting å betale'],
  ] as const)('says what a credit note takes off: %s (CRE-13)', (extent, effect, below) => {
    const credits = CREDIT_NOTE.credits && { ...CREDIT_NOTE.credits, extent };
    const text = plain(mailOf({ ...CREDIT_NOTE, credits }, { ehf: false }).text);
    expect(text).toContain(effect);
    expect(text).toContain(`Kreditert: 15 431,25 kr\n${below}\n`);
  });

  it('takes names as they are, on one line and as text', () => {
    const name = 'Øl & "Vin" <AS>\r\nBcc: x@y.example';
    const document = { ...INVOICE, seller: { ...INVOICE.seller, name } };
    const { subject, text, html } = mailOf(document, { ehf: false });
    expect(subject).toBe('Faktura 1001 fra Øl & "Vin" <AS> Bcc: x@y.example');
    expect(text.split('\n')[0]).toBe('Øl & "Vin" <AS> Bcc: x@y.example');
    expect(html).toContain('<bdi>Øl &amp; &quot;Vin&quot; &lt;AS&gt; Bcc: x@y.example</bdi>');
  });
});
