import { FormProvider } from 'react-hook-form';
import type { z } from 'zod/mini';

import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { DEFAULT_DUE_DAYS } from '../../../domain/terms.ts';
import {
  invoiceTemplateUpdate,
  type InvoiceTemplate,
  type InvoiceTemplateUpdate,
} from '../../../domain/invoice-template/invoice-template.schema.ts';
import { DeliveryTypeField, DueDaysField } from '../editor/TermFields.tsx';
import { InvoiceLines } from '../editor/InvoiceLines.tsx';
import { emptyLine, type CompanyVat } from '../editor/draft-values.ts';
import { offeredDeliveryTypes } from '../invoice/invoice-labels.ts';
import { useMaySendEhf } from '../profile/profile.api.ts';
import { useFeatures } from '../session/session.api.ts';
import { SubmitButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, useSchemaForm, type Draft, type Saving } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { Card } from '../../ui/Surface.tsx';

type TemplateDraft = Draft<z.input<ReturnType<typeof invoiceTemplateUpdate>>>;

interface TemplateFormProps {
  readonly template?: InvoiceTemplate;
  readonly incomplete?: boolean;
  readonly save: Saving<InvoiceTemplateUpdate, InvoiceTemplate>;
  readonly onSaved: () => void;
  readonly vat: CompanyVat;
}

export function TemplateForm(props: TemplateFormProps) {
  const { template, incomplete, save, vat } = props;
  const types = offeredDeliveryTypes(useMaySendEhf());
  const form = useSchemaForm(
    invoiceTemplateUpdate(useFeatures()),
    template ? valuesOf(template) : newTemplate(vat),
  );
  return (
    <FormProvider {...form}>
      <GuardedForm
        form={form}
        name="template"
        editing={template && { record: template, valuesOf, labels: LABELS, show }}
        save={save}
        onSaved={props.onSaved}
        className="stack"
        label="Fakturamal"
      >
        <Card>
          <div className="grid narrow">
            <TextField label={LABELS.name} required {...fieldProps(form, 'name')} />
            <DeliveryTypeField locked={false} delivery={{ types, withoutEhf: [] }} />
            <DueDaysField locked={false} />
          </div>
        </Card>
        <Card heading={LABELS.lines}>
          <InvoiceLines name="lines" vat={vat} />
        </Card>
        <SubmitButton disabled={incomplete} pending={save.isPending}>
          Lagre
        </SubmitButton>
      </GuardedForm>
    </FormProvider>
  );
}

const LABELS = {
  name: 'Navn',
  deliveryType: 'Leveringsmetode',
  dueDays: 'Dager til forfall',
  lines: 'Linjer',
};

function show(field: string, value: unknown): string | undefined {
  return field === 'deliveryType' ? DELIVERY_TYPE_NAMES[value as DeliveryType] : undefined;
}

function valuesOf({ name, deliveryType, dueDays, lines }: InvoiceTemplate): TemplateDraft {
  return { name, deliveryType, dueDays, lines };
}

function newTemplate(vat: CompanyVat): TemplateDraft {
  return {
    name: '',
    deliveryType: 'EMAIL',
    dueDays: DEFAULT_DUE_DAYS,
    lines: [emptyLine(vat)],
  };
}
