import { z } from 'zod';

import { pageNumber } from '../api/pages.ts';
import { suggestion } from '../payment/payment.schema.ts';
import { requiredText } from '../text.ts';

/** Largest file accepted (bytes). */
export const BANK_FILE_BYTES_MAX = 50_000_000;
/** Entries on a page of a file. */
export const ENTRIES_PER_PAGE = 20;

/** Recognised by content, not by the file's name. */
const BANK_FILE_FORMATS = ['OCR', 'CAMT054', 'CAMT053'] as const;
export type BankFileFormat = (typeof BANK_FILE_FORMATS)[number];

const BANK_FILE_STATES = ['PREVIEW', 'BOOKING', 'BOOKED', 'UNDOING', 'UNDONE'] as const;

/**
 * The outcome of an entry, as matched or as booked. EXACT, PART and OVER go to the invoice that their KID names, OVER
 * up to the amount due. SETTLED has the KID of an invoice that is paid, credited or cancelled. A person allocates the
 * rest of OVER and all other outcomes except KNOWN.
 */
const ENTRY_OUTCOMES = [
  'EXACT',
  'PART',
  'OVER',
  'SETTLED',
  'SUGGESTED',
  'UNPLACED',
  'POSSIBLE_COPY',
  'KNOWN',
  'REVERSAL',
] as const;
export type EntryOutcome = (typeof ENTRY_OUTCOMES)[number];

const bankEntry = z
  .object({
    uuid: z.uuid(),
    date: z.iso.date().meta({ description: 'When the bank booked it' }),
    amount: z.number().meta({ description: 'Kroner; negative takes back' }),
    account: z.string().meta({ description: "The company's own, 11 digits" }),
    kid: z.string().nullable(),
    kidIsWrong: z.boolean().meta({
      description:
        'The KID is of no invoice that was paid to this account, and does not end in its check digit by ' +
        'the agreement with the bank (MOD10 without one): somebody has mistyped it',
    }),
    text: z.string().nullable(),
    payer: z.string().nullable().meta({ description: 'As the bank names him' }),
    outcome: z.enum(ENTRY_OUTCOMES),
    invoiceNumber: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Of the one invoice that it goes to, or was for' }),
    placements: z
      .array(
        z.object({
          uuid: z.uuid(),
          invoiceNumber: z.number().int(),
          amount: z.number().meta({ description: 'Kroner' }),
        }),
      )
      .meta({ description: 'What goes to which invoice; several when it has several KIDs' }),
    suggestion: suggestion.nullable(),
  })
  .meta({ id: 'BankEntry' });
export type BankEntry = z.infer<typeof bankEntry>;

export const bankFileBrief = z
  .object({
    uuid: z.uuid(),
    name: z.string(),
    format: z.enum(BANK_FILE_FORMATS),
    accounts: z.array(z.string()),
    from: z.iso.date().nullable().meta({ description: 'The earliest date of an entry' }),
    to: z.iso.date().nullable().meta({ description: 'The latest date of an entry' }),
    count: z.number().int().meta({ description: 'Entries' }),
    sum: z.number().meta({ description: 'Kroner, reversals deducted' }),
    ignored: z
      .number()
      .int()
      .meta({
        description:
          "What is no customer's payment (fees, what is pending, sums that another file " +
          'specifies, other services), which is not among the entries',
      }),
    state: z.enum(BANK_FILE_STATES),
    progress: z.number().min(0).max(1).nullable().meta({
      description:
        'How much of it is done while a job is at it (BOOKING, UNDOING), from 0 to 1; null otherwise',
    }),
    bookedCount: z.number().int().meta({ description: 'Entries that are booked' }),
    outcomes: z.array(
      z.object({
        outcome: z.enum(ENTRY_OUTCOMES),
        count: z.number().int(),
        sum: z.number().meta({ description: 'Kroner' }),
      }),
    ),
    createdAt: z.iso.datetime(),
    bookedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BankFileBrief' });

export type BankFileBrief = z.infer<typeof bankFileBrief>;

export const bankFile = bankFileBrief
  .extend({ entries: z.array(bankEntry) })
  .meta({ id: 'BankFile' });
export type BankFile = z.infer<typeof bankFile>;

export const bankEntryPage = z
  .object({
    count: z.number().int(),
    next: z.string().nullable().meta({ description: 'Path of the next page' }),
    previous: z.string().nullable().meta({ description: 'Path of the page before' }),
    results: z.array(bankEntry),
  })
  .meta({ id: 'BankEntryPage' });
export type BankEntryPage = z.infer<typeof bankEntryPage>;

export const openAccounts = z.array(
  z
    .object({
      account: z.string().meta({ description: '11 digits' }),
      openInvoices: z.number().int().meta({ description: 'Invoices of which something is due' }),
    })
    .meta({ id: 'OpenAccount' }),
);

export const bankFileParams = z.object({ fileUuid: z.uuid() });
export const fileQuery = z.object({
  entries: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .meta({ description: 'Whether the entries are answered too; else there are none' }),
});
export type FileQuery = z.output<typeof fileQuery>;
export const uploadQuery = fileQuery.extend({ name: requiredText().default('Bankfil') });
export const entryListQuery = z.object({
  page: pageNumber,
  outcome: z.enum(ENTRY_OUTCOMES).optional(),
});
export type EntryListQuery = z.output<typeof entryListQuery>;
