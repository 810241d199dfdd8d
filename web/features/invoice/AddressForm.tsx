import { useEffect } from 'react';
import { z } from 'zod/mini';

import { requiredEmail } from '../../../domain/text.ts';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/Modal.tsx';

const addressForm = z.object({ email: requiredEmail() });

interface AddressFormProps {
  readonly label: string;
  readonly email?: string;
  readonly submitLabel: string;
  readonly pending: boolean;
  readonly onClose: () => void;
  /** Closes the dialog unless it rejects. */
  readonly onAddress: (email: string) => Promise<unknown>;
}

/** Asks for an e-mail address in a dialog. */
export function AddressForm(props: AddressFormProps) {
  const { label, email = '', submitLabel, pending, onClose, onAddress } = props;
  const form = useSchemaForm(addressForm, { email });
  const { setFocus } = form;
  // The dialog may have opened before the field existed.
  useEffect(() => setFocus('email'), [setFocus]);
  return (
    <Form
      form={form}
      label="Mottaker"
      onSubmit={async (typed) => {
        await onAddress(typed.email);
        onClose();
      }}
    >
      <TextField label={label} type="email" required {...fieldProps(form, 'email')} />
      <FormButtons label={submitLabel} pending={pending} onCancel={onClose} />
    </Form>
  );
}
