import { findNoticeAddresses } from '../account/member.service.ts';
import { findContact, findScreenUrl } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { quoteNoticeJob } from '../platform/jobs/jobs.ts';
import {
  button,
  type Fact,
  facts,
  freeText,
  type MailContent,
  paragraph,
  remark,
  renderNotice,
} from '../platform/mail/layout.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { headerText } from '../platform/mail/outgoing-mail.ts';
import { findSent, type SentRow } from './quote-answer.repository.ts';

/** Tells a company what its customer answered at the link (QUO-39). */
export function quoteNoticeJobs(context: Context): JobHandler[] {
  return [
    handlerOf(
      quoteNoticeJob,
      async ({ companyId, quoteId, revision, messageUuid }) => {
        const row = await findSent(context.db, { companyId, id: quoteId, revision });
        const { name } = await findContact(context.db, companyId);
        const url = await findScreenUrl(context, companyId, `/quotes/${row.uuid}/`);
        const addresses = await findNoticeAddresses(context, companyId);
        await sendNotice(
          context,
          { companyId, addresses, key: messageUuid },
          noticeMail(name, row, url),
        );
      },
      { feature: 'quotes' },
    ),
  ];
}

function noticeMail(company: string | null, row: SentRow, url: string): MailContent {
  const { quoteNumber, answer, answeredBy, answerNote } = row;
  const customerName = headerText(row.customerName);
  const heading = `Tilbud ${quoteNumber} er ${answer === 'ACCEPTED' ? 'godtatt' : 'avslått'}`;
  const by: Fact[] =
    answeredBy === null ? [] : [{ label: 'Godtatt av', value: headerText(answeredBy) }];
  return renderNotice(company, {
    subject: heading,
    preheader: customerName,
    heading,
    body: [
      paragraph(
        answer === 'ACCEPTED'
          ? 'Kunden har godtatt tilbudet på nett, og har fått en ordrebekreftelse.'
          : 'Kunden har avslått tilbudet på nett.',
      ),
      facts([{ label: 'Kunde', value: customerName }, ...by]),
      ...(answerNote === null ? [] : [paragraph('Kunden skriver:'), freeText(answerNote)]),
      button('Se tilbudet', url),
    ],
    footer: [remark('Du får denne e-posten når en kunde svarer på et tilbud.')],
  });
}
