import { codeForm, emailForm } from '../../../domain/session/session.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, Form, useSchemaForm } from '../../ui/Form.tsx';
import styles from './AuthCard.module.css';

interface CodeFormProps {
  /** The address that the code was mailed to; asked for where it is not known. */
  readonly email: string;
  readonly pending: boolean;
  readonly onSubmit: (code: { email: string; registrationToken: string }) => Promise<unknown>;
}

const schema = codeForm.extend(emailForm.shape);

export function CodeForm({ email, pending, onSubmit }: CodeFormProps) {
  const form = useSchemaForm(schema, { email, registrationToken: '' });
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
