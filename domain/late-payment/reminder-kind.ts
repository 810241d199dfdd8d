/**
 * REMINDER (betalingspåminnelse) claims only the amount due and its interest. NOTICE (purring) may claim a fee.
 * DEBT_COLLECTION_NOTICE (inkassovarsel) also warns of debt collection.
 */
export const REMINDER_KINDS = ['REMINDER', 'NOTICE', 'DEBT_COLLECTION_NOTICE'] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];
