import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import type { Feature } from '../api/endpoint.ts';
import { rule } from '../api/rules.ts';
import { needs, optional, preprocess, version, wholeNumber } from '../api/validation.ts';
import { GROUP_SIZE_MAX, customerNumber } from '../customer/customer.schema.ts';
import { country } from '../country.ts';
import { dateText } from '../date.ts';
import { delivery, DELIVERY_STATUSES, deliveryType } from '../delivery/delivery.schema.ts';
import { KID_MODULI } from '../kid.ts';
import { customerMessage, dueDays, statedReference } from '../terms.ts';
import { invoiceEInvoice } from '../einvoice/einvoice.schema.ts';
import { countedLine, forFeatures, listOf, type LineSchema } from './invoice-line.schema.ts';
import { hint } from './invoice-hint.ts';
import { DELETABLE_STATUSES, INVOICE_KINDS, INVOICE_STATUSES } from './invoice.status.ts';
import { quoteOfInvoice, invoiceTerms } from './invoice.terms.ts';
import { judgeRates, vatOfLine } from '../vat-treatment.ts';

/** A search that finds more reports this count and has no further pages. */
export const COUNTED_MAX = 10_000;

/** Recipients: customers, a group, or both. Each customer gets one invoice. */
export const recipients = z
  .object({
    groupUuid: optional(z.uuid()),
    customerNumbers: z.pipe(
      optional(z.array(customerNumber).check(z.maxLength(GROUP_SIZE_MAX))),
      z.transform((numbers) => numbers ?? []),
    ),
  })
  .check(
    z.refine(hasRecipient, {
      ...rule('Missing customerNumbers'),
      path: ['customerNumbers'],
      when: needs(),
    }),
    z.refine(hasRecipient, { ...rule('Missing groupUuid'), path: ['groupUuid'], when: needs() }),
  );

function hasRecipient(body: unknown): boolean {
  const { groupUuid, customerNumbers } = (body ?? {}) as Partial<z.output<typeof recipients>>;
  return Boolean(groupUuid) || (Array.isArray(customerNumbers) && customerNumbers.length > 0);
}

const TEMPLATE_ID_MAX = 2 ** 31 - 1;

/** The template of an invoice, if any. */
export const templateId = optional(wholeNumber().check(z.positive(), z.maximum(TEMPLATE_ID_MAX)));

/** Fields of an invoice that do not depend on its recipients. */
function contentOf(line: LineSchema, vat: boolean) {
  return {
    templateId,
    deliveryType: optional(deliveryType),
    issueDate: dateText(),
    dueDays: optional(dueDays),
    invoiceLines: optional(listOf(line)),
    /** When the goods were delivered or the work was done (bff § 5-1-1 no. 4). Default: the issue date. */
    deliveryDate: optional(dateText()),
    reference: statedReference,
    message: customerMessage,
    ...(vat ? { deliveryCountry } : ({} as { deliveryCountry: typeof deliveryCountry })),
  };
}

/** The country that goods are sent to, where it is not the buyer's (VAT-6). */
const deliveryCountry = optional(country);

/** Fields that come from the template when one is chosen. */
const INHERITED = ['deliveryType', 'dueDays', 'invoiceLines'] as const;
type Inherited = (typeof INHERITED)[number];

/** Input for invoices. With a template, delivery type, due days and lines come from it. */
export const invoiceForm = invoiceFormOf();

function invoiceFormOf(mayLack?: MayLack) {
  return forFeatures((line, vat) =>
    fromTemplate(z.safeExtend(recipients, contentOf(line, vat)), mayLack).check(
      z.superRefine(judgeRates, {
        when: needs(),
      }),
    ),
  );
}

/** Input for an existing draft: one customer, and the version that was read. */
const draftForm = forFeatures((line, vat) =>
  fromTemplate(z.object({ customerNumber, ...contentOf(line, vat), version })).check(
    z.superRefine(judgeRates, {
      when: needs(),
    }),
  ),
);

/** The forms as the API takes them. */
export const invoiceBody = bodyOf(invoiceFormOf(mayHaveOfCustomer));
export const draftBody = bodyOf(draftForm);

