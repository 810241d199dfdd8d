import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { button, facts, paragraph, remark } from '../mail/blocks.ts';
import { type MailContent, renderMail } from '../mail/layout.ts';

interface Failure {
  readonly kind: InvoiceKind;
  /** Whether it is a reminder of the invoice that failed. */
  readonly isReminder: boolean;
  readonly invoiceNumber: number;
  readonly customerName: string;
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
  const heading = `${many === 1 ? `1 ${one}` : `${many} ${several}`} kom ikke fram`;
  const rest = many - failures.length;
  return renderMail({
    subject: heading,
    preheader: failures.map(({ customerName }) => customerName).join(', '),
    sender: null,
    heading,
    body: [
      paragraph(
        many === 1
          ? 'Den ble ikke levert til kunden, og blir ikke sendt igjen av seg selv:'
          : 'De ble ikke levert til kundene, og blir ikke sendt igjen av seg selv:',
      ),
      facts([
        ...failures.map((failure) => ({
          label: `${nameOf(failure)} ${failure.invoiceNumber}`,
          value: `${failure.customerName}: ${failure.reason}`,
        })),
        ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
      ]),
      paragraph('Rett adressen hos kunden, og send på nytt. Eller gi kunden den som PDF.'),
      button('Se hva som feilet', url),
    ],
    footer: [
      remark('Du får denne e-posten høyst én gang i timen, når noe ikke kan leveres fra Faktur.'),
    ],
  });
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
