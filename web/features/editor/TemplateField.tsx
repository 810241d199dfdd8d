import { useState } from 'react';
import { useFormContext, useWatch, type UseFormReturn } from 'react-hook-form';

import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { SelectField, type Option } from '../../ui/Field.tsx';
import { linesOf } from '../invoice/draft-lines.ts';
import type { FormWithTerms } from './invoice-form-state.ts';

/** A template fills in and locks delivery type, due days and lines, since the server takes them from it. */
export function TemplateField({ templates }: { templates: readonly InvoiceTemplate[] }) {
  const form = useFormContext<FormWithTerms>();
  const templateId = useWatch({ control: form.control, name: 'templateId' });
  const [asked, setAsked] = useState<InvoiceTemplate>();
  const choose = (id: number) => {
    const template = templates.find((candidate) => candidate.id === id);
    if (!template) form.setValue('templateId', null);
    else if (templateId == null && hasTypedLines(form)) setAsked(template);
    else fillFromTemplate(form, template);
  };
  return (
    <>
      <SelectField
        label="Mal"
        value={templateId ?? ''}
        onChange={(event) => choose(Number(event.target.value))}
        hint={templateId == null ? '' : 'Feltene fra malen er låst.'}
        options={[
          ['', 'Ingen mal'],
          ...templates.map((template): Option => [template.id, template.name]),
        ]}
      />
      <ConfirmDialog
        title="Bruke malen?"
        confirmLabel="Bruk malen"
        confirmVariant="primary"
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          if (asked) fillFromTemplate(form, asked);
          setAsked(undefined);
        }}
      >
        Linjene du har skrevet, blir erstattet av dem i «{asked?.name}».
      </ConfirmDialog>
    </>
  );
}

function hasTypedLines(form: UseFormReturn<FormWithTerms>): boolean {
  const lines = form.getValues('invoiceLines') ?? [];
  return lines.some((line) => Boolean(line.description) || line.netUnitAmount != null);
}

function fillFromTemplate(form: UseFormReturn<FormWithTerms>, template: InvoiceTemplate): void {
  form.setValue('templateId', template.id);
  form.setValue('deliveryType', template.deliveryType);
  form.setValue('dueDays', template.dueDays);
  form.setValue('invoiceLines', linesOf(template.lines));
  form.clearErrors(['deliveryType', 'dueDays', 'invoiceLines']);
}
