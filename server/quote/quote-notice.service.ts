import { notifyCompany } from '../account/company-notice.service.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { quoteNoticeJob } from '../platform/jobs/jobs.ts';
import { button, type Fact, facts, freeText, type Letter } from '../platform/mail/layout.ts';
import { headerText } from '../platform/mail/outgoing-mail.ts';
import { findSent, type SentRow } from './quote-answer.repository.ts';

/** Tells a company what its customer answered at the link (QUO-39). */
export function quoteNoticeJobs(context: Context): JobHandler[] {
  return [
    handlerOf(
      quoteNoticeJob,
      async ({ companyId, quoteId, revision, messageUuid }) => {
        const row = await findSent(context.db, { companyId, id: quoteId, revision });
        const path = `/quotes/${row.uuid}/`;
        const notice = { companyId, to: 'COMPANY', key: messageUuid, path } as const;
        await notifyCompany(context, notice, (url) => letterOf(row, url));
      },
      { feature: 'quotes' },
    ),
  ];
}

function letterOf(row: SentRow, url: string): Letter {
  const { quoteNumber, answer, answeredBy, answerNote } = row;
  const customerName = headerText(row.customerName);
  const by: Fact[] =
    answeredBy === null ? [] : [{ label: 'Godtatt av', value: headerText(answeredBy) }];
  return {
    subject: `Tilbud ${quoteNumber} er ${answer === 'ACCEPTED' ? 'godtatt' : 'avslått'}`,
    preheader: customerName,
    body: [
      answer === 'ACCEPTED'
        ? 'Kunden har godtatt tilbudet på nett, og har fått en ordrebekreftelse.'
        : 'Kunden har avslått tilbudet på nett.',
      facts([{ label: 'Kunde', value: customerName }, ...by]),
      ...(answerNote === null ? [] : ['Kunden skriver:', freeText(answerNote)]),
      button('Se tilbudet', url),
    ],
    footer: ['Du får denne e-posten når en kunde svarer på et tilbud.'],
  };
}
