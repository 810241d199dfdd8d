import type { ReactNode } from 'react';
import { FormProvider } from 'react-hook-form';

import {
  DEFAULT_DUE_DAYS,
  DEFAULT_VAT_RATE,
  type VatRate,
} from '../../../domain/invoice/invoice-line.schema.ts';
import {
  invoiceTemplateUpdate,
  type InvoiceTemplate,
  type InvoiceTemplateUpdate,
} from '../../../domain/invoice-template/invoice-template.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { errorAt, Form, useSchemaForm } from '../../ui/Form.tsx';
import { ControlledNumber } from '../../ui/ControlledNumber.tsx';
import { Card } from '../../ui/Surface.tsx';
import styles from './TemplateForm.module.css';

interface TemplateFormProps {
  /** Absent for a new template. */
  readonly template?: InvoiceTemplate;
  /** The rate of the line that a new template begins with. */
  readonly defaultVatRate?: VatRate;
  readonly pending: boolean;
  readonly onSubmit: (values: InvoiceTemplateUpdate) => Promise<unknown>;
  /** The lines and their sums, which belong to the invoice; the page brings them. */
  readonly children: ReactNode;
}

export function TemplateForm(props: TemplateFormProps) {
  const { template, defaultVatRate = DEFAULT_VAT_RATE, pending, onSubmit, children } = props;
  const form = useSchemaForm(invoiceTemplateUpdate, {
    name: template?.name ?? '',
    deliveryType: template?.deliveryType ?? 'EMAIL',
    dueDays: template?.dueDays ?? DEFAULT_DUE_DAYS,
    // A stored rate is a number like any other to TypeScript; the database holds the three alone.
    lines: (template?.lines ?? [
      { invoicedQuantity: 1, description: '', vatRatePercentage: defaultVatRate },
    ]) as InvoiceTemplateUpdate['lines'],
  });
  const { errors } = form.formState;
  return (
    <FormProvider {...form}>
      <Form form={form} onSubmit={onSubmit} className={styles.form} label="Fakturamal">
        <Card>
          <div className={styles.grid}>
            <TextField
              label="Navn"
              required
              autoComplete="off"
              {...form.register('name')}
              error={errorAt(errors, 'name')}
            />
            <SelectField
              label="Leveringsmetode"
              required
              {...form.register('deliveryType')}
              error={errorAt(errors, 'deliveryType')}
            >
              <option value="EMAIL">E-post</option>
              <option value="NONE">Ingen</option>
            </SelectField>
            <ControlledNumber
              control={form.control}
              name="dueDays"
              label="Dager til forfall"
              required
              min={1}
            />
          </div>
        </Card>
        <Card heading="Linjer">
          <div className={styles.lines}>{children}</div>
        </Card>
        <div>
          <Button type="submit" variant="primary" wide pending={pending}>
            Lagre
          </Button>
        </div>
      </Form>
    </FormProvider>
  );
}
