import { z } from 'zod';

import { wholeNumber } from '../api/validation.ts';
import { ORG_NUMBER_LENGTH } from '../org-number.ts';
import { optional } from '../optional.ts';
import {
  boundedText,
  exactText,
  NAME_LENGTH,
  optionalText,
  requiredEmail,
  requiredText,
  searchQueryText,
} from '../text.ts';
import { tidyOrgNumber, tidyPhoneNumber } from '../typed-digits.ts';
import { urlNumber } from '../url-number.ts';
import { basedOnVersion, version } from '../version.ts';

export const CUSTOMER_NUMBER_MAX = 9_999_999;
const PHONE_NUMBER_LENGTH = 8;
const SEARCH_SIZE = 10;
const SEARCH_SIZE_MAX = 100;

/** A customer number as the owner knows it: unique in the company, printed on invoices. */
export const customerNumber = wholeNumber().positive().max(CUSTOMER_NUMBER_MAX);

/** Input for a new customer. */
export const customerForm = z.object({
  /** Sent only when the owner chooses the number; otherwise the next free number is used (CUS-3). */
  customerNumber: optional(customerNumber),
  name: requiredText(),
  email: optional(requiredEmail()),
  orgNumber: optional(exactText(ORG_NUMBER_LENGTH, tidyOrgNumber)),
  phoneNumber: optional(exactText(PHONE_NUMBER_LENGTH, tidyPhoneNumber)),
  address1: optionalText(),
  address2: optionalText(),
  postalCode: optional(boundedText(1, NAME_LENGTH)),
  city: optionalText(),
});

/** Input for an existing customer. */
export const customerUpdate = customerForm.extend({ version: basedOnVersion });

export const customer = z
  .object({
    customerNumber: z.number().int(),
    name: z.string(),
    email: z.string().nullable(),
    orgNumber: z.string().nullable(),
    phoneNumber: z.string().nullable(),
    address1: z.string().nullable(),
    address2: z.string().nullable(),
    postalCode: z.string().nullable(),
    city: z.string().nullable(),
    version,
    credit: z.number().optional().meta({
      description:
        'Kroner that were paid and are on no invoice: absent where payments are not turned on',
    }),
  })
  .meta({ id: 'Customer' });

/** A customer number in a path; an impossible number gives 404. */
export const customerParams = z.object({
  customerNumber: urlNumber(CUSTOMER_NUMBER_MAX),
});

/** Query of the searches in customers and groups. An empty query finds everything, up to `size`. */
export const searchQuery = z.object({
  query: searchQueryText(),
  size: urlNumber(SEARCH_SIZE_MAX).default(SEARCH_SIZE),
});

export type Customer = z.infer<typeof customer>;
export type CustomerForm = z.output<typeof customerForm>;
export type CustomerUpdate = z.output<typeof customerUpdate>;
