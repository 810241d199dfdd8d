import type { ComponentProps } from 'react';
import type { FieldErrors } from 'react-hook-form';

import { CustomerForm } from '../../customer/CustomerForm.tsx';
import { useCreateCustomer } from '../../customer/customer.api.ts';
import { RecipientPicker, type NewCustomerSlot } from '../../editor/RecipientPicker.tsx';
import type { FormFault } from '../../../forms/FormFaults.tsx';

interface RecipientSectionProps extends Omit<
  ComponentProps<typeof RecipientPicker>,
  'NewCustomer'
> {
  readonly label: string;
}

const RECIPIENTS_ID = 'recipients';

export function recipientFaults(errors: FieldErrors, isOne = false): readonly FormFault[] {
  const isForNobody = errors['customerNumbers'] !== undefined;
  return isForNobody ? [{ id: RECIPIENTS_ID, name: isOne ? 'Kunde' : 'Mottakere' }] : [];
}

/** The recipients, above the form that they belong to: forms cannot be nested, and a new customer has its own form. */
export function RecipientSection({ label, ...picker }: RecipientSectionProps) {
  return (
    <section
      id={RECIPIENTS_ID}
      tabIndex={-1}
      aria-label={label}
      aria-describedby="recipient-errors"
    >
      <RecipientPicker {...picker} NewCustomer={NewCustomer} />
    </section>
  );
}

function NewCustomer({ onCreated, onCancel, searched }: NewCustomerSlot) {
  const create = useCreateCustomer();
  return (
    <CustomerForm
      isBrief
      prefilled={searched.includes('@') ? { email: searched } : { name: searched }}
      submitLabel="Opprett kunde"
      save={create}
      onSaved={onCreated}
      onCancel={onCancel}
    />
  );
}
