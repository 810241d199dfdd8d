import { z } from 'zod/mini';

import { described } from '../api/described.ts';
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

const bankEntry = described(
  z.object({
    uuid: z.uuid(),
    date: described(z.iso.date(), 'When the bank booked it'),
    amount: described(z.number(), 'Kroner; negative takes back'),
    account: described(z.string(), "The company's own, 11 digits"),
    kid: z.nullable(z.string()),
    kidIsWrong: described(
      z.boolean(),
      'The KID is of no invoice that was paid to this account, and does not end in its check digit by ' +
        'the agreement with the bank (MOD10 without one): somebody has mistyped it',
    ),
    text: z.nullable(z.string()),
    payer: described(z.nullable(z.string()), 'As the bank names him'),
    outcome: z.enum(ENTRY_OUTCOMES),
    invoiceNumber: described(z.nullable(z.int()), 'Of the one invoice that it goes to, or was for'),
    placements: described(
      z.array(
        z.object({
          uuid: z.uuid(),
          invoiceNumber: z.int(),
          amount: described(z.number(), 'Kroner'),
        }),
      ),
      'What goes to which invoice; several when it has several KIDs',
    ),
    suggestion: z.nullable(suggestion),
  }),
  { id: 'BankEntry' },
);
export type BankEntry = z.infer<typeof bankEntry>;

export const bankFileBrief = described(
  z.object({
    uuid: z.uuid(),
    name: z.string(),
    format: z.enum(BANK_FILE_FORMATS),
    accounts: z.array(z.string()),
    from: described(z.nullable(z.iso.date()), 'The earliest date of an entry'),
    to: described(z.nullable(z.iso.date()), 'The latest date of an entry'),
    count: described(z.int(), 'Entries'),
    sum: described(z.number(), 'Kroner, reversals deducted'),
    ignored: described(
      z.int(),
      "What is no customer's payment (fees, what is pending, sums that another file " +
        'specifies, other services), which is not among the entries',
    ),
    state: z.enum(BANK_FILE_STATES),
    progress: described(
      z.nullable(z.number().check(z.minimum(0), z.maximum(1))),
      'How much of it is done while a job is at it (BOOKING, UNDOING), from 0 to 1; null otherwise',
    ),
    bookedCount: described(z.int(), 'Entries that are booked'),
    outcomes: z.array(
      z.object({
        outcome: z.enum(ENTRY_OUTCOMES),
        count: z.int(),
        sum: described(z.number(), 'Kroner'),
      }),
    ),
    createdAt: z.iso.datetime(),
    bookedAt: z.nullable(z.iso.datetime()),
  }),
  { id: 'BankFileBrief' },
);

export type BankFileBrief = z.infer<typeof bankFileBrief>;

export const bankFile = described(
  z.extend(bankFileBrief, {
    toPlace: described(
      z.int(),
      'Booked entries that went to no invoice by themselves, and that are still unplaced',
    ),
    entries: z.array(bankEntry),
  }),
  { id: 'BankFile' },
);
export type BankFile = z.infer<typeof bankFile>;

export const bankEntryPage = described(
  z.object({
    count: z.int(),
    next: described(z.nullable(z.string()), 'Path of the next page'),
    previous: described(z.nullable(z.string()), 'Path of the page before'),
    results: z.array(bankEntry),
  }),
  { id: 'BankEntryPage' },
);
export type BankEntryPage = z.infer<typeof bankEntryPage>;

export const openAccounts = z.array(
  described(
    z.object({
      account: described(z.string(), '11 digits'),
      openInvoices: described(z.int(), 'Invoices of which something is due'),
    }),
    { id: 'OpenAccount' },
  ),
);

export const bankFileParams = z.object({ fileUuid: z.uuid() });
export const fileQuery = z.object({
  entries: described(
    z.pipe(
      z._default(z.enum(['true', 'false']), 'true'),
      z.transform((text) => text === 'true'),
    ),
    'Whether the entries are answered too; else there are none',
  ),
});
export type FileQuery = z.output<typeof fileQuery>;
export const uploadQuery = z.extend(fileQuery, { name: z._default(requiredText(), 'Bankfil') });
export const entryListQuery = z.object({
  page: pageNumber,
  outcome: z.optional(z.enum(ENTRY_OUTCOMES)),
});
export type EntryListQuery = z.output<typeof entryListQuery>;
