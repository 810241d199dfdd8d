import type { ChangeEvent } from 'react';

import { readableEmail } from '../../../domain/email.ts';
import { emailForm } from '../../../domain/session/session.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { rememberEmail, rememberTyped, typedEmail, type CodePurpose } from './typed-email.ts';

interface EmailFormProps {
  readonly purpose: CodePurpose;
  readonly submitLabel: string;
  readonly onSubmit: (email: string) => Promise<unknown>;
  readonly pending: boolean;
}

export function EmailForm({ purpose, submitLabel, onSubmit, pending }: EmailFormProps) {
  const form = useSchemaForm(emailForm, { email: typedEmail() });
  const submit = async ({ email }: { email: string }) => {
    rememberEmail(readableEmail(email), purpose);
    await onSubmit(email);
  };
  return (
    <Form form={form} onSubmit={submit} className="stack">
      <TextField
        label="E-post"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        {...fieldProps(form, 'email', {
          onChange: ({ target }: ChangeEvent<HTMLInputElement>) => rememberTyped(target.value),
        })}
      />
      <Button type="submit" variant="primary" pending={pending}>
        {submitLabel}
      </Button>
    </Form>
  );
}
