import { formatDate } from '../../domain/date.ts';
import { formatKroner } from '../../domain/money.ts';
import { formatBankAccount } from '../../domain/parties.ts';
import { NOT_AN_INVOICE } from '../../domain/portal/statement-document.ts';
import { footer, mailLogo } from '../delivery/carriers/email/invoice.mail.ts';
import type { StatementInput } from '../document/pdf/statement-page.ts';
import { facts, headline, remark, renderMail } from '../platform/mail/layout.ts';
import { headerText, nameInSubject, type OutgoingMail } from '../platform/mail/outgoing-mail.ts';
import type { StatementFile } from './statement-file.service.ts';

/** The content of the mail with a statement, and its attachment (PORT-38). */
export function statementMail(
  { document, logo }: StatementInput,
  { fileName, content }: Pick<StatementFile, 'fileName' | 'content'>,
): Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'attachments'> {
  const { buyer, bankAccountNumber, statement } = document;
  const { shown, attached } = mailLogo(logo);
  const seller = headerText(document.seller.name);
  const period = `${formatDate(statement.from)}–${formatDate(statement.to)}`;
  const balance = `${formatKroner(statement.closing)} kr`;
  return {
    ...renderMail({
      subject: `Kontoutskrift fra ${nameInSubject(seller)}`,
      preheader: `${balance} per ${formatDate(statement.to)}`,
      sender: seller,
      logo: shown,
      heading: 'Kontoutskrift',
      body: [
        `Hei ${headerText(buyer.name)}!`,
        `Her er kontoutskriften for ${period}.`,
        headline({ label: 'Saldo', value: balance }, `Per ${formatDate(statement.to)}`),
        facts([
          { label: 'Kundenummer', value: String(statement.customerNumber) },
          { label: 'Kontonummer', value: formatBankAccount(bankAccountNumber) },
        ]),
        remark(`Kontoutskriften ligger ved som PDF. ${NOT_AN_INVOICE}`),
      ],
      footer: footer(document, seller),
    }),
    attachments: [...attached, { filename: fileName, contentType: 'application/pdf', content }],
  };
}
