/** An address of a mailed statement. QUEUED: not tried yet, or refused for the moment and tried again. */
export interface StatementRecipient {
  readonly address: string;
  readonly status: 'QUEUED' | 'SENT' | 'FAILED';
  /** In Norwegian; null unless FAILED. */
  readonly reason: string | null;
}

/** SENT when one of the addresses got it, FAILED when none will (PORT-39). */
export function deliveryStatus(
  recipients: readonly StatementRecipient[],
): StatementRecipient['status'] {
  const has = (wanted: StatementRecipient['status']) =>
    recipients.some(({ status }) => status === wanted);
  if (has('SENT')) return 'SENT';
  return has('QUEUED') ? 'QUEUED' : 'FAILED';
}

/** The first reason of a delivery that failed; null of others. */
export function failureReason(recipients: readonly StatementRecipient[]): string | null {
  if (deliveryStatus(recipients) !== 'FAILED') return null;
  return recipients.find(({ reason }) => reason !== null)?.reason ?? null;
}