/** As `withoutInherited`, for each combination of features. */
export function bodyOf<Form extends z.ZodMiniType>(form: (features: ReadonlySet<Feature>) => Form) {
  return (features: ReadonlySet<Feature>) => withoutInherited(form(features));
}

/** The form, ignoring fields that come from a template even if they are sent (TPL-3). */
function withoutInherited<Form extends z.ZodMiniType>(form: Form): Form {
  return preprocess((body) => {
    if (body === null || typeof body !== 'object') return body;
    if (typeof (body as { templateId?: unknown }).templateId !== 'number') return body;
    const {
      deliveryType: _,
      dueDays: __,
      invoiceLines: ___,
      ...own
    } = body as Record<string, unknown>;
    return own;
  }, form) as unknown as Form;
}

type MayLack = (field: Inherited, body: unknown) => boolean;

/**
 * The form, requiring the template's fields only when there is no template.
 *
 * @param mayLack fields that an otherwise valid form may lack, for the server to find
 */
export function fromTemplate<Form extends z.ZodMiniType>(
  form: Form,
  mayLack: MayLack = () => false,
): Form {
  return INHERITED.reduce(
    (all, field) =>
      all.check(
        z.refine(hasOrInherits(field), {
          ...rule('{0} is a required field'),
          path: [field],
          when: (payload) =>
            needs()(payload) && (payload.issues.length > 0 || !mayLack(field, payload.value)),
        }),
      ),
    form,
  );
}

/** An invoice to one customer alone has the customer's delivery type and due days unless it states them (CUS-14). */
function mayHaveOfCustomer(field: Inherited, body: unknown): boolean {
  const { groupUuid, customerNumbers } = body as z.output<typeof recipients>;
  return field !== 'invoiceLines' && !groupUuid && customerNumbers.length === 1;
}

/** Whether a field is present or comes from the template. */
function hasOrInherits(field: Inherited) {
  return (body: unknown): boolean => {
    const form = (body ?? {}) as { templateId?: unknown } & Partial<Record<Inherited, unknown>>;
    return (
      typeof form.templateId === 'number' || (form[field] !== null && form[field] !== undefined)
    );
  };
}

/** The page where the user can correct what keeps a draft from being registered. */
export const MENDING_PLACES = ['CUSTOMER', 'INVOICE', 'PROFILE'] as const;
export type MendingPlace = (typeof MENDING_PLACES)[number];

const obstacle = z.object({ message: z.string(), mendedAt: z.enum(MENDING_PLACES) });

const numberedReference = z.object({ uuid: z.uuid(), invoiceNumber: z.int() });

