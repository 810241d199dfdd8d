import { wholeNumber } from './api/validation.ts';
import { optionalText } from './text.ts';

// Terms that an invoice has, and that a customer may have for its invoices.

export const DEFAULT_DUE_DAYS = 14;
/** A century: long enough for any agreement, and every due date is a valid date. */
export const DUE_DAYS_MAX = 36_500;

/** Days from the issue date to the due date. */
export const dueDays = wholeNumber().positive().max(DUE_DAYS_MAX);

const REFERENCE_LENGTH = 100;

/** The buyer's reference (EN 16931, BT-10). */
export const buyerReference = optionalText(REFERENCE_LENGTH);
