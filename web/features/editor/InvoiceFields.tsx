import { useState, type ReactNode } from 'react';
import { useFormState, useWatch } from 'react-hook-form';

import { formatDate, todayInOslo } from '../../../domain/date.ts';
import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { DUE_DAYS_MAX } from '../../../domain/terms.ts';
import { Alert, Card } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { ControlledDate } from '../../forms/GuardedForm.tsx';
import { TextField } from '../../ui/Field.tsx';
import { errorAt, labelled } from '../../forms/Form.tsx';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { daysUntil, dueDateAfter, isDate } from './due-date.ts';
import type { CompanyVat, InvoiceFormState } from './draft-values.ts';
import {
  type DeliveryChoice,
  DeliveryTypeField,
  DueDaysField,
  MessageField,
  TemplateField,
} from './TermFields.tsx';
import { InvoiceLines } from './InvoiceLines.tsx';
import { focusFirstField } from './RecipientPicker.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { weekdayOf } from '../../lib/date-text.ts';
import { treatmentOf } from '../../../domain/vat-treatment.ts';
import { laterCode } from '../../lib/later-code.ts';
import { useLaterCode } from '../../ui/useLaterCode.ts';

interface FormProps {
  readonly form: InvoiceFormState;
}

interface InvoiceFieldsProps extends FormProps {
  readonly templates: readonly InvoiceTemplate[];
  readonly delivery: DeliveryChoice;
  readonly vat: CompanyVat;
  readonly belowIssueDate: ReactNode;
}

/** The terms and lines of an invoice, inside a FormProvider. Its recipients are in the section above. */
export function InvoiceFields(props: InvoiceFieldsProps) {
  const { form, templates, delivery, vat } = props;
  const locked = useWatch({ control: form.control, name: 'templateId' }) != null;
  return (
    <>
      <Card heading={FIELD_LABELS.invoiceLines}>
        <div className="stack gap-6">
          {templates.length === 0 ? null : (
            <div style={{ maxWidth: '22rem' }}>
              <TemplateField templates={templates} />
            </div>
          )}
          <InvoiceLines name="invoiceLines" locked={locked} vat={vat} />
          {vat.treatment === null ? null : <VatNeeds form={form} />}
        </div>
      </Card>
      <Card heading="Faktura">
        <div className="grid">
          {templates.length === 0 ? <TemplateField templates={templates} /> : null}
          <TextField
            label="Fakturanummer"
            required
            disabled
            value=""
            placeholder="Tildeles ved registrering"
          />
          <div>
            <ControlledDate
              control={form.control}
              name="issueDate"
              label={FIELD_LABELS.issueDate}
              required
            />
            {props.belowIssueDate}
          </div>
          <DueDaysField locked={locked} />
          <DueDateField form={form} locked={locked} />
          <DeliveryTypeField locked={locked} delivery={delivery} />
        </div>
        <PassedDueDate form={form} />
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
  deliveryCountry: 'Leveringsland',
};

/** The text of a value that another user has saved; undefined when it has no short text. */
export function showField(field: string, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  if (field === 'deliveryType') return DELIVERY_TYPE_NAMES[value as DeliveryType];
  return field === 'issueDate' || field === 'deliveryDate' ? formatDate(value) : undefined;
}

/** Warns of the date on the document. Lateness counts from the payment deadline (REM-1), which is later. */
function PassedDueDate({ form }: FormProps) {
  const [issueDate, dueDays] = useWatch({ control: form.control, name: ['issueDate', 'dueDays'] });
  const dueDate = dueDateAfter(issueDate, dueDays);
  if (dueDate === '' || dueDate >= todayInOslo()) return null;
  return (
    <Alert tone="warning" live title="Forfallsdatoen er passert">
      Kunden får fakturaen etter at den skulle vært betalt.
    </Alert>
  );
}

const MORE = ['deliveryDate', 'reference', 'message'] as const;

/** The fields that most invoices leave empty. Shown on demand, and when one is filled in or has a fault. */
function MoreFields({ form }: FormProps) {
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
      <div ref={isAsked ? focusFirstField : null} className="grid">
        <ControlledDate
          control={control}
          name="deliveryDate"
          label={FIELD_LABELS.deliveryDate}
          hint="Når varen eller tjenesten ble levert. Fakturadatoen gjelder ellers."
        />
        <TextField
          hint="Kundens bestillingsnummer eller kontaktperson."
          {...labelled(form, FIELD_LABELS)('reference')}
        />
        <MessageField hint="Står over linjene på fakturaen, og i e-posten." />
      </div>
    </Card>
  );
}

