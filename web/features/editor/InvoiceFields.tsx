import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ControlledDate } from '../../forms/ControlledDate.tsx';
import { TextField } from '../../ui/Field.tsx';
import { errorAt, fieldProps } from '../../forms/Form.tsx';
import { ChevronDownIcon } from '../../ui/icons.tsx';
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
  readonly templates: readonly InvoiceTemplate[];
  readonly delivery: DeliveryChoice;
  /** Whether the seller is registered for VAT. */
  readonly vatRegistered: boolean;
}

/** The terms and lines of an invoice, inside a FormProvider. Its recipients are in the section above. */
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
      <MoreFields form={form} />
    </>
  );
}

/** The fields' labels; also used when another user has changed the draft. */
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

/** The text of a value that another user has saved; undefined when it has no short text. */
export function showField(field: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (field === 'deliveryType') return DELIVERY_TYPE_NAMES[value as DeliveryType];
  return field === 'issueDate' || field === 'deliveryDate' ? formatDate(value) : undefined;
}

/** Warns of the date on the document. Lateness counts from the payment deadline (REM-1), which is later. */
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
    </>
  );
}

const MORE = ['deliveryDate', 'reference', 'message'] as const;

/** The fields that most invoices leave empty. Shown on demand, and when one is filled in or has a fault. */
function MoreFields({ form }: Pick<InvoiceFieldsProps, 'form'>) {
  const [isOpen, setOpen] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { control } = form;
  const { errors } = useFormState({ control, name: MORE });
  const isFilled = useWatch({ control, name: MORE }).some(Boolean);
  // Stays open, also when the user clears the fields again.
  if (!isOpen && (isFilled || MORE.some((name) => errorAt(errors, name)))) setOpen(true);
  if (!isOpen && !isAsked) {
    return (
      <div>
        <Button icon={<ChevronDownIcon />} onClick={() => setAsked(true)}>
          Flere valg
        </Button>
      </div>
    );
  }
  return (
    <Card heading="Flere valg">
      <div ref={isAsked ? focusFirstField : null} className={styles.grid}>
        <ControlledDate
          control={control}
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
      </div>
    </Card>
  );
}

/** Moves the focus into the fields, which replace the pressed button. */
function focusFirstField(place: HTMLElement | null): void {
  place?.querySelector('input')?.focus();
}
