import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import type { Feature } from '../api/endpoint.ts';
import { notShortened } from '../api/list-import.ts';
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
  number: described(
    optional(productNumber),
    'A new product without one gets the number after the highest; a product keeps its own',
  ),
  name: requiredText(),
  description: described(optional(descriptionText()), 'Of a line; the name when null'),
  unit: unitOfForm,
  netPrice: described(kronerAmount(), 'Kroner without VAT'),
  vatTreatment: described(optional(vatTreatment), "The company's default when absent"),
  active: optionalOr(z.boolean(), true),
});

/** The fields of a row of an import: an empty one keeps what is stored. */
export const importedFields = z.extend(productFields, {
  number: optional(productNumber.check(notShortened)),
  name: optionalText(),
  unit: optional(unit),
  netPrice: optional(kronerAmount()),
  grossPrice: described(
    optional(kronerAmount()),
    'Kroner with VAT in place of net_price: reckoned back by the treatment of the row, else of the known product',
  ),
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
  return z.omit(fields as typeof productFields, off) as Fields;
}

/** Input for a new product. */
export function productForm(features: ReadonlySet<Feature>) {
  return withoutOff(productFields, features);
}

/** Input for an existing product. */
export function productUpdate(features: ReadonlySet<Feature>) {
  return z.extend(productForm(features), { version: basedOnVersion });
}

export const product = described(
  z.object({
    number: z.string(),
    name: z.string(),
    description: z.nullable(z.string()),
    unit: described(z.optional(z.string()), 'With the feature units'),
    netPrice: described(z.number(), 'Kroner without VAT'),
    vatTreatment: described(z.optional(vatTreatment), 'With the feature vat'),
    active: described(z.boolean(), 'Whether it is proposed in lines'),
    version,
  }),
  { id: 'Product' },
);

export const productPage = described(
  z.object({
    count: z.int(),
    next: described(z.nullable(z.string()), 'Path of the next page'),
    previous: described(z.nullable(z.string()), 'Path of the page before'),
    results: z.array(product),
  }),
  { id: 'ProductPage' },
);

export const productListQuery = z.object({
  page: pageNumber,
  query: searchQueryText(),
  size: described(z._default(urlNumber(LIST_SIZE_MAX), PAGE_SIZE), 'Products on a page'),
  active: z.optional(urlBoolean),
});

/** A product number in a path; an impossible one gives 404. */
export const productParams = z.object({ number: productNumber });

export type Product = z.infer<typeof product>;
export type ProductPage = z.infer<typeof productPage>;
export type ProductListQuery = z.output<typeof productListQuery>;
export type ProductForm = z.output<ReturnType<typeof productForm>>;
export type ProductUpdate = z.output<ReturnType<typeof productUpdate>>;
