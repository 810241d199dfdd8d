import { z } from 'zod';

import { rowFault } from '../api/error.ts';
import { importedFields, withPrivatePerson } from './customer.schema.ts';
import { optional, optionalOr } from '../api/validation.ts';
import { optionalText } from '../text.ts';

/** IMP-1. */
export const IMPORT_ROWS_MAX = 10_000;
/** Allows rows three times as long as usual. */
export const IMPORT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * A row of the file. The name is required only for a new customer: an empty field of an existing customer keeps its
 * value.
 */
export const importedCustomer = withPrivatePerson(importedFields);

/** Marks with which spreadsheets store digits as text. */
const TEXT_MARKS = /^="(.*)"$|^['\u2019](?=[\d\s+().-]+$)(.*)$/;

/** The value meant by a cell: '="0150"' and "'0150" mean 0150, and '150.0' means the whole number 150. */
export function cellText(cell: string): string {
  const [, formula, marked] = TEXT_MARKS.exec(cell.trim()) ?? [];
  return (formula ?? marked ?? cell).trim().replace(/^(\d+)[.,]00?$/, '$1');
}

/** Fields that a row can have, in the order of the customer form. */
export const IMPORTED_FIELDS = importedFields.keyof().options;

/** Customers to add or to save, and the group that they go into, if any. */
export const customerImport = z.object({
  rows: z
    .array(
      z
        .record(z.string(), z.unknown())
        .meta({ description: 'A customer, as createCustomer takes it. Each is judged by itself' }),
    )
    .min(1)
    .max(IMPORT_ROWS_MAX)
    .meta({
      description:
        'A row is a known customer by its customer_number; without one by an org_number, else by an e-mail ' +
        'address, that only one customer has. What is empty leaves what is known of a customer as it is',
    }),
  updateKnown: optionalOr(z.boolean(), true).meta({
    description:
      'Whether known customers are saved over, as they are unless stated; otherwise they only go into the group',
  }),
  groupUuid: optional(z.uuid()).meta({ description: 'The group that all of them are put into' }),
  groupName: optionalText().meta({
    description: 'The name of a new group that all of them are put into, instead of group_uuid',
  }),
});

export const customerImportResult = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  faults: z
    .array(rowFault)
    .meta({ description: 'By row; empty in the answer to an import that was done' }),
  known: z
    .array(
      z.object({
        row: z.number().int().positive(),
        customerNumber: z.number().int(),
        name: z.string().meta({ description: 'As it was before' }),
        changes: z.array(z.string()).meta({ description: 'The fields that the row changes' }),
      }),
    )
    .meta({ description: 'The rows whose customer is known' }),
  groupUuid: z.uuid().nullable(),
});

export type ImportedCustomer = z.output<typeof importedCustomer>;
export type CustomerImport = z.output<typeof customerImport>;
export type CustomerImportResult = z.infer<typeof customerImportResult>;
