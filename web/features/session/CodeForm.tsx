import { useEffect } from 'react';

import { codeForm, emailForm } from '../../../domain/session/session.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import styles from './AuthCard.module.css';

interface CodeFormProps {
  /** The address that the code was mailed to; asked for where it is not known. */
  readonly email: string;
  /** Whether there is nothing to do but to type the code, so that the field has the focus at once. */
  readonly isAsked: boolean;
  /** The id of what tells where the code was sent. */
  readonly describedBy: string;
  readonly pending: boolean;
  readonly onSubmit: (code: { email: string; registrationToken: string }) => Promise<unknown>;
}

const schema = codeForm.extend(emailForm.shape);

export function CodeForm({ email, isAsked, describedBy, pending, onSubmit }: CodeFormProps) {
  const form = useSchemaForm(schema, { email, registrationToken: '' });
  const { setFocus } = form;
  const first = email === '' ? 'email' : 'registrationToken';
  // Once it is here, and after the heading, which has the focus first on other screens.
  useEffect(() => {
    if (isAsked) setFocus(first);
  }, [isAsked, first, setFocus]);
  return (
    <Form form={form} onSubmit={onSubmit} className={styles.form}>
      {email === '' ? (
        <TextField
          label="E-post"
          type="email"
          autoComplete="email"
          required
          {...fieldProps(form, 'email')}
        />
      ) : null}
      <TextField
        label="Kode"
        // Read aloud with it, since it has the focus before anybody has read what stands above.
        describedBy={describedBy}
        required
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        inputClassName={styles.code ?? ''}
        {...fieldProps(form, 'registrationToken')}
      />
      <Button type="submit" variant="primary" pending={pending} className={styles.submit}>
        Logg inn
      </Button>
    </Form>
  );
}
