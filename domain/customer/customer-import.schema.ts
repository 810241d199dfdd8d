import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import type { Feature } from '../api/endpoint.ts';
import { importedRows, importResult, updateKnown } from '../api/list-import.ts';
import { optional } from '../api/validation.ts';
import { optionalText } from '../text.ts';
import { importedFields, withPrivatePerson } from './customer.schema.ts';

/**
 * A row of the file, with the fields of the features that are on. The name is required only for a new customer: an empty field of an existing customer keeps its
 * value.
 */
export function importedCustomer(features: ReadonlySet<Feature>) {
  const { vatNumber, ehfFirst, ...others } = importedFields.shape;
  const fields = {
    ...others,
    ...(features.has('vat') && { vatNumber }),
    ...(features.has('einvoice') && { ehfFirst }),
  };
  // Rows have one type, whatever is on.
  return withPrivatePerson(z.object(fields) as typeof importedFields);
}

/** Fields that a row can have, in the order of the customer form. */
export const IMPORTED_FIELDS = z.keyof(importedFields).options;

/** Customers to add or to save, and the group that they go into, if any. */
export const customerImport = z.object({
  rows: importedRows({
    row: 'A customer, as createCustomer takes it',
    all:
      'A row is a known customer by its customer_number; without one by an org_number, else by an e-mail ' +
      'address, that only one customer has. What is empty leaves what is known of a customer as it is',
  }),
  updateKnown: described(
    updateKnown,
    'Whether known customers are saved over, as they are unless stated; otherwise they only go into the group',
  ),
  groupUuid: described(optional(z.uuid()), 'The group that all of them are put into'),
  groupName: described(
    optionalText(),
    'The name of a new group that all of them are put into, instead of group_uuid',
  ),
});

export const customerImportResult = z.object({
  ...importResult('The rows whose customer is known', { customerNumber: z.int() }),
  groupUuid: z.nullable(z.uuid()),
});

export type ImportedCustomer = z.output<typeof importedFields>;
export type CustomerImport = z.output<typeof customerImport>;
export type CustomerImportResult = z.infer<typeof customerImportResult>;
