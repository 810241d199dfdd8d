import { useRef } from 'react';
import type { Path, UseFormReturn } from 'react-hook-form';

import { codeForm } from '../../../domain/session/session.schema.ts';
import { fieldProps } from '../../forms/Form.tsx';
import { TextField } from '../../ui/Field.tsx';
import styles from './AuthCard.module.css';

interface CodeFieldProps<Values extends { registrationToken: string }> {
  readonly form: UseFormReturn<Values, unknown, Values>;
  /** The id of the text that says where the code was sent. */
  readonly describedBy: string;
}

/** The field for a mailed code. A whole code is sent by itself (ACC-22). */
export function CodeField<Values extends { registrationToken: string }>({
  form,
  describedBy,
}: CodeFieldProps<Values>) {
  const sent = useRef('');
  const field = fieldProps(form, 'registrationToken' as Path<Values>);
  return (
    <TextField
      label="Kode"
      // Announced with the field, which gets the focus before the text above is read.
      describedBy={describedBy}
      required
      autoComplete="one-time-code"
      autoCapitalize="characters"
      autoCorrect="off"
      spellCheck={false}
      inputClassName={`numeric ${styles.code}`}
      {...field}
      onChange={(event) => {
        void field.onChange(event);
        const { form: element, value } = event.currentTarget;
        const isWhole = codeForm.safeParse({ registrationToken: value }).success;
        // Nothing is left to do. A form that is on its way is sent no other time.
        if (isWhole && sent.current !== value) element?.requestSubmit();
        sent.current = isWhole ? value : '';
      }}
    />
  );
}
