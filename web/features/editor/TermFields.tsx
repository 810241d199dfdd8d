import { useState, type ReactNode } from 'react';
import { useFormContext, useWatch, type UseFormReturn } from 'react-hook-form';

import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import type { InvoiceTemplate } from '../../../domain/invoice-template/invoice-template.schema.ts';
import { MESSAGE_LENGTH } from '../../../domain/profile/profile.schema.ts';
import { DUE_DAYS_MAX } from '../../../domain/terms.ts';
import { ControlledSelect, ControlledNumber } from '../../forms/GuardedForm.tsx';
import { fieldProps } from '../../forms/Form.tsx';
import { NAMES } from '../../lib/number-text.ts';
import { ConfirmDialog } from '../../ui/Modal.tsx';
import { SelectField, TextArea, type Option } from '../../ui/Field.tsx';
import { linesOf, type FormWithTerms, type InvoiceDraft } from './draft-values.ts';

/** The delivery types on offer, and the recipients they do not suit; provided by the page. */
export interface DeliveryChoice {
  readonly types: readonly DeliveryType[];
  /** The names of chosen customers who cannot receive EHF. */
  readonly withoutEhf: readonly string[];
  readonly onChosen?: () => void;
  /** The hint unless EHF is chosen. */
  readonly ehfHelp?: ReactNode;
  /** Shown below while E-post is chosen. */
  readonly underEmail?: ReactNode;
}

interface DeliveryTypeFieldProps {
  readonly locked: boolean;
  readonly delivery: DeliveryChoice;
}

export function DeliveryTypeField({ locked, delivery }: DeliveryTypeFieldProps) {
  const form = useFormContext<FormWithTerms>();
  const { types, withoutEhf, onChosen, ehfHelp, underEmail } = delivery;
  const chosen = useWatch({ control: form.control, name: 'deliveryType' });
  const shown = !chosen || types.includes(chosen) ? types : [...types, chosen];
  return (
    <>
      <ControlledSelect
        control={form.control}
        name="deliveryType"
        label="Leveringsmetode"
        required
        disabled={locked}
        onChosen={onChosen}
        hint={chosen === 'EHF' ? withoutEhf.length > 0 && wayOut(withoutEhf, locked) : ehfHelp}
        hintTone={chosen === 'EHF' ? 'warning' : 'plain'}
        options={shown.map((type) => [type, DELIVERY_TYPE_NAMES[type]])}
      />
      {chosen === 'EMAIL' ? underEmail : null}
    </>
  );
}

const NAMES_MAX = 3;

function wayOut(names: readonly string[], locked: boolean): string {
  const others = names.length - NAMES_MAX;
  const listed = NAMES.format(others > 0 ? [...names.slice(0, NAMES_MAX), `${others} til`] : names);
  const advice = locked ? 'Velg bort malen for å bruke E-post.' : 'Velg E-post i stedet.';
  return `Kan ikke motta EHF: ${listed}. ${advice}`;
}

export function DueDaysField({ locked }: { locked: boolean }) {
  const { control } = useFormContext<FormWithTerms>();
  return (
    <ControlledNumber
      control={control}
      name="dueDays"
      label="Dager til forfall"
      required
      min={1}
      max={DUE_DAYS_MAX}
      disabled={locked}
    />
  );
}

/** From this length, the hint shows the number of characters. */
const NEARLY = MESSAGE_LENGTH - 100;

export function MessageField({ hint }: { hint: string }) {
  const form = useFormContext<Pick<InvoiceDraft, 'message'>>();
  const length = useWatch({ control: form.control, name: 'message' })?.length ?? 0;
  return (
    <TextArea
      label="Melding til kunden"
      hint={length > NEARLY ? `${length} av ${MESSAGE_LENGTH} tegn` : hint}
      className="whole-row"
      {...fieldProps(form, 'message')}
    />
  );
}

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