/** The due date. The form stores the days to payment, so a typed date is converted to days. */
function DueDateField({ form, locked }: FormProps & { locked: boolean }) {
  const [issueDate, dueDays] = useWatch({ control: form.control, name: ['issueDate', 'dueDays'] });
  const [typed, setTyped] = useState({ text: '', issueDate: '', dueDays: dueDays ?? null });
  const counted = dueDateAfter(issueDate, dueDays);
  // Keeps the typed text, even an incomplete date, until the issue date or the days change elsewhere.
  const isTyped =
    typed.text !== '' && typed.issueDate === issueDate && typed.dueDays === (dueDays ?? null);
  const shown = isTyped ? typed.text : counted;
  const write = (text: string) => {
    const days = daysUntil(issueDate, text);
    setTyped({ text, issueDate, dueDays: days });
    form.setValue('dueDays', days, { shouldValidate: form.formState.isSubmitted });
  };
  return (
    <DateField
      label="Forfallsdato"
      required
      value={shown}
      onChange={write}
      disabled={locked || !isDate(issueDate)}
      {...hintOf(issueDate, shown)}
    />
  );
}

function hintOf(issueDate: string, dueDate: string) {
  if (!isDate(issueDate) || !isDate(dueDate)) return {};
  if (dueDate <= issueDate) {
    return { hint: 'Velg en dato etter fakturadatoen.', hintTone: 'warning' } as const;
  }
  if (dueDate > dueDateAfter(issueDate, DUE_DAYS_MAX)) {
    return { hint: 'Velg en dato innen 100 år.', hintTone: 'warning' } as const;
  }
  const day = weekdayOf(dueDate);
  return { hint: `${day.charAt(0).toUpperCase()}${day.slice(1)}` };
}

const fields = laterCode(async () => import('./VatNeedFields.tsx'));

/** Asks for what the VAT treatments of the lines demand: a country, a customer's VAT number (VAT-6). */
function VatNeeds({ form }: FormProps) {
  const { control } = form;
  const lines = useWatch({ control, name: 'invoiceLines' }) ?? [];
  const country = useWatch({ control, name: 'deliveryCountry' });
  const needs = new Set(
    lines.map((line) => (line?.vatTreatment ? treatmentOf(line.vatTreatment).needs : null)),
  );
  const asksCountry = needs.has('FOREIGN_COUNTRY') || Boolean(country);
  const asksNumbers = needs.has('BUYER_VAT_NUMBER');
  return asksCountry || asksNumbers ? (
    <NeededFields {...{ form, asksCountry, asksNumbers }} />
  ) : null;
}

interface NeededFieldsProps extends FormProps {
  readonly asksCountry: boolean;
  readonly asksNumbers: boolean;
}

/** Loaded only when asked for: few invoices need them. */
function NeededFields({ form, asksCountry, asksNumbers }: NeededFieldsProps) {
  const code = useLaterCode(fields, { isNeeded: true, what: 'Feltene' });
  if (!code) return null;
  return (
    <>
      {asksCountry ? <code.DeliveryCountryField form={form} /> : null}
      {asksNumbers ? <code.MissingVatNumbers form={form} /> : null}
    </>
  );
}
