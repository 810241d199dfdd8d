import { describe, expect, it } from 'vitest';

import type { ReminderDocument } from '../../../../domain/document/reminder-document.ts';
import { ore } from '../../../../domain/money.ts';
import { sampleInvoice } from '../../../testing/invoice-documents.ts';
import { sampleNotice, sampleReminder } from '../../../testing/reminder-documents.ts';
import { reminderMail } from './reminder.mail.ts';

function mailOf(document: ReminderDocument, linkUrl: string | null = null) {
  const file = (format: 'PDF' | 'EHF') => ({ format, content: Buffer.from(format) });
  const mail = reminderMail(
    { mailFrom: 'faktura@example.no' },
    { carrierKey: '<1@faktur.test>', recipient: 'kari@example.no', linkUrl },
    {
      document,
      files: [file('PDF')],
      logo: null,
      invoice: {
        document: sampleInvoice(),
        files: [file('PDF'), file('EHF')],
        attachments: [],
        logo: null,
      },
    },
  );
  return { ...mail, text: mail.text.replaceAll('\u00A0', ' ') };
}

describe('the mail of a reminder', () => {
  it('is one that nobody is offended by at first', () => {
    const { subject, text } = mailOf(sampleReminder());
    expect(subject).toBe('Påminnelse om faktura 10027 fra Fjordlys Design AS');
    expect(text).toBe(`Fjordlys Design AS

Betalingspåminnelse

Hei Bærums Verk Kaffebrenneri AS!

Vi kan ikke se at vi har fått betaling for faktura 10027, som forfalt 05.12.2026. Slikt er lett å overse, så her er en liten påminnelse.

Vi setter pris på om du betaler innen 23.12.2026.

Å betale: 26 630,16 kr
Innen 23.12.2026

Kontonummer:   1234.11.12344
KID/melding:   000104200000100272
Fakturanummer: 10027
Fakturadato:   21.11.2026
Forfalt:       05.12.2026
Referanse:     Kari Nordmann

Se bort fra denne hvis du nettopp har betalt.

Er noe feil eller uklart, eller trenger du mer tid? Skriv til post@fjordlys.example, så finner vi ut av det.

Påminnelsen og fakturaen ligger ved som PDF.

-- 
Fjordlys Design AS · Org.nr. 123 456 785 MVA · Storgata 12 · 0184 Oslo · post@fjordlys.example
Spørsmål? Svar på denne e-posten, så går svaret til Fjordlys Design AS. Sendt med Faktur.
`);
  });

  it('is answered to the seller, and carries the reminder and the invoice', () => {
    const { from, replyTo, to, messageId, attachments } = mailOf(sampleNotice());
    expect(from).toEqual({ name: 'Fjordlys Design AS', address: 'faktura@example.no' });
    expect(replyTo).toEqual({ name: 'Fjordlys Design AS', address: 'post@fjordlys.example' });
    expect(to).toEqual({ name: 'Bærums Verk Kaffebrenneri AS', address: 'kari@example.no' });
    expect(messageId).toBe('<1@faktur.test>');
    expect(attachments?.map(({ filename, contentType }) => [filename, contentType])).toEqual([
      ['Purring-10027.pdf', 'application/pdf'],
      ['Faktura-10027.pdf', 'application/pdf'],
    ]);
  });

  it('says what the sum consists of when it asks for more than the invoice', () => {
    const { subject, text } = mailOf(sampleNotice());
    expect(subject).toBe('Purring på faktura 10027 fra Fjordlys Design AS');
    expect(text).toContain('Å betale: 17 007,90 kr\nInnen 05.02.2027');
    expect(text).toContain(`Rest av fakturaen:         16 630,16 kr
Forsinkelsesrente:         302,74 kr
Purregebyr:                37,50 kr
Fra tidligere påminnelser: 37,50 kr
Kontonummer:               1234.11.12344`);
    expect(text).toContain('Er du uenig i kravet, eller er noe uklart?');
  });

  it('thanks for what was paid of it', () => {
    const { invoice } = sampleReminder();
    const { text } = mailOf(
      sampleReminder({ invoice: { ...invoice, paidAmount: ore(1_000_000) } }),
    );
    expect(text).toContain('Takk for det du har betalt av faktura 10027.');
    expect(text).toContain('Rest av fakturaen: 16 630,16 kr');
  });

  it('says what comes next when debt is to be collected', () => {
    const { subject, text } = mailOf(sampleNotice({ kind: 'DEBT_COLLECTION_NOTICE' }));
    expect(subject).toBe('Inkassovarsel for faktura 10027 fra Fjordlys Design AS');
    expect(text).toContain('Inkassovarsel\n\nTil Bærums Verk Kaffebrenneri AS\n');
    expect(text).toContain('Betaler du ikke innen 05.02.2027, sender vi kravet til inkasso.');
  });

  it('has names that mean nothing to mail or HTML', () => {
    const seller = { ...sampleReminder().seller, name: 'A\r\nBcc: x@y.no <b>' };
    const { subject, html } = mailOf(sampleReminder({ seller }));
    expect(subject).toBe('Påminnelse om faktura 10027 fra A Bcc: x@y.no <b>');
    expect(html).not.toContain('<b>');
  });
});
