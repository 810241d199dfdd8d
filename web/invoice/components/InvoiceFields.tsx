import { FormProvider, useWatch } from 'react-hook-form';

import { formatDate } from '../../../domain/date.ts';
import type { DeliveryType } from '../../../domain/delivery/delivery.schema.ts';
import type { InvoiceForm as InvoiceValues } from '../../../domain/invoice/invoice.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { ControlledDate } from '../../ui/ControlledDate.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps } from '../../ui/Form.tsx';
import { GuardedForm } from '../../ui/GuardedForm.tsx';
import type { Extra, Stored } from '../../ui/useUnsavedInput.ts';
import { Card } from '../../ui/Surface.tsx';
import type { InvoiceDraft, InvoiceFormState } from '../invoice-form-state.ts';
import { DELIVERY_TYPE_LABELS } from '../labels.ts';
import type { Recipients } from '../recipients.ts';
import { DeliveryTypeField, type DeliveryChoice } from './DeliveryTypeField.tsx';
import { DueDateField } from './DueDateField.tsx';
import { DueDaysField } from './DueDaysField.tsx';
import styles from './InvoiceForm.module.css';
import { InvoiceLines } from './InvoiceLines.tsx';
import { MessageField } from './MessageField.tsx';
import { TemplateField } from './TemplateField.tsx';

/** The draft that is being changed. */
export interface EditedDraft<R> {
  /** As last read. */
  readonly stored: Stored<InvoiceDraft>;
  /** What the answer to a change stores. */
  readonly toStored: (result: R) => Stored<InvoiceDraft>;
}

interface InvoiceFormProps<R> {
  readonly form: InvoiceFormState;
  /** What it may be made from. */
  readonly templates: readonly InvoiceTemplate[];
  /** How it can be sent. */
  readonly delivery: DeliveryChoice;
  /** Whether the seller charges VAT at all. */
  readonly vatRegistered: boolean;
  /** Absent for a new one. */
  readonly editing?: EditedDraft<R> | undefined;
  readonly pending: boolean;
  /** Whether the profile has to be filled in before it can be saved. */
  readonly incomplete?: boolean | undefined;
  /** Whom it is for, by name. */
  readonly extra: Extra<Recipients>;
  /** @param version what a change is based on */
  readonly onSubmit: (values: InvoiceValues, version: number | null) => Promise<R>;
  readonly onSaved: (result: R) => void;
}

export function InvoiceForm<R>(props: InvoiceFormProps<R>) {
  const { form, templates, delivery, vatRegistered, editing } = props;
  const { pending, incomplete } = props;
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  return (
    <FormProvider {...form}>
      <GuardedForm
        form={form}
        name="invoice"
        editing={editing && { ...editing, labels: LABELS, show }}
        extra={props.extra}
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
          <InvoiceLines name="invoiceLines" locked={locked} vatRegistered={vatRegistered} />
        </Card>
        <div>
          <Button type="submit" variant="primary" wide disabled={incomplete} pending={pending}>
            Lagre
          </Button>
        </div>
      </GuardedForm>
    </FormProvider>
  );
}

const LABELS = {
  customerNumbers: 'Kunde',
  templateId: 'Mal',
  issueDate: 'Fakturadato',
  dueDays: 'Dager til forfall',
  deliveryType: 'Leveringsmetode',
  deliveryDate: 'Leveringsdato',
  reference: 'Referanse',
  message: 'Melding til kunden',
  invoiceLines: 'Linjer',
};

/** How a field that somebody else has changed is shown. */
function show(field: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (field === 'deliveryType') return DELIVERY_TYPE_LABELS[value as DeliveryType];
  return field === 'issueDate' || field === 'deliveryDate' ? formatDate(value) : undefined;
}

interface TermFieldsProps extends Pick<InvoiceFormProps<unknown>, 'form' | 'delivery'> {
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
      <MessageField hint="Står over linjene på fakturaen, og i e-posten." />
    </>
  );
}
