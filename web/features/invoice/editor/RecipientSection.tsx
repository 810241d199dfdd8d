import type { ComponentProps } from 'react';
import type { FieldErrors } from 'react-hook-form';

import { useCreateCustomer } from '../../customer/customer.api.ts';
import {
  focusFirstField,
  RecipientPicker,
  type NewCustomerSlot,
} from '../../editor/RecipientPicker.tsx';
import type { FormFault } from '../../../forms/Form.tsx';
import { laterCode } from '../../../lib/later-code.ts';
import { Loading } from '../../../ui/Loading.tsx';
import { useLaterCode } from '../../../ui/useLaterCode.ts';

interface RecipientSectionProps extends Omit<
  ComponentProps<typeof RecipientPicker>,
  'NewCustomer'
> {
  readonly label: string;
}

const RECIPIENTS_ID = 'recipients';
const customerForm = laterCode(async () => import('../../customer/CustomerForm.tsx'));

export function recipientFaults(errors: FieldErrors, isOne = false): readonly FormFault[] {
  const isForNobody = errors['customerNumbers'] !== undefined;
  return isForNobody ? [{ id: RECIPIENTS_ID, name: isOne ? 'Kunde' : 'Mottakere' }] : [];
}

/** The recipients, above the form that they belong to: forms cannot be nested, and a new customer has its own form. */
export function RecipientSection({ label, ...picker }: RecipientSectionProps) {
  // Loaded after the screen, so that it is there when 'Ny kunde' is pressed.
  useLaterCode(customerForm);
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
  const need = { isNeeded: true, what: 'Skjemaet', onFailure: onCancel };
  const code = useLaterCode(customerForm, need);
  if (!code) return <Loading />;
  return (
    <div ref={focusFirstField}>
      <code.CustomerForm
        isBrief
        prefilled={searched.includes('@') ? { email: searched } : { name: searched }}
        save={create}
        onSaved={onCreated}
        onCancel={onCancel}
      />
    </div>
  );
}
