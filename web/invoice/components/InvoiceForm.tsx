import { useState } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';

import type { VatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceForm as InvoiceValues } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ControlledDate } from '../../ui/ControlledDate.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { fieldProps } from '../../ui/Form.tsx';
import { GuardedForm } from '../../ui/GuardedForm.tsx';
import type { Extra } from '../../ui/useUnsavedInput.ts';
import { ControlledNumber } from '../../ui/ControlledNumber.tsx';
import { Card } from '../../ui/Surface.tsx';
import type { InvoiceFormState } from '../invoice-form-state.ts';
import type { Recipients } from '../recipients.ts';
import { linesOfTemplate } from '../draft-lines.ts';
import { DeliveryTypeField, type DeliveryChoice } from './DeliveryTypeField.tsx';
import styles from './InvoiceForm.module.css';
import { FormSums } from './InvoiceSums.tsx';
import { LineFields } from './LineFields.tsx';

interface InvoiceFormProps {
  readonly form: InvoiceFormState;
  /** What it may be made from. */
  readonly templates: readonly InvoiceTemplate[];
  /** How it can be sent. */
  readonly delivery: DeliveryChoice;
  /** Whether the seller charges VAT at all. */
  readonly vatRegistered: boolean;
  readonly defaultVatRate: VatRate;
  readonly pending: boolean;
  /** Whom it is for, by name. */
  readonly extra: Extra<Recipients>;
  readonly onSubmit: (values: InvoiceValues) => Promise<unknown>;
  readonly onSaved: () => void;
}

export function InvoiceForm(props: InvoiceFormProps) {
  const { form, templates, delivery, vatRegistered, defaultVatRate, pending, extra } = props;
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  return (
    <FormProvider {...form}>
      <GuardedForm
        form={form}
        name="invoice"
        extra={extra}
        onSubmit={props.onSubmit}
        onSaved={props.onSaved}
        className={styles.form}
        label="Faktura"
      >
        <Card heading="Faktura">
          <div className={styles.grid}>
            <TemplateSelect form={form} templates={templates} />
            <TextField
              label="Fakturanummer"
              required
              disabled
              value=""
              placeholder="Tildeles ved registrering"
            />
            <TermFields form={form} delivery={delivery} locked={locked} />
          </div>
        </Card>
        <Card heading="Linjer">
          <div className={styles.lines}>
            <LineFields name="invoiceLines" locked={locked} defaultVatRate={defaultVatRate} />
            {vatRegistered ? null : <VatWarning form={form} />}
            <FormSums name="invoiceLines" />
          </div>
        </Card>
        <div>
          <Button type="submit" variant="primary" wide pending={pending}>
            Lagre
          </Button>
        </div>
      </GuardedForm>
    </FormProvider>
  );
}

/** A template fills in delivery, due days and lines, and locks them: the server takes them from it. */
function TemplateSelect({ form, templates }: Pick<InvoiceFormProps, 'form' | 'templates'>) {
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
      >
        <option value="">Ingen mal</option>
        {templates.map((template) => (
          <option key={template.id} value={template.id}>
            {template.name}
          </option>
        ))}
      </SelectField>
      <ConfirmDialog
        title="Bruke malen?"
        confirmLabel="Bruk malen"
        confirmVariant="primary"
        open={asked !== undefined}
        pending={false}
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

function hasTypedLines(form: InvoiceFormState): boolean {
  const lines = form.getValues('invoiceLines') ?? [];
  return lines.some((line) => Boolean(line.description) || line.netUnitAmount != null);
}

export function fillFromTemplate(form: InvoiceFormState, template: InvoiceTemplate): void {
  form.setValue('templateId', template.id);
  form.setValue('deliveryType', template.deliveryType);
  form.setValue('dueDays', template.dueDays);
  form.setValue('invoiceLines', linesOfTemplate(template));
  form.clearErrors(['deliveryType', 'dueDays', 'invoiceLines']);
}

interface TermFieldsProps extends Pick<InvoiceFormProps, 'form' | 'delivery'> {
  readonly locked: boolean;
}

function TermFields({ form, delivery, locked }: TermFieldsProps) {
  const { control } = form;
  return (
    <>
      <ControlledDate control={form.control} name="issueDate" label="Fakturadato" required />
      <ControlledNumber
        control={control}
        name="dueDays"
        label="Dager til forfall"
        required
        min={1}
        disabled={locked}
      />
      <DeliveryTypeField form={form} locked={locked} delivery={delivery} />
      <ControlledDate
        control={form.control}
        name="deliveryDate"
        label="Leveringsdato"
        hint="Når varen eller tjenesten ble levert. Fakturadatoen gjelder ellers."
      />
      <TextField
        label="Referanse"
        autoComplete="off"
        hint="Kundens bestillingsnummer eller kontaktperson."
        {...fieldProps(form, 'reference')}
      />
    </>
  );
}

function VatWarning({ form }: { form: InvoiceFormState }) {
  const lines = useWatch({ control: form.control, name: 'invoiceLines' });
  if (!lines?.some((line) => (line.vatRatePercentage ?? 0) > 0)) return null;
  return (
    <Alert tone="warning" live>
      Bedriften er ikke registrert i Merverdiavgiftsregisteret, men en linje har mva.
    </Alert>
  );
}
