import { readableEmail } from '../email.ts';
import { formatOrgNumber } from '../org-number.ts';
import type { DeliveryType } from './delivery.schema.ts';

/** Whom a delivery goes to, as people read it: an address, or for EHF an organisation number. */
export function recipientText(type: DeliveryType, recipient: string): string {
  return type === 'EHF' ? formatOrgNumber(recipient) : readableEmail(recipient);
}
