import {
  button,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';

interface Waiting {
  /** How many could be sent. */
  readonly many: number;
  /** Whether there are more than were counted. */
  readonly orMore: boolean;
  /** Whether a newer bank file must be uploaded first. */
  readonly bankFileIsOld: boolean;
  /** The page that lists them. */
  readonly url: string;
}

/** Tells the owner that reminders wait for approval. */
export function waitingMail({ many, orMore, bankFileIsOld, url }: Waiting): MailContent {
  const name = many === 1 ? '1 purring' : `${orMore ? 'Over ' : ''}${many} purringer`;
  return renderMail({
    subject: `${name} venter på deg`,
    preheader: 'Ingenting sendes før du har sett på dem.',
    sender: null,
    heading: `${name} venter på deg`,
    body: [
      paragraph(
        many === 1
          ? 'En faktura har forfalt uten å være betalt. Purringen er klar, men sendes ikke før du har sett på den.'
          : 'Fakturaer har forfalt uten å være betalt. Purringene er klare, men sendes ikke før du har sett på dem.',
      ),
      ...(bankFileIsOld
        ? [
            paragraph(
              'Den siste bankfilen er eldre enn fire virkedager. Les inn en nyere først, så ingen som har betalt, blir purret.',
            ),
          ]
        : []),
      button('Se forslagene', url),
    ],
    footer: [
      remark(
        'Du får denne e-posten fordi automatisk purring er slått på i profilen din. Den kommer når det har blitt flere, og ellers høyst en gang i uken.',
      ),
    ],
  });
}
