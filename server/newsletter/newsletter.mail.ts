import { link, type MailContent, paragraph, remark, renderMail } from '../platform/mail/layout.ts';

/** The welcome mail of the newsletter, with a link to unsubscribe. */
export function newsletterWelcomeMail({
  unsubscribeUrl,
}: {
  /** The page with the button that ends the subscription. */
  readonly unsubscribeUrl: string;
}): MailContent {
  return renderMail({
    subject: 'Velkommen til nyhetsbrevet fra Faktur',
    preheader: 'Vi skriver når det er noe nytt, og ellers ikke.',
    sender: null,
    heading: 'Takk for at du følger med',
    body: [
      paragraph('Du får nå nyhetsbrevet fra Faktur.'),
      paragraph('Vi skriver når det er noe nytt som gjør det enklere å fakturere, og ellers ikke.'),
    ],
    footer: [
      remark('Du får denne e-posten fordi adressen ble meldt på nyhetsbrevet vårt.'),
      link('Meld deg av', unsubscribeUrl),
    ],
  });
}
