import { findOwnerAddresses } from '../account/member.service.ts';
import { findContact, findScreenUrl } from '../company/profile.service.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { webhookNoticeJob } from '../platform/jobs/jobs.ts';
import {
  button,
  facts,
  type MailContent,
  paragraph,
  remark,
  renderNotice,
} from '../platform/mail/layout.ts';
import { sendNotice } from '../platform/mail/notice.ts';
import { findById, type WebhookRow } from './webhook.repository.ts';

/** Mails the owners that a webhook was turned off by itself. */
export function webhookJobs(context: Context): JobHandler[] {
  return [
    handlerOf(
      webhookNoticeJob,
      async ({ companyId, webhookId, messageUuid }) => {
        const webhook = await findById(context.db, { companyId, webhookId });
        // Its owner knows.
        if (!webhook || webhook.disabledReason === null) return;
        const company = (await findContact(context.db, companyId)).name;
        const url = await findScreenUrl(context, companyId, '/profile/integrations/');
        const addresses = await findOwnerAddresses(context.db, companyId);
        const content = turnedOffMail(company, webhook, url);
        await sendNotice(context, { companyId, addresses, key: messageUuid }, content);
      },
      { feature: 'integrations' },
    ),
  ];
}

function turnedOffMail(company: string | null, webhook: WebhookRow, url: string): MailContent {
  const reason =
    webhook.disabledReason === 'TOO_MANY'
      ? 'Mer enn 10 000 meldinger ventet på å bli sendt dit.'
      : 'Ingen meldinger har kommet fram på fem dager.';
  return renderNotice(company, {
    subject: 'En webhook er slått av',
    preheader: reason,
    heading: 'En webhook er slått av',
    body: [
      paragraph(`${reason} Vi sender ikke flere før du slår den på igjen.`),
      facts([
        { label: 'Adresse', value: webhook.url },
        { label: 'Beskrivelse', value: webhook.description ?? '–' },
      ]),
      button('Se integrasjoner', url),
    ],
    footer: [remark('Alle eiere får denne e-posten.')],
  });
}
