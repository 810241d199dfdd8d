import { z } from 'zod';

import { pageNumber } from '../api/pages.ts';
import { CUSTOMER_NUMBER_MAX } from '../customer/customer.schema.ts';
import { dateText } from '../date.ts';
import { searchQueryText } from '../text.ts';
import { rule } from '../api/rules.ts';
import { urlNumber } from '../api/validation.ts';
import { COUNTED_MAX, invoice } from './invoice.schema.ts';
import { INVOICE_STATUSES } from './invoice.status.ts';

/** Counts over all invoices of the company; pages and filters do not matter. */
const invoiceSummary = z
  .object({
    drafts: z.number().int(),
    registered: z.number().int(),
    sent: z.number().int(),
    sentFrom: z.iso.date().nullable().meta({ description: 'Earliest issue date among the sent' }),
    sentTo: z.iso.date().nullable().meta({ description: 'Latest issue date among the sent' }),
    outstanding: z.number().int().meta({ description: 'Registered invoices that are not paid' }),
    outstandingAmount: z.number().meta({ description: 'Kroner due of them' }),
    overdue: z
      .number()
      .int()
      .meta({ description: 'Those of them that were due before today, in Oslo' }),
    overdueAmount: z.number().meta({ description: 'Kroner due of those' }),
    queueable: z
      .object({
        drafts: z.number().int(),
        emails: z.number().int().meta({ description: 'How many of them would be mailed' }),
        grossAmount: z.number().meta({ description: 'Kroner with VAT' }),
      })
      .nullable()
      .meta({
        description:
          'What registering every draft would do now; drafts that it would skip are not among ' +
          `them. null with more than ${COUNTED_MAX} drafts`,
      }),
    unprintable: z.array(z.string()).meta({
      description:
        'Characters in the texts of drafts that documents cannot show, each once; empty with more ' +
        `than ${COUNTED_MAX} drafts`,
    }),
  })
  .meta({ id: 'InvoiceSummary' });

/** Lets a reader of several pages notice that invoices have moved between them. */
export const preceding = z.uuid().nullable().meta({
  description:
    'The last of the page before, as it is now: another than was read there, and the list has changed',
});

export const invoicePage = z
  .object({
    count: z.number().int().meta({ description: 'Of a search and of FAILED, at most 10000' }),
    next: z.string().nullable().meta({ description: 'Path of the next page' }),
    previous: z.string().nullable().meta({ description: 'Path of the page before' }),
    preceding,
    results: z.array(invoice),
    summary: invoiceSummary,
  })
  .meta({ id: 'InvoicePage' });

/** Filters of a list: a status, or a condition that no single status expresses. */
export const LISTED_STATUSES = [...INVOICE_STATUSES, 'OUTSTANDING', 'OVERDUE', 'FAILED'] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

const SORT_KEYS = ['number', 'customer', 'issue_date', 'due_date', 'amount'] as const;
export type InvoiceSortKey = (typeof SORT_KEYS)[number];
export type InvoiceSort = InvoiceSortKey | `-${InvoiceSortKey}`;
/** Sort keys of a list, named as in the API. */
export const INVOICE_SORTS: readonly InvoiceSort[] = [
  ...SORT_KEYS,
  ...SORT_KEYS.map((key) => `-${key}` as const),
];

const day = dateText().optional();

export const invoiceListQuery = z.object({
  page: pageNumber,
  status: z
    .enum(LISTED_STATUSES)
    .optional()
    .meta({
      description:
        'OUTSTANDING: registered invoices that are not paid; OVERDUE: those of them that were due ' +
        'before today, in Oslo. Both have what is due last first. FAILED: what is registered and not ' +
        'paid, or a credit note, and was last sent in vain',
    }),
  sort: z
    .enum(INVOICE_SORTS)
    .optional()
    .meta({
      description:
        'What is listed first has the lowest; with - before it, the highest. amount: kroner with VAT. ' +
        'Of the same, and by number, drafts come after what has a number (before it, with -)',
    }),
  customerNumber: urlNumber(CUSTOMER_NUMBER_MAX).optional(),
  amountDue: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,2})?$/, rule('{0} must be an amount in kroner'))
    .transform(Number)
    .optional()
    .meta({ description: 'Kroner: registered invoices of which just so much is due' }),
  from: day.meta({ description: 'Documents with a number, issued on this day or later' }),
  to: day.meta({ description: 'Documents with a number, issued on this day or earlier' }),
  dueFrom: day.meta({ description: 'Due on this day or later' }),
  dueTo: day.meta({ description: 'Due on this day or earlier' }),
  query: searchQueryText(),
});

export type InvoicePage = z.infer<typeof invoicePage>;
export type InvoiceListQuery = z.output<typeof invoiceListQuery>;
