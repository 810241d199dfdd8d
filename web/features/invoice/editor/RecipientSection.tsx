import { useEffect, useEffectEvent, useRef, type ComponentProps } from 'react';
import type { FieldErrors } from 'react-hook-form';

import { CustomerForm } from '../../customer/CustomerForm.tsx';
import { useCreateCustomer } from '../../customer/customer.api.ts';
import { RecipientPicker, type NewCustomerSlot } from '../../editor/RecipientPicker.tsx';
import type { FormFault } from '../../../forms/FormFaults.tsx';
import styles from './RecipientSection.module.css';

interface RecipientSectionProps extends Omit<
  ComponentProps<typeof RecipientPicker>,
  'NewCustomer'
> {
  readonly label: string;
  /** How often the form below was submitted. This section takes the focus if nobody is chosen then. */
  readonly submitCount: number;
}

const RECIPIENTS_ID = 'recipients';

/** The entry in the form's fault summary when nobody is chosen. */
export function recipientFaults(errors: FieldErrors, isOne = false): readonly FormFault[] {
  const isForNobody = errors['customerNumbers'] !== undefined;
  return isForNobody ? [{ id: RECIPIENTS_ID, name: isOne ? 'Kunde' : 'Mottakere' }] : [];
}

/** The recipients, above the form that they belong to: forms cannot be nested, and a new customer has its own form. */
export function RecipientSection(props: RecipientSectionProps) {
  const { label, submitCount, ...picker } = props;
  const section = useRef<HTMLElement>(null);
  const isForNobody = picker.errors['customerNumbers'] !== undefined;
  const showRecipients = useEffectEvent(() => {
    if (isForNobody) section.current?.focus();
  });
  useEffect(() => {
    if (submitCount === 0) return undefined;
    // Waits until the form has focused its first fault: this one is above it, perhaps scrolled out of view.
    const frame = requestAnimationFrame(() => showRecipients());
    return () => cancelAnimationFrame(frame);
  }, [submitCount]);
  return (
    <section
      ref={section}
      id={RECIPIENTS_ID}
      tabIndex={-1}
      aria-label={label}
      aria-describedby="recipient-errors"
      className={styles.section}
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