export const invoice = described(
  z.object({
    uuid: z.uuid(),
    kind: z.enum(INVOICE_KINDS),
    invoiceNumber: described(z.nullable(z.int()), 'null for a draft'),
    customerNumber: described(z.nullable(z.int()), 'Of a registered invoice as it was then'),
    currentCustomerNumber: described(
      z.nullable(z.int()),
      'By which the customer is found now; null when it was deleted',
    ),
    customerName: z.string(),
    customerIdentifier: described(z.nullable(z.string()), "The buyer's organisation number"),
    customerIdentificationNumber: described(z.nullable(z.string()), 'KID / message'),
    kidModulus: described(
      z.nullable(z.enum(KID_MODULI)),
      'Of the KID agreement that it was registered under; null without one',
    ),
    status: z.enum(INVOICE_STATUSES),
    deliveryType,
    deliveryStatus: described(
      z.nullable(z.enum(DELIVERY_STATUSES)),
      'null when nothing is to be delivered',
    ),
    paidDate: z.nullable(z.iso.date()),
    ...z.omit(invoiceTerms, { deliveryCountry: true }).shape,
    deliveryCountry: described(z.nullish(z.string()), 'With the feature vat'),
    dueDays: z.int(),
    paymentDeadline: described(
      z.nullable(z.iso.date()),
      'The last day on which a payment is in time: the due date or, when it was registered (NONE) ' +
        'or first sent after its issue date, due_days after that. null until then',
    ),
    bankAccountNumber: z.nullable(z.string()),
    netAmount: described(z.number(), 'Kroner without VAT'),
    vatAmount: described(z.number(), 'Kroner'),
    grossAmount: described(z.number(), 'Kroner to pay'),
    paidAmount: described(z.number(), 'Kroner'),
    creditedAmount: described(
      z.optional(z.number()),
      'Kroner with VAT, of all its credit notes; with the feature credit',
    ),
    amountDue: described(
      z.number(),
      'Kroner still to pay: all of a draft, nothing of what is credited',
    ),
    reminderAmount: described(
      z.number(),
      'Kroner that reminders ask for beside it: neither paid nor waived',
    ),
    disputed: described(z.boolean(), 'No reminder is sent of what its customer disputes'),
    disputedNote: z.nullable(z.string()),
    creditNote: described(
      z.nullable(numberedReference),
      'What cancelled this invoice; with the feature credit, its last note',
    ),
    creditNotes: described(
      z.optional(z.array(numberedReference)),
      'Its credit notes, the first one first; with the feature credit',
    ),
    creditedInvoice: described(z.nullable(numberedReference), 'What this credit note credits'),
    quote: described(z.nullish(quoteOfInvoice), 'That it was made of; with the feature quotes'),
    deliveries: z.array(delivery),
    version: described(version, 'How often it was saved as a draft; to be sent with a change'),
    lines: z.array(
      z.object({
        id: z.int(),
        ...countedLine,
        description: z.string(),
        netUnitAmount: described(z.number(), 'Kroner without VAT'),
        netAmount: described(z.number(), 'Kroner without VAT'),
        ...vatOfLine,
        grossAmount: described(z.number(), 'Kroner with VAT'),
        quantityLeft: described(
          z.optional(z.number()),
          'What can still be credited of a line of an issued invoice that is read by itself, with ' +
            'the feature credit',
        ),
        netLeft: described(z.optional(z.number()), 'The same in kroner without VAT'),
      }),
    ),
    obstacles: described(
      z.optional(z.array(obstacle)),
      'Of a draft that is read by itself: what keeps it from being registered, as far as is known. ' +
        'Absent when nothing does',
    ),
    einvoice: described(
      z.optional(invoiceEInvoice),
      'Of what is read by itself, and of a changed draft; with the feature einvoice',
    ),
    hints: described(
      z.optional(z.array(hint)),
      'Of a draft that is read or changed by itself: what its author should see to before it is registered. They stop nothing',
    ),
  }),
  { id: 'Invoice' },
);

/** An invoice in an answer with many invoices. */
const invoiceBrief = described(
  z.pick(invoice, {
    uuid: true,
    status: true,
    customerNumber: true,
    customerName: true,
    customerIdentifier: true,
    netAmount: true,
    vatAmount: true,
    grossAmount: true,
  }),
  { id: 'InvoiceBrief' },
);

/** Up to this many new drafts are answered with their lines (WIRE-17). */
export const DRAFTS_WITH_LINES_MAX = 200;

/** The drafts that a call made, in the order in which they were made. */
export const createdDrafts = described(
  z.union([z.array(invoice), z.array(invoiceBrief)]),
  'Beyond 200 drafts each has its uuid, customer and sums alone, without lines',
);

/** An invoice number or a uuid in a path. */
export const numberOrUuid = z.union([
  z.uuid(),
  z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/)), z.transform(Number)),
]);
export type NumberOrUuid = z.output<typeof numberOrUuid>;

export const invoiceParams = z.object({ invoiceStr: numberOrUuid });
export const invoiceUuidParams = z.object({ invoiceUuid: z.uuid() });
export const deleteQuery = z.object({
  expect: described(
    z.optional(z.enum(DELETABLE_STATUSES)),
    'What the caller was told: that a draft is deleted, or a registered invoice credited. 409 ' +
      'when the status has changed since. With payments, PAID credits a paid invoice, and what ' +
      'was paid is credit of the customer.',
  ),
});
export const statusBody = z.object({ status: z.enum(INVOICE_STATUSES) });

export type Invoice = z.infer<typeof invoice>;
export type InvoiceBrief = z.infer<typeof invoiceBrief>;
export type CreatedDrafts = z.infer<typeof createdDrafts>;
export type InvoiceForm = z.output<ReturnType<typeof invoiceForm>>;
export type DraftForm = z.output<ReturnType<typeof draftForm>>;
export type DeleteQuery = z.output<typeof deleteQuery>;
