import { z } from 'zod';

import type { Feature } from '../api/endpoint.ts';
import { PAGE_SIZE, pageNumber } from '../api/pages.ts';
import {
  basedOnVersion,
  optional,
  optionalOr,
  urlBoolean,
  urlNumber,
  version,
} from '../api/validation.ts';
import { kronerAmount } from '../money.ts';
import { descriptionText, optionalText, requiredText, searchQueryText } from '../text.ts';
import { unit, unitOfForm } from '../unit.ts';
import { vatTreatment } from '../vat-treatment.ts';
import { productNumber } from './product-number.ts';

const LIST_SIZE_MAX = 100;

/** The fields of a product in a form. */
const productFields = z.object({
  number: optional(productNumber).meta({
    description:
      'A new product without one gets the number after the highest; a product keeps its own',
  }),
  name: requiredText(),
  description: optional(descriptionText()).meta({ description: 'Of a line; the name when null' }),
  unit: unitOfForm,
  netPrice: kronerAmount().meta({ description: 'Kroner without VAT' }),
  vatTreatment: optional(vatTreatment).meta({
    description: "The company's default when absent",
  }),
  active: optionalOr(z.boolean(), true),
});

/** The fields of a row of an import: an empty one keeps what is stored. */
export const importedFields = productFields.extend({
  name: optionalText(),
  unit: optional(unit),
  netPrice: optional(kronerAmount()),
  active: optional(z.boolean()),
});

/** The schema without the fields of features that are off (PRD-4). */
export function withoutOff<Fields extends typeof productFields | typeof importedFields>(
  fields: Fields,
  features: ReadonlySet<Feature>,
): Fields {
  const off = {
    ...(!features.has('units') && { unit: true as const }),
    ...(!features.has('vat') && { vatTreatment: true as const }),
  };
  // Forms have one type, whatever is on.
  return (fields as typeof productFields).omit(off) as Fields;
}

/** Input for a new product. */
export function productForm(features: ReadonlySet<Feature>) {
  return withoutOff(productFields, features);
}

/** Input for an existing product. */
export function productUpdate(features: ReadonlySet<Feature>) {
  return productForm(features).extend({ version: basedOnVersion });
}

export const product = z
  .object({
    number: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    unit: z.string().optional().meta({ description: 'With the feature units' }),
    netPrice: z.number().meta({ description: 'Kroner without VAT' }),
    vatTreatment: vatTreatment.optional().meta({ description: 'With the feature vat' }),
    active: z.boolean().meta({ description: 'Whether it is proposed in lines' }),
    version,
  })
  .meta({ id: 'Product' });

export const productPage = z
  .object({
    count: z.number().int(),
    next: z.string().nullable().meta({ description: 'Path of the next page' }),
    previous: z.string().nullable().meta({ description: 'Path of the page before' }),
    results: z.array(product),
  })
  .meta({ id: 'ProductPage' });

export const productListQuery = z.object({
  page: pageNumber,
  query: searchQueryText(),
  size: urlNumber(LIST_SIZE_MAX).default(PAGE_SIZE).meta({ description: 'Products on a page' }),
  active: urlBoolean.optional(),
});

/** A product number in a path; an impossible one gives 404. */
export const productParams = z.object({ number: productNumber });

export type Product = z.infer<typeof product>;
export type ProductPage = z.infer<typeof productPage>;
export type ProductListQuery = z.output<typeof productListQuery>;
export type ProductForm = z.output<ReturnType<typeof productForm>>;
export type ProductUpdate = z.output<ReturnType<typeof productUpdate>>;
