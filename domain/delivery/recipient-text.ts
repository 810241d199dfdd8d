import { readableEmail } from '../email.ts';
import { formatOrgNumber } from '../org-number.ts';
import type { DeliveryType } from './delivery.schema.ts';

/** The recipient of a delivery for people: an e-mail address, or an organisation number for EHF. */
export function recipientText(type: DeliveryType, recipient: string): string {
  return type === 'EHF' ? formatOrgNumber(recipient) : readableEmail(recipient);
}
