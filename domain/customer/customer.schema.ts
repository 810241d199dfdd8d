import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import { notShortened } from '../api/list-import.ts';
import { rule } from '../api/rules.ts';
import {
  basedOnVersion,
  needs,
  optional,
  optionalOr,
  urlNumber,
  version,
  wholeNumber,
} from '../api/validation.ts';
import { country, HOME_COUNTRY } from '../country.ts';
import { deliveryType } from '../delivery/delivery.schema.ts';
import { ORG_NUMBER_LENGTH, vatNumber } from '../parties.ts';
import { buyerReference, dueDays } from '../terms.ts';
import {
  boundedText,
  exactText,
  NAME_LENGTH,
  optionalText,
  requiredEmail,
  requiredText,
  searchQueryText,
  tidyOrgNumber,
  tidyPhoneNumber,
} from '../text.ts';

export const CUSTOMER_NUMBER_MAX = 9_999_999;
const PHONE_NUMBER_LENGTH = 8;
const SEARCH_SIZE = 10;
const SEARCH_SIZE_MAX = 100;

/** A customer number as the owner knows it: unique in the company, printed on invoices. */
export const customerNumber = wholeNumber().check(z.positive(), z.maximum(CUSTOMER_NUMBER_MAX));

/** Addresses that one invoice is mailed to (CUS-12). */
const INVOICE_EMAILS_MAX = 5;

const invoiceEmails = described(
  optional(z.array(requiredEmail()).check(z.maxLength(INVOICE_EMAILS_MAX))),
  'Where invoices are mailed: the first is To, others are Cc. None: email',
);

/** The fields of a customer in a form, each by itself. */
export const customerFields = z.object({
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
  country: optionalOr(country, HOME_COUNTRY),
  contactName: optionalText(),
  invoiceEmails: z.pipe(invoiceEmails, z.transform(distinct)),
  reference: optional(buyerReference),
  dueDays: optional(dueDays),
  deliveryType: optional(deliveryType),
  isPrivate: optionalOr(z.boolean(), false),
  /** With the feature `vat`; ignored while it is off. */
  vatNumber: optional(vatNumber),
  /** With the feature `einvoice`; ignored while it is off. Absent: as it is, of a new customer true. */
  ehfFirst: optional(z.boolean()),
});

/** The fields of a row of an import: an empty one keeps what is stored. */
export const importedFields = z.extend(customerFields, {
  name: optionalText(),
  country: optional(country),
  invoiceEmails: z.pipe(
    invoiceEmails,
    z.transform((emails) => (emails?.length ? distinct(emails) : null)),
  ),
  reference: optional(buyerReference.check(notShortened)),
  isPrivate: optional(z.boolean()),
});

function distinct(emails: string[] | null): string[] {
  return [...new Set(emails)];
}

/** A private person has no organisation number, and so gets no EHF (CUS-15). */
export function withPrivatePerson<Form extends z.ZodMiniType>(form: Form): Form {
  return form.check(
    z.refine((customer) => !isPrivateWith(customer, 'orgNumber'), {
      ...rule('{0} is not for a private person'),
      path: ['orgNumber'],
      when: needs('isPrivate', 'orgNumber'),
    }),
    z.refine((customer) => !isPrivateWith(customer, 'deliveryType', 'EHF'), {
      ...rule('{0} cannot be EHF for a private person'),
      path: ['deliveryType'],
      when: needs('isPrivate', 'deliveryType'),
    }),
  );
}

function isPrivateWith(customer: unknown, field: string, value?: string): boolean {
  const { isPrivate, [field]: given } = (customer ?? {}) as Readonly<Record<string, unknown>>;
  return isPrivate === true && (value === undefined ? Boolean(given) : given === value);
}

/** Input for a new customer. */
export const customerForm = withPrivatePerson(customerFields);

/** Input for an existing customer. */
export const customerUpdate = withPrivatePerson(
  z.extend(customerFields, { version: basedOnVersion }),
);

export const customer = described(
  z.object({
    customerNumber: z.int(),
    name: z.string(),
    email: z.nullable(z.string()),
    orgNumber: z.nullable(z.string()),
    phoneNumber: z.nullable(z.string()),
    address1: z.nullable(z.string()),
    address2: z.nullable(z.string()),
    postalCode: z.nullable(z.string()),
    city: z.nullable(z.string()),
    country: described(z.string(), 'A code of ISO 3166-1 alpha-2'),
    contactName: described(z.nullable(z.string()), "Printed as 'Att.'"),
    invoiceEmails: described(
      z.array(z.string()),
      'Where invoices are mailed: the first is To, others are Cc',
    ),
    reference: described(z.nullable(z.string()), "Proposed as an invoice's reference"),
    dueDays: described(z.nullable(z.int()), 'Of an invoice to it alone'),
    deliveryType: described(z.nullable(deliveryType), 'Of an invoice to it alone'),
    isPrivate: z.boolean(),
    vatNumber: described(z.nullish(z.string()), 'With the feature vat'),
    ehfFirst: described(
      z.optional(z.boolean()),
      'Whether it is sent EHF where it receives it and the company sends EHF first; with the feature einvoice',
    ),
    version,
    credit: described(
      z.optional(z.number()),
      'Kroner that were paid and are on no invoice: absent where payments are not turned on',
    ),
  }),
  { id: 'Customer' },
);

/** A customer number in a path; an impossible number gives 404. */
export const customerParams = z.object({
  customerNumber: urlNumber(CUSTOMER_NUMBER_MAX),
});

/** Query of the searches in customers and groups. An empty query finds everything, up to `size`. */
export const searchQuery = z.object({
  query: searchQueryText(),
  size: z._default(urlNumber(SEARCH_SIZE_MAX), SEARCH_SIZE),
});

export type Customer = z.infer<typeof customer>;
export type CustomerForm = z.output<typeof customerForm>;
export type CustomerUpdate = z.output<typeof customerUpdate>;

/** GRP-1. */
export const GROUP_SIZE_MAX = 100_000;
/** Members shown for each group of a list (GRP-3). */
export const LISTED_MEMBERS_MAX = 100;

/** Input for a new group: a name and the numbers of its customers. */
export const customerGroupForm = z.object({
  groupName: requiredText(),
  customers: z.array(customerNumber).check(z.maxLength(GROUP_SIZE_MAX)),
});

/** Input for an existing group. */
export const customerGroupUpdate = z.extend(customerGroupForm, { version: basedOnVersion });

export const customerGroup = described(
  z.object({
    uuid: z.uuid(),
    groupName: z.string(),
    customerCount: described(z.int(), 'How many customers are in the group'),
    customers: described(
      z.array(customer),
      'By number; in a list of groups at most the first 100 of each',
    ),
    version,
  }),
  { id: 'CustomerGroup' },
);

export const customerGroupParams = z.object({ groupUuid: z.uuid() });

export type CustomerGroup = z.infer<typeof customerGroup>;
export type CustomerGroupForm = z.output<typeof customerGroupForm>;
export type CustomerGroupUpdate = z.output<typeof customerGroupUpdate>;
