import { useWatch } from 'react-hook-form';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { ControlledDate } from '../../forms/ControlledDate.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps } from '../../forms/Form.tsx';
import { Card } from '../../ui/Surface.tsx';
import { dueDateAfter } from './due-date.ts';
import type { InvoiceFormState } from './invoice-form-state.ts';
import { DeliveryTypeField, type DeliveryChoice } from './DeliveryTypeField.tsx';
import { DueDateField } from './DueDateField.tsx';
import { DueDaysField } from './DueDaysField.tsx';
import styles from './InvoiceFields.module.css';
import { InvoiceLines } from './InvoiceLines.tsx';
import { MessageField } from './MessageField.tsx';
import { TemplateField } from './TemplateField.tsx';

interface InvoiceFieldsProps {
  readonly form: InvoiceFormState;
  /** What it may be made from. */
  readonly templates: readonly InvoiceTemplate[];
  /** How it can be sent. */
  readonly delivery: DeliveryChoice;
  /** Whether the seller charges VAT at all. */
  readonly vatRegistered: boolean;
}

/** What an invoice is of and on which terms, inside a FormProvider. Whom it is for stands above. */
export function InvoiceFields({ form, templates, delivery, vatRegistered }: InvoiceFieldsProps) {
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  return (
    <>
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
        <PassedDueDate form={form} />
      </Card>
      <Card heading={FIELD_LABELS.invoiceLines}>
        <InvoiceLines name="invoiceLines" locked={locked} vatRegistered={vatRegistered} />
      </Card>
    </>
  );
}

/** What the fields are called where somebody else has changed them. */
export const FIELD_LABELS = {
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
export function showField(field: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (field === 'deliveryType') return DELIVERY_TYPE_NAMES[value as DeliveryType];
  return field === 'issueDate' || field === 'deliveryDate' ? formatDate(value) : undefined;
}

/** The customer has his days to payment all the same before anybody is late, but the paper says otherwise. */
function PassedDueDate({ form }: Pick<InvoiceFieldsProps, 'form'>) {
  const [issueDate, dueDays] = useWatch({ control: form.control, name: ['issueDate', 'dueDays'] });
  const dueDate = dueDateAfter(issueDate, dueDays);
  if (dueDate === '' || dueDate >= todayInOslo()) return null;
  return (
    <Alert tone="warning" live title="Forfallsdatoen er passert">
      Kunden får fakturaen etter at den skulle vært betalt.
    </Alert>
  );
}

interface TermFieldsProps extends Pick<InvoiceFieldsProps, 'form' | 'delivery'> {
  readonly locked: boolean;
}

function TermFields({ form, delivery, locked }: TermFieldsProps) {
  return (
    <>
      <ControlledDate
        control={form.control}
        name="issueDate"
        label={FIELD_LABELS.issueDate}
        required
      />
      <DueDaysField locked={locked} />
      <DueDateField locked={locked} />
      <DeliveryTypeField locked={locked} delivery={delivery} />
      <ControlledDate
        control={form.control}
        name="deliveryDate"
        label={FIELD_LABELS.deliveryDate}
        hint="Når varen eller tjenesten ble levert. Fakturadatoen gjelder ellers."
      />
      <TextField
        label={FIELD_LABELS.reference}
        autoComplete="off"
        hint="Kundens bestillingsnummer eller kontaktperson."
        {...fieldProps(form, 'reference')}
      />
      <MessageField hint="Står over linjene på fakturaen, og i e-posten." />
    </>
  );
}
