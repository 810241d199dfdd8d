import { FormProvider, useWatch } from 'react-hook-form';

import type { VatRate } from '../../../domain/invoice/invoice-line.schema.ts';
import type { InvoiceForm as InvoiceValues } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { ControlledDate } from '../../ui/ControlledDate.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps } from '../../ui/Form.tsx';
import { GuardedForm } from '../../ui/GuardedForm.tsx';
import type { Extra } from '../../ui/useUnsavedInput.ts';
import { Card } from '../../ui/Surface.tsx';
import type { InvoiceFormState } from '../invoice-form-state.ts';
import type { Recipients } from '../recipients.ts';
import { DeliveryTypeField, type DeliveryChoice } from './DeliveryTypeField.tsx';
import { DueDateField } from './DueDateField.tsx';
import { DueDaysField } from './DueDaysField.tsx';
import styles from './InvoiceForm.module.css';
import { InvoiceLines } from './InvoiceLines.tsx';
import { TemplateField } from './TemplateField.tsx';

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
            <TemplateField templates={templates} />
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
          <InvoiceLines
            locked={locked}
            vatRegistered={vatRegistered}
            defaultVatRate={defaultVatRate}
          />
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

interface TermFieldsProps extends Pick<InvoiceFormProps, 'form' | 'delivery'> {
  readonly locked: boolean;
}

function TermFields({ form, delivery, locked }: TermFieldsProps) {
  return (
    <>
      <ControlledDate control={form.control} name="issueDate" label="Fakturadato" required />
      <DueDaysField locked={locked} />
      <DueDateField locked={locked} />
      <DeliveryTypeField locked={locked} delivery={delivery} />
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
