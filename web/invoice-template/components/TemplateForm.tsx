import type { ReactNode } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import type { z } from 'zod';

import { DEFAULT_DUE_DAYS } from '../../../domain/invoice/invoice-line.schema.ts';
import {
  invoiceTemplateUpdate,
  invoiceTemplateUpdateWithUnits,
  type InvoiceTemplate,
  type InvoiceTemplateUpdate,
} from '../../../domain/invoice-template/invoice-template.schema.ts';
import { useFeature } from '../../session/session.queries.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, useSchemaForm, type Draft } from '../../ui/Form.tsx';
import { GuardedForm, type Saving } from '../../ui/GuardedForm.tsx';
import { ControlledNumber } from '../../ui/ControlledNumber.tsx';
import { ControlledSelect } from '../../ui/ControlledSelect.tsx';
import { Card } from '../../ui/Surface.tsx';
import styles from './TemplateForm.module.css';

type TemplateDraft = Draft<z.input<typeof invoiceTemplateUpdate>>;

interface TemplateFormProps {
  /** Absent for a new template. */
  readonly template?: InvoiceTemplate;
  /** The lines that a new template begins with. */
  readonly firstLines?: TemplateDraft['lines'];
  /** Whether EHF is offered. */
  readonly maySendEhf: boolean;
  /** Whether the profile has to be filled in before it is saved. */
  readonly incomplete?: boolean;
  readonly save: Saving<InvoiceTemplateUpdate, InvoiceTemplate>;
  readonly onSaved: () => void;
  /** The lines and their sums, which are the invoice's components; the page provides them. */
  readonly children: ReactNode;
}

export function TemplateForm(props: TemplateFormProps) {
  const { template, firstLines = [], maySendEhf, incomplete, save, children } = props;
  const form = useSchemaForm(
    useFeature('units') ? invoiceTemplateUpdateWithUnits : invoiceTemplateUpdate,
    template ? valuesOf(template) : newTemplate(firstLines),
  );
  const chosen = useWatch({ control: form.control, name: 'deliveryType' });
  return (
    <FormProvider {...form}>
      <GuardedForm
        form={form}
        name="template"
        editing={template ? { stored: toStored(template), toStored, labels, show } : undefined}
        save={save}
        onSaved={props.onSaved}
        className={styles.form}
        label="Fakturamal"
      >
        <Card>
          <div className={styles.grid}>
            <TextField label="Navn" required autoComplete="off" {...fieldProps(form, 'name')} />
            <ControlledSelect
              control={form.control}
              name="deliveryType"
              label="Leveringsmetode"
              required
            >
              <option value="NONE">Ingen</option>
              <option value="EMAIL">E-post</option>
              {maySendEhf || chosen === 'EHF' ? <option value="EHF">EHF</option> : null}
            </ControlledSelect>
            <ControlledNumber
              control={form.control}
              name="dueDays"
              label="Dager til forfall"
              required
              min={1}
            />
          </div>
        </Card>
        <Card heading="Linjer">{children}</Card>
        <div>
          <Button
            type="submit"
            variant="primary"
            wide
            disabled={incomplete}
            pending={save.isPending}
          >
            Lagre
          </Button>
        </div>
      </GuardedForm>
    </FormProvider>
  );
}

const labels = {
  name: 'Navn',
  deliveryType: 'Leveringsmetode',
  dueDays: 'Dager til forfall',
  lines: 'Linjer',
};

function show(field: string, value: unknown): string | undefined {
  if (field !== 'deliveryType') return undefined;
  if (value === 'EHF') return 'EHF';
  return value === 'NONE' ? 'Ingen' : 'E-post';
}

function toStored(template: InvoiceTemplate) {
  return { values: valuesOf(template), version: template.version };
}

function valuesOf({ name, deliveryType, dueDays, lines }: InvoiceTemplate): TemplateDraft {
  return { name, deliveryType, dueDays, lines };
}

function newTemplate(lines: TemplateDraft['lines']): TemplateDraft {
  return {
    name: '',
    deliveryType: 'EMAIL',
    dueDays: DEFAULT_DUE_DAYS,
    lines,
  };
}
