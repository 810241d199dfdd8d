/** An address of a mail with a document that belongs to no invoice. QUEUED: not tried yet, or refused for the moment and tried again. */
export interface MailRecipient {
  readonly address: string;
  readonly status: 'QUEUED' | 'SENT' | 'FAILED';
  /** In Norwegian; null unless FAILED. */
  readonly reason: string | null;
}

/** SENT when one of the addresses got it, FAILED when none will (PORT-39). */
export function deliveryStatus(recipients: readonly MailRecipient[]): MailRecipient['status'] {
  const has = (wanted: MailRecipient['status']) =>
    recipients.some(({ status }) => status === wanted);
  if (has('SENT')) return 'SENT';
  return has('QUEUED') ? 'QUEUED' : 'FAILED';
}

/** The first reason of a delivery that failed; null of others. */
export function failureReason(recipients: readonly MailRecipient[]): string | null {
  if (deliveryStatus(recipients) !== 'FAILED') return null;
  return recipients.find(({ reason }) => reason !== null)?.reason ?? null;
}

/** Such a mail as the API shows it. `recipient` is its first address. */
export function presentMail(mail: {
  readonly uuid: string;
  readonly recipients: readonly MailRecipient[];
  readonly sentAt: Date | null;
}) {
  const recipients = mail.recipients.map(({ address, status, reason }) => ({
    address,
    status,
    reason,
  }));
  return {
    uuid: mail.uuid,
    recipient: recipients[0]?.address ?? '',
    recipients,
    status: deliveryStatus(recipients),
    sentTime: mail.sentAt?.toISOString() ?? null,
    failureReason: failureReason(recipients),
  };
}
