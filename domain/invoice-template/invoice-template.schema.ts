import { z } from 'zod/mini';

import { described } from '../api/described.ts';
import {
  needs,
  wholeNumber,
  optional,
  urlNumber,
  basedOnVersion,
  version,
} from '../api/validation.ts';
import { dateText } from '../date.ts';
import { deliveryType } from '../delivery/delivery.schema.ts';
import { countedLine, forFeatures, listOf } from '../invoice/invoice-line.schema.ts';
import { judgeRates, vatOfLine } from '../vat-treatment.ts';
import { recipients } from '../invoice/invoice.schema.ts';
import { customerMessage, dueDays } from '../terms.ts';
import { requiredText } from '../text.ts';

const TEMPLATE_ID_MAX = 2 ** 31 - 1;

const content = { name: requiredText(), deliveryType, dueDays };

/** Input for a new template. */
export const invoiceTemplateForm = forFeatures((line) =>
  z.object({ ...content, lines: listOf(line) }).check(z.superRefine(judgeRates, { when: needs() })),
);

/** Input for an existing template: lines with an id are kept, those without are added, the rest are deleted. */
export const invoiceTemplateUpdate = forFeatures((line) =>
  z
    .object({
      ...content,
      lines: listOf(z.safeExtend(line, { id: optional(wholeNumber().check(z.positive())) })),
      version: basedOnVersion,
    })
    .check(z.superRefine(judgeRates, { when: needs() })),
);

export const invoiceTemplate = described(
  z.object({
    id: z.int(),
    name: z.string(),
    deliveryType,
    dueDays: z.int(),
    lines: z.array(
      z.object({
        id: z.int(),
        ...countedLine,
        description: z.string(),
        netUnitAmount: described(z.number(), 'Kroner without VAT'),
        ...vatOfLine,
      }),
    ),
    version,
  }),
  { id: 'InvoiceTemplate' },
);

const templateId = urlNumber(TEMPLATE_ID_MAX);
export const invoiceTemplateParams = z.object({ invoiceTemplatePk: templateId });
export const templateToInvoicesParams = z.object({ templateId });

/** The customers who get invoices from a template, and the issue date. */
export const templateToInvoicesBody = z.safeExtend(recipients, {
  issueDate: dateText(),
  message: customerMessage,
});

export type InvoiceTemplate = z.infer<typeof invoiceTemplate>;
export type TemplateToInvoices = z.output<typeof templateToInvoicesBody>;
export type InvoiceTemplateForm = z.output<ReturnType<typeof invoiceTemplateForm>>;
export type InvoiceTemplateUpdate = z.output<ReturnType<typeof invoiceTemplateUpdate>>;
