import { formatDate, type IsoDate } from '../../domain/date.ts';
import { describePeriod } from '../../domain/recurring/placeholders.ts';
import type { Period } from '../../domain/recurring/recurring-dates.ts';
import {
  type Block,
  button,
  facts,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';

interface ObstacleLetter {
  readonly name: string;
  /** The first day of the period that is not made. */
  readonly date: IsoDate;
  readonly reason: string;
  readonly url: string;
}

/** Tells an owner that an assignment waits for something that he can mend. */
export function obstacleMail({ name, date, reason, url }: ObstacleLetter): MailContent {
  return renderMail({
    subject: `«${name}» venter`,
    preheader: reason,
    sender: null,
    heading: `Det faste oppdraget «${name}» venter`,
    body: [
      paragraph(`Fakturaene som skulle vært laget ${formatDate(date)}, er ikke laget ennå:`),
      paragraph(reason),
      paragraph(
        'Vi prøver igjen av oss selv når det er rettet. Blir det etter datoen, lages fakturaene som ' +
          'utkast med dagens dato, så du kan se over dem før de sendes.',
      ),
      button('Se faste oppdrag', url),
    ],
    footer: FOOTER,
  });
}

interface RunLetter {
  readonly name: string;
  readonly period: Period;
  /** How many were made, failed ones among them. */
  readonly invoices: number;
  /** Whether they were to be sent and were made as drafts, after their date. */
  readonly isLate: boolean;
  /** The first of those that were not sent. */
  readonly failures: readonly { readonly customerNumber: number; readonly reason: string }[];
  readonly failureCount: number;
  /** Numbers of customers that were deleted since the run before, the first of them. */
  readonly lost: readonly number[];
  readonly url: string;
}

/** Tells an owner how a run was not as he expects. */
export function runMail(letter: RunLetter): MailContent {
  const { name, period, url } = letter;
  const { subject, heading, body } = wordsOf(letter);
  return renderMail({
    subject,
    preheader: `«${name}», ${describePeriod(period)}`,
    sender: null,
    heading,
    body: [...body, ...aboutLost(letter), button('Se faste oppdrag', url)],
    footer: FOOTER,
  });
}

interface Words {
  readonly subject: string;
  readonly heading: string;
  readonly body: readonly Block[];
}

function wordsOf(letter: RunLetter): Words {
  const { name, period, invoices, isLate } = letter;
  const during = `Det faste oppdraget «${name}» er kjørt for ${describePeriod(period)}.`;
  if (letter.failureCount > 0) return failureWords(letter, during);
  if (invoices === 0) {
    return {
      subject: `«${name}»: ingen å fakturere`,
      heading: 'Det var ingen å fakturere',
      body: [
        paragraph(`${during} Det hadde ingen mottakere da, så ingen fakturaer er laget.`),
        paragraph('Er det riktig, trenger du ikke gjøre noe.'),
      ],
    };
  }
  if (letter.lost.length > 0 && !isLate) {
    return {
      subject: `«${name}»: mottakere er slettet`,
      heading: 'Færre fikk faktura denne gangen',
      body: [paragraph(during)],
    };
  }
  const made = `${invoices} utkast`;
  return {
    subject: `«${name}»: ${made} venter på deg`,
    heading: isLate ? 'Laget etter datoen, og derfor ikke sendt' : 'Utkast venter på deg',
    body: [
      paragraph(`${during} Det ble senere enn avtalt, så fakturaene er laget som ${made}.`),
      paragraph('De har dagens dato. Se over dem, og send dem fra fakturalisten.'),
    ],
  };
}

/** The customers who are no longer recipients. */
function aboutLost({ lost }: RunLetter): Block[] {
  if (lost.length === 0) return [];
  const numbers = new Intl.ListFormat('nb').format(lost.map(String));
  return [paragraph(`Kunde ${numbers} er slettet, og får ikke lenger faktura fra oppdraget.`)];
}

function failureWords(
  { name, invoices, failures, failureCount }: RunLetter,
  during: string,
): Words {
  const notSent = failureCount === 1 ? '1 faktura' : `${failureCount} fakturaer`;
  const rest = failureCount - failures.length;
  const others = invoices > failureCount ? ' De andre gikk som de skulle.' : '';
  return {
    subject: `«${name}»: ${notSent} ble ikke sendt`,
    heading: `${notSent} ble ikke sendt`,
    body: [
      paragraph(`${during}${others} Disse ligger som utkast:`),
      facts([
        ...failures.map(({ customerNumber, reason }) => ({
          label: `Kunde ${customerNumber}`,
          value: reason,
        })),
        ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
      ]),
      paragraph('Rett det som mangler, og send utkastene fra fakturalisten.'),
    ],
  };
}

const FOOTER = [
  remark('Du får denne e-posten én gang, fordi bedriften din har et fast oppdrag i Faktur.'),
];
