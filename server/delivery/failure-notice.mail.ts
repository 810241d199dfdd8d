import type { InvoiceKind } from '../../domain/invoice/invoice.status.ts';
import { button, facts, paragraph, remark } from '../mail/blocks.ts';
import { type MailContent, renderMail } from '../mail/layout.ts';

interface FailureLetter {
  /** The first of them. */
  readonly failures: readonly {
    readonly kind: InvoiceKind;
    readonly invoiceNumber: number;
    readonly customerName: string;
    readonly reason: string;
  }[];
  /** How many there are. */
  readonly many: number;
  /** Where they are listed. */
  readonly url: string;
}

/** Tells an owner what could not be delivered. */
export function failureMail({ failures, many, url }: FailureLetter): MailContent {
  const isNote = failures.length > 0 && failures.every(({ kind }) => kind === 'CREDIT_NOTE');
  const [one, several] = isNote ? ['kreditnota', 'kreditnotaer'] : ['faktura', 'fakturaer'];
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
        ...failures.map(({ kind, invoiceNumber, customerName, reason }) => ({
          label: `${kind === 'INVOICE' ? 'Faktura' : 'Kreditnota'} ${invoiceNumber}`,
          value: `${customerName}: ${reason}`,
        })),
        ...(rest > 0 ? [{ label: 'Og', value: `${rest} til` }] : []),
      ]),
      paragraph('Rett adressen hos kunden, og send på nytt. Eller gi kunden fakturaen som PDF.'),
      button('Se hva som feilet', url),
    ],
    footer: [
      remark('Du får denne e-posten høyst én gang i timen, når noe ikke kan leveres fra Faktur.'),
    ],
  });
}
