import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import type { Feature } from '../api/endpoint.ts';
import { importedRows, importResult, updateKnown } from '../api/list-import.ts';
import { importedFields, withoutOff } from './product.schema.ts';

/** A row of the file, with the fields of the features that are on. Only a new product needs name and price. */
export function importedProduct(features: ReadonlySet<Feature>) {
  return withoutOff(importedFields, features);
}

/** Fields of a product that a row can change, in the order of the product form. */
export const IMPORTED_FIELDS = z.keyof(z.omit(importedFields, { grossPrice: true })).options;

/** Products to add or to save. */
export const productImport = z.object({
  rows: importedRows({
    row: 'A product, as createProduct takes it',
    all:
      'A row is a known product by its number. What is empty leaves what is known of a product as it is. A gross_price ' +
      'in place of net_price is in kroner with VAT',
  }),
  updateKnown: described(
    updateKnown,
    'Whether known products are saved over, as they are unless stated',
  ),
});

export const productImportResult = z.object(
  importResult('The rows whose product is known', {
    number: z.string(),
    netPrice: described(z.optional(z.number()), 'Where it is reckoned from gross_price'),
  }),
);

export type ImportedProduct = z.output<ReturnType<typeof importedProduct>>;
export type ProductImport = z.output<typeof productImport>;
export type ProductImportResult = z.infer<typeof productImportResult>;
