import { reportBounce, reportComplaint } from '../../../../domain/delivery/delivery.endpoints.ts';
import type { Context } from '../../../context.ts';
import type { Answer, Carrier } from '../../carrier.ts';
import { allotToday } from './email-limit.service.ts';
import { messageIdOfDelivery, createNoticeReceiver } from './email-notice.service.ts';
import { invoiceMail } from './invoice.mail.ts';
import { reminderMail } from './reminder.mail.ts';
import { isReminder } from '../../../document/document-file.service.ts';
import { publicRoute } from '../../../platform/http/route.ts';
import { deliverJob } from '../../../platform/jobs/jobs.ts';
import { MailError } from '../../../platform/mail/mail-error.ts';
import type { OutgoingMail } from '../../../platform/mail/outgoing-mail.ts';
import { findSuppressed } from '../../../platform/mail/suppressed-address.ts';

/** Tries, by waits that double from two seconds to an hour: about two days. */
const TRIES = 58;
/** Hourly tries that the mail server refused us at, and not the mail for sure: two weeks to mend it. */
const EXCUSED_TRIES = 14 * 24;

const SUPPRESSED = {
  code: 'address_suppressed',
  reason: 'Adressen har avvist e-post tidligere',
} as const;

/** Mails documents. What is handed over twice carries the same Message-ID. */
export const emailCarrier: Carrier = {
  type: 'EMAIL',
  job: deliverJob,
  isOn: () => true,
  limits: ({ smtpConnections, smtpTimeout }) => ({
    places: smtpConnections,
    timeout: smtpTimeout,
    firstWait: 2,
    longestWait: 3600,
    tries: TRIES,
    excusedTries: EXCUSED_TRIES,
  }),
  addressOf: ({ email }) => email,
  isAddressInDocument: false,
  withoutAddress: 'recipient_without_email',
  keyOf: messageIdOfDelivery,
  async findObstacles(db, deliveries) {
    const suppressed = await findSuppressed(
      db,
      deliveries.map(({ recipient }) => recipient),
    );
    return deliveries.map(({ recipient }) =>
      suppressed.has(recipient.toLowerCase()) ? SUPPRESSED : null,
    );
  },
  allotToday,
  prepare(context, delivery, contents) {
    const mail = isReminder(contents)
      ? reminderMail(context.config, delivery, contents)
      : invoiceMail(context.config, delivery, contents);
    return async () => send(context, mail);
  },
  routes(app, context) {
    const receive = createNoticeReceiver(context);
    for (const endpoint of [reportBounce, reportComplaint]) {
      publicRoute(app, endpoint, async ({ body }) => {
        await receive(body);
        return undefined;
      });
    }
  },
};

async function send({ mailer }: Context, mail: OutgoingMail): Promise<Answer> {
  try {
    return { kind: 'ACCEPTED', reference: (await mailer.send(mail)).serverId };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return { kind: kindOf(error), reason: error.reason, error };
  }
}

function kindOf({ misconfigured, permanent, mayHaveArrived, doubt }: MailError) {
  if (permanent) return 'REFUSED';
  if (mayHaveArrived) return 'UNKNOWN';
  return misconfigured || doubt ? 'BLOCKED' : 'NOT_NOW';
}
