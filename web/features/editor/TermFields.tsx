import type { ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';

import {
  DELIVERY_TYPE_NAMES,
  type DeliveryType,
} from '../../../domain/delivery/delivery.schema.ts';
import { ControlledSelect, ControlledNumber } from '../../forms/Controlled.tsx';
import type { FormWithTerms, InvoiceDraft } from './invoice-form-state.ts';
import { DUE_DAYS_MAX } from '../../../domain/terms.ts';
import { MESSAGE_LENGTH } from '../../../domain/profile/profile.schema.ts';
import { fieldProps } from '../../forms/Form.tsx';
import { TextArea } from '../../ui/Field.tsx';

/** The delivery types on offer, and the recipients they do not suit; provided by the page. */
export interface DeliveryChoice {
  readonly types: readonly DeliveryType[];
  /** The names of chosen customers who cannot receive EHF. */
  readonly withoutEhf: readonly string[];
  readonly onChosen?: () => void;
  /** Shown below while E-post is chosen: the customers without an e-mail address. */
  readonly withoutEmail?: ReactNode;
}

interface DeliveryTypeFieldProps {
  readonly locked: boolean;
  readonly delivery: DeliveryChoice;
}

export function DeliveryTypeField({ locked, delivery }: DeliveryTypeFieldProps) {
  const form = useFormContext<FormWithTerms>();
  const { types, withoutEhf, onChosen, withoutEmail } = delivery;
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
        hint={chosen === 'EHF' && withoutEhf.length > 0 ? wayOut(withoutEhf, locked) : ''}
        hintTone="warning"
        options={shown.map((type) => [type, DELIVERY_TYPE_NAMES[type]])}
      />
      {chosen === 'EMAIL' ? withoutEmail : null}
    </>
  );
}

const NAMES = new Intl.ListFormat('nb-NO');
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
