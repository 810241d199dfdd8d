import { useEffect } from 'react';

import { codeForm, emailForm } from '../../../domain/session/session.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { hasStatus, RequestAborted } from '../../lib/api-error.ts';
import styles from './AuthCard.module.css';

interface CodeFormProps {
  /** The address that got the code; '' shows a field for it. */
  readonly email: string;
  /** Whether typing the code is the only action on the screen, so that its field gets the focus. */
  readonly isAsked: boolean;
  /** The id of the text that says where the code was sent. */
  readonly describedBy: string;
  readonly pending: boolean;
  readonly onSubmit: (code: { email: string; registrationToken: string }) => Promise<unknown>;
}

const schema = codeForm.extend(emailForm.shape);

export function CodeForm({ email, isAsked, describedBy, pending, onSubmit }: CodeFormProps) {
  const form = useSchemaForm(schema, { email, registrationToken: '' });
  const { setFocus } = form;
  const first = email === '' ? 'email' : 'registrationToken';
  // In an effect, so that it runs after the heading has taken the focus, as it does on other screens.
  useEffect(() => {
    if (isAsked) setFocus(first);
  }, [isAsked, first, setFocus]);
  return (
    <Form
      form={form}
      onSubmit={async (code) =>
        onSubmit(code).catch((error: unknown) => {
          setFocus('registrationToken', { shouldSelect: true });
          // The toast says that the code is wrong; the field does not repeat it.
          throw hasStatus(error, 400) ? new RequestAborted() : error;
        })
      }
      className={styles.form}
    >
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
        // Announced with the field, which gets the focus before the text above is read.
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
