import type { Carrier } from './carrier.ts';
import { ehfCarrier } from './carriers/ehf/ehf.carrier.ts';
import { emailCarrier } from './carriers/email/email.carrier.ts';

/** Every way to bring a document to its recipient: a new one is a line here. */
export const CARRIERS: readonly Carrier[] = [emailCarrier, ehfCarrier];
