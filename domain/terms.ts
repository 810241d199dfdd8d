import { z } from 'zod/mini';

import { described } from './api/described.ts';
import { stated, wholeNumber } from './api/validation.ts';
import { MESSAGE_LENGTH } from './profile/profile.schema.ts';
import { requiredText, statedMultilineText } from './text.ts';

// Terms that an invoice has, and that a customer may have for its invoices.

export const DEFAULT_DUE_DAYS = 14;
/** A century: long enough for any agreement, and every due date is a valid date. */
export const DUE_DAYS_MAX = 36_500;

/** Days from the issue date to the due date. */
export const dueDays = wholeNumber().check(z.positive(), z.maximum(DUE_DAYS_MAX));

const REFERENCE_LENGTH = 100;

/** The buyer's reference (EN 16931, BT-10). */
export const buyerReference = requiredText(REFERENCE_LENGTH);

/** An invoice's: absence means the customer's (CUS-14). */
export const statedReference = described(
  stated(buyerReference),
  "The buyer's. null or '': none; absent: the customer's",
);

/** 'Melding til kunden', line breaks kept. Only this and the reference distinguish absence from null (WIRE-5). */
export const customerMessage = described(
  statedMultilineText(MESSAGE_LENGTH),
  "To the customer, with its line breaks. null or '': none; absent: default_message",
);
