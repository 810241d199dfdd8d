import { notifyCompany } from '../account/company-notice.service.ts';
import type { Context } from '../context.ts';
import { handlerOf, type JobHandler } from '../platform/jobs/job.ts';
import { webhookNoticeJob } from '../platform/jobs/jobs.ts';
import { button, facts, type Letter } from '../platform/mail/layout.ts';
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
        const path = '/profile/integrations/';
        const notice = { companyId, to: 'OWNERS', key: messageUuid, path } as const;
        await notifyCompany(context, notice, (url) => letterOf(webhook, url));
      },
      { feature: 'integrations' },
    ),
  ];
}

function letterOf(webhook: WebhookRow, url: string): Letter {
  const reason =
    webhook.disabledReason === 'TOO_MANY'
      ? 'Mer enn 10 000 meldinger ventet på å bli sendt dit.'
      : 'Ingen meldinger har kommet fram på fem dager.';
  return {
    subject: 'En webhook er slått av',
    preheader: reason,
    body: [
      `${reason} Vi sender ikke flere før du slår den på igjen.`,
      facts([
        { label: 'Adresse', value: webhook.url },
        { label: 'Beskrivelse', value: webhook.description ?? '–' },
      ]),
      button('Se integrasjoner', url),
    ],
    footer: ['Alle eiere får denne e-posten.'],
  };
}
