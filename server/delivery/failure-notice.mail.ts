import type { DeliveryType } from '../../domain/delivery/delivery.schema.ts';
import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import {
  button,
  facts,
  type MailContent,
  paragraph,
  remark,
  renderMail,
} from '../platform/mail/layout.ts';

interface Failure {
  readonly kind: InvoiceKind;
  /** Whether it is a reminder of the invoice that failed. */
  readonly isReminder: boolean;
  readonly invoiceNumber: number;
  readonly customerName: string;
  readonly deliveryType: DeliveryType;
  /** Whether it was sent and may have been read, as what was reported as spam. */
  readonly hasArrived: boolean;
  /** Whether it is under way for so long that nobody knows whether it will end. */
  readonly isUnconfirmed: boolean;
  readonly reason: string;
}

interface FailureLetter {
  /** The first of them. */
  readonly failures: readonly Failure[];
  /** How many there are. */
  readonly many: number;
  /** Where they are listed. */
  readonly url: string;
}

/** Tells an owner what could not be delivered. */
export function failureMail({ failures, many, url }: FailureLetter): MailContent {
  const [one, several] = nounsFor(failures);
  const count = many === 1 ? `1 ${one}` : `${many} ${several}`;
  const isSent = failures.length > 0 && failures.every(({ hasArrived }) => hasArrived);
  const isOpen = failures.length > 0 && failures.every(({ isUnconfirmed }) => isUnconfirmed);
  const isPartlyOpen = failures.some(({ isUnconfirmed }) => isUnconfirmed);
  const heading = isOpen
    ? `Vi vet ikke om ${count} kom fram`
    : isSent || isPartlyOpen
      ? `Noe er i veien med ${count}`
      : `${count} kom ikke fram`;
  const rest = many - failures.length;
  return renderMail({
    subject: heading,
    preheader: failures.map(({ customerName }) => customerName).join(', '),
    sender: null,
    heading,
    body: [
      paragraph(
        isOpen
          ? `${many === 1 ? 'Den' : 'De'} ble sendt som EHF for over tre dager siden:`
          : `${whatHappened(failures, many)}, og blir ikke sendt igjen av seg selv:`,
      ),
      facts([
        ...failures.map((failure) => ({
          label: `${nameOf(failure)} ${failure.invoiceNumber}`,
          value: `${failure.customerName}: ${failure.reason}`,
        })),
        ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
      ]),
      paragraph(
        isOpen
          ? 'Spør kunden om EHF-en har kommet. Har den ikke det, kan du sende den på e-post.'
          : adviceOn(failures),
      ),
      button('Se hva som feilet', url),
    ],
    footer: [
      remark('Du får denne e-posten høyst én gang i timen, når noe ikke kan leveres fra Faktur.'),
    ],
  });
}

function whatHappened(failures: readonly Failure[], many: number): string {
  const [one, several] = failures.every(({ hasArrived }) => hasArrived)
    ? ['Den ble sendt', 'De ble sendt']
    : failures.some(({ hasArrived }) => hasArrived)
      ? ['Den ble ikke levert', 'Noe av dette ble ikke levert']
      : ['Den ble ikke levert til kunden', 'De ble ikke levert til kundene'];
  return many === 1 ? one : several;
}

/** Advice to the owner. Text on the document cannot be changed, and a document that arrived need not be sent again. */
function adviceOn(failures: readonly Failure[]): string {
  const lost = failures.filter(({ hasArrived }) => !hasArrived);
  const isMended = ({ deliveryType }: Failure) => deliveryType !== 'EHF';
  const advice = [
    ...(lost.some(isMended) ? ['Rett adressen hos kunden, og send på nytt.'] : []),
    ...(lost.every(isMended) ? [] : ['Det som ikke gikk som EHF, kan sendes på e-post.']),
    ...(lost.length === 0
      ? ['Avtal med kunden hvordan det skal komme fram.']
      : ['Eller gi kunden den som PDF.']),
  ];
  return advice.join(' ');
}

function nameOf({ kind, isReminder }: Failure): string {
  if (isReminder) return 'Purring på faktura';
  return kind === 'INVOICE' ? 'Faktura' : 'Kreditnota';
}

function nounsFor(failures: readonly Failure[]): readonly [one: string, several: string] {
  if (failures.length > 0 && failures.every(({ isReminder }) => isReminder)) {
    return ['purring', 'purringer'];
  }
  if (failures.some(({ isReminder }) => isReminder)) return ['forsendelse', 'forsendelser'];
  return failures.length > 0 && failures.every(({ kind }) => kind === 'CREDIT_NOTE')
    ? ['kreditnota', 'kreditnotaer']
    : ['faktura', 'fakturaer'];
}
