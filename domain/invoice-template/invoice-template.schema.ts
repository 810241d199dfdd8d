import { z } from 'zod';

import { wholeNumber, optional, urlNumber, basedOnVersion, version } from '../api/validation.ts';
import { dateText } from '../date.ts';
import { deliveryType } from '../delivery/delivery.schema.ts';
import {
  countedLine,
  lineForm,
  lineForms,
  lineFormsWithUnits,
  lineFormWithUnits,
  LINES_MAX,
  vatRate,
} from '../invoice/invoice-line.schema.ts';
import { customerMessage, recipients } from '../invoice/invoice.schema.ts';
import { dueDays } from '../terms.ts';
import { requiredText } from '../text.ts';

const TEMPLATE_ID_MAX = 2 ** 31 - 1;

/** Input for a new template. */
export const invoiceTemplateForm = templateFormOf(lineForms);
export const invoiceTemplateFormWithUnits = templateFormOf(lineFormsWithUnits);

function templateFormOf(lines: typeof lineForms) {
  return z.object({ name: requiredText(), deliveryType, dueDays, lines });
}

/** Input for an existing template: lines with an id are kept, those without are added, the rest are deleted. */
export const invoiceTemplateUpdate = templateUpdateOf(lineForm);
export const invoiceTemplateUpdateWithUnits = templateUpdateOf(lineFormWithUnits);

function templateUpdateOf(line: typeof lineForm) {
  return invoiceTemplateForm.extend({
    lines: z
      .array(line.safeExtend({ id: optional(wholeNumber().positive()) }))
      .min(1)
      .max(LINES_MAX),
    version: basedOnVersion,
  });
}

export const invoiceTemplate = z
  .object({
    id: z.number().int(),
    name: z.string(),
    deliveryType,
    dueDays: z.number().int(),
    lines: z.array(
      z.object({
        id: z.number().int(),
        ...countedLine,
        description: z.string(),
        netUnitAmount: z.number().meta({ description: 'Kroner without VAT' }),
        vatRatePercentage: vatRate,
      }),
    ),
    version,
  })
  .meta({ id: 'InvoiceTemplate' });

const templateId = urlNumber(TEMPLATE_ID_MAX);
export const invoiceTemplateParams = z.object({ invoiceTemplatePk: templateId });
export const templateToInvoicesParams = z.object({ templateId });

/** The customers who get invoices from a template, and the issue date. */
export const templateToInvoicesBody = recipients.safeExtend({
  issueDate: dateText(),
  message: customerMessage,
});

export type InvoiceTemplate = z.infer<typeof invoiceTemplate>;
export type TemplateToInvoices = z.output<typeof templateToInvoicesBody>;
export type InvoiceTemplateForm = z.output<typeof invoiceTemplateForm>;
export type InvoiceTemplateUpdate = z.output<typeof invoiceTemplateUpdate>;
