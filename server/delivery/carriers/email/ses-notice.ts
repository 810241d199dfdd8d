import { z } from 'zod';
import { asciiEmail } from '../../../../domain/email.ts';
import { explainStatus } from '../../../platform/mail/mail-error.ts';

/** A bounce or a complaint. */
export interface SesNotice {
  readonly kind: 'bounce' | 'complaint';
  /** Whether the address must get no more mail. */
  readonly permanent: boolean;
  readonly recipients: readonly NoticedRecipient[];
  /** Amazon's own name for the mail: what its SMTP server answered when it took it. */
  readonly serverId: string;
  /** Our Message-ID with angle brackets, when the notice carries the mail's headers. */
  readonly messageId: string | null;
}

interface NoticedRecipient {
  /** In lower case, its domain in ASCII. */
  readonly address: string;
  /** Why, in Norwegian, for the screen. */
  readonly reason: string;
}

const mail = z.object({
  messageId: z.string().min(1),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  commonHeaders: z.object({ messageId: z.string().optional() }).optional(),
});

const bounce = z.object({
  bounceType: z.string(),
  bounceSubType: z.string().nullish(),
  bouncedRecipients: z.array(
    z.object({
      emailAddress: z.string(),
      // From the report attached by the mail server, if there is one.
      action: z.string().nullish(),
      status: z.string().nullish(),
    }),
  ),
});

const bounceNotice = z.object({ mail, bounce });

const complaintNotice = z.object({
  mail,
  complaint: z.object({
    complainedRecipients: z.array(z.object({ emailAddress: z.string() })),
    complaintFeedbackType: z.string().nullish(),
  }),
});

/**
 * Reads a notice of Amazon SES ("Amazon SNS notification contents for Amazon SES"); null when it is neither a bounce nor
 * a complaint, such as a delivery or an automatic answer.
 *
 * @param message the Message of a verified SNS notification
 */
export function readSesNotice(message: string): SesNotice | null {
  const content = parseJson(message);
  // Feedback notifications name their type one way, published events the other.
  switch (content['notificationType'] ?? content['eventType']) {
    case 'Bounce':
      return readBounce(content);
    case 'Complaint':
      return readComplaint(content);
    default:
      return null;
  }
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readBounce(content: unknown): SesNotice | null {
  const { data } = bounceNotice.safeParse(content);
  if (!data || isAutomaticAnswer(data.bounce)) return null;
  return {
    kind: 'bounce',
    permanent: data.bounce.bounceType === 'Permanent',
    recipients: data.bounce.bouncedRecipients.map(({ emailAddress, status }) => ({
      address: bareAddress(emailAddress),
      reason: bounceReason(status ?? ''),
    })),
    ...identify(data.mail),
  };
}

/**
 * Amazon reports "out of office" as a transient general bounce too. Such a mail has arrived, and has no delivery report
 * (RFC 3464), which always has an action and a status.
 */
function isAutomaticAnswer(content: z.output<typeof bounce>): boolean {
  const { bounceType, bounceSubType, bouncedRecipients } = content;
  const isReported = bouncedRecipients.some(({ action, status }) => action || status);
  return bounceType === 'Transient' && bounceSubType === 'General' && !isReported;
}

function readComplaint(content: unknown): SesNotice | null {
  const { data } = complaintNotice.safeParse(content);
  // The recipient took it out of the spam folder.
  if (!data || data.complaint.complaintFeedbackType === 'not-spam') return null;
  return {
    kind: 'complaint',
    permanent: true,
    recipients: data.complaint.complainedRecipients.map(({ emailAddress }) => ({
      address: bareAddress(emailAddress),
      reason: 'Mottakeren har meldt e-posten som søppelpost.',
    })),
    ...identify(data.mail),
  };
}

function bounceReason(status: string): string {
  const isCode = /^[45]\.\d{1,3}\.\d{1,3}$/.test(status);
  const meaning = explainStatus(status) ?? 'E-posten kom i retur fra mottakerens e-posttjener';
  return isCode ? `${meaning} (${status}).` : `${meaning}.`;
}

// SES sends the mail on under a Message-ID of its own. The headers are those that we sent.
function identify({ messageId, headers, commonHeaders }: z.output<typeof mail>) {
  const header = headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value;
  const ours = (header ?? commonHeaders?.messageId ?? '').trim();
  return { serverId: messageId, messageId: /^<[^<>\s]+@[^<>\s]+>$/.test(ours) ? ours : null };
}

function bareAddress(text: string): string {
  return asciiEmail((/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase());
}
