import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { pageNumber } from '../api/pages.ts';
import { CUSTOMER_NUMBER_MAX } from '../customer/customer.schema.ts';
import { dateText } from '../date.ts';
import { VERDICTS } from '../einvoice/einvoice-duty.ts';
import { searchQueryText } from '../text.ts';
import { rule } from '../api/rules.ts';
import { urlNumber } from '../api/validation.ts';
import { queueableDrafts } from './invoice-bulk.schema.ts';
import { COUNTED_MAX, invoice } from './invoice.schema.ts';
import { INVOICE_STATUSES } from './invoice.status.ts';

/** Counts over all invoices of the company; pages and filters do not matter. */
const invoiceSummary = described(
  z.object({
    drafts: z.int(),
    registered: z.int(),
    sent: z.int(),
    sentFrom: described(z.nullable(z.iso.date()), 'Earliest issue date among the sent'),
    sentTo: described(z.nullable(z.iso.date()), 'Latest issue date among the sent'),
    outstanding: described(z.int(), 'Registered invoices that are not paid'),
    outstandingAmount: described(z.number(), 'Kroner due of them'),
    overdue: described(z.int(), 'Those of them that were due before today, in Oslo'),
    overdueAmount: described(z.number(), 'Kroner due of those'),
    failed: described(z.int(), 'How many the filter FAILED finds'),
    queueable: described(
      z.nullable(queueableDrafts),
      'What registering every draft would do now; drafts that it would skip are not among ' +
        `them. null with more than ${COUNTED_MAX} drafts`,
    ),
  }),
  { id: 'InvoiceSummary' },
);

/** Lets a reader of several pages notice that invoices have moved between them. */
export const preceding = described(
  z.nullable(z.uuid()),
  'The last of the page before, as it is now: another than was read there, and the list has changed',
);

export const invoicePage = described(
  z.object({
    count: described(z.int(), 'Of a search and of FAILED, at most 10000'),
    next: described(z.nullable(z.string()), 'Path of the next page'),
    previous: described(z.nullable(z.string()), 'Path of the page before'),
    preceding,
    results: z.array(invoice),
    summary: invoiceSummary,
  }),
  { id: 'InvoicePage' },
);

/** Filters of a list: a status, or a condition that no single status expresses. */
export const LISTED_STATUSES = [...INVOICE_STATUSES, 'OUTSTANDING', 'OVERDUE', 'FAILED'] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** Whether the list is of what is owed. Without a sort key it begins with the earliest due date, others with the newest. */
export function listsOwed(status: ListedStatus | undefined): boolean {
  return status === 'OUTSTANDING' || status === 'OVERDUE';
}

const SORT_KEYS = ['number', 'customer', 'issue_date', 'due_date', 'amount'] as const;
export type InvoiceSortKey = (typeof SORT_KEYS)[number];
export type InvoiceSort = InvoiceSortKey | `-${InvoiceSortKey}`;
/** Sort keys of a list, named as in the API. */
export const INVOICE_SORTS: readonly InvoiceSort[] = [
  ...SORT_KEYS,
  ...SORT_KEYS.map((key) => `-${key}` as const),
];

const day = z.optional(dateText());

export const invoiceListQuery = z.object({
  page: pageNumber,
  status: described(
    z.optional(z.enum(LISTED_STATUSES)),
    'OUTSTANDING: registered invoices that are not paid; OVERDUE: those of them that were due ' +
      'before today, in Oslo. Both begin with the earliest due date. FAILED: what is registered and ' +
      'not paid, or a credit note, and was last sent in vain, to all or one of its addresses',
  ),
  sort: described(
    z.optional(z.enum(INVOICE_SORTS)),
    'What is listed first has the lowest; with - before it, the highest. amount: kroner with VAT. ' +
      'Of the same, and by number, drafts come after what has a number (before it, with -)',
  ),
  customerNumber: z.optional(urlNumber(CUSTOMER_NUMBER_MAX)),
  amountDue: described(
    z.optional(
      z.pipe(
        z
          .string()
          .check(z.regex(/^\d{1,12}(\.\d{1,2})?$/, rule('{0} must be an amount in kroner'))),
        z.transform(Number),
      ),
    ),
    'Kroner: registered invoices of which just so much is due',
  ),
  from: described(day, 'Documents with a number, issued on this day or later'),
  to: described(day, 'Documents with a number, issued on this day or earlier'),
  dueFrom: described(day, 'Due on this day or later'),
  dueTo: described(day, 'Due on this day or earlier'),
  einvoice: described(
    z.optional(z.string().check(z.normalize())),
    `Documents of which an e-invoice was asked for, with one of these verdicts, with commas between them: ${VERDICTS.join(', ')}. With the feature einvoice`,
  ),
  query: described(
    searchQueryText(),
    'Words of buyer, reference or a line, or a number, KID or organisation number, or a sum in kroner: ' +
      "'18 925,00'. '#5' and 'faktura 5' are number 5 alone",
  ),
});

export type InvoicePage = z.infer<typeof invoicePage>;
export type InvoiceListQuery = z.output<typeof invoiceListQuery>;
