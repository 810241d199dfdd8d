import { type ChangeEvent, type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router';

import { readableEmail } from '../../../domain/email.ts';
import { emailForm } from '../../../domain/session/session.schema.ts';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { paths } from '../../lib/paths.ts';
import { withStorage } from '../../lib/storage.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { PageHeading } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import styles from './AuthCard.module.css';
import type { CodePurpose, useMailCode } from './session.api.ts';

interface AuthCardProps {
  readonly heading: string;
  readonly intro: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
}

export function AuthCard({ heading, intro, children, footer }: AuthCardProps) {
  return (
    <div className={`stack ${styles.place}`}>
      <title>{`${heading} – Faktur`}</title>
      <Card className={styles.card}>
        <PageHeading className={styles.heading ?? ''}>{heading}</PageHeading>
        <div className="soft">{intro}</div>
        {children}
      </Card>
      {footer ? <p className={`soft ${styles.footer}`}>{footer}</p> : null}
    </div>
  );
}

interface EmailFormProps {
  readonly purpose: CodePurpose;
  readonly submitLabel: string;
  readonly ask: ReturnType<typeof useMailCode>;
  readonly autoComplete?: string;
}

/** Asks for the address that gets a code, and leads to the screen of the code. */
export function EmailForm({ purpose, submitLabel, ask, autoComplete = 'email' }: EmailFormProps) {
  const navigate = useNavigate();
  const { typed, email: sentTo } = rememberedEmail();
  const form = useSchemaForm(emailForm, { email: typed ?? sentTo });
  const { setFocus } = form;
  // In an effect, so that it runs after the heading has taken the focus, as it does on other screens.
  useEffect(() => setFocus('email'), [setFocus]);
  const submit = async ({ email }: { email: string }) => {
    rememberEmail({ email: readableEmail(email), purpose, typed: undefined });
    await ask.mutateAsync({ email });
    await navigate(paths.magicLink);
  };
  return (
    <Form form={form} onSubmit={submit} className="stack">
      <TextField
        label="E-post"
        type="email"
        inputMode="email"
        autoComplete={autoComplete}
        required
        {...fieldProps(form, 'email', {
          onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
            rememberEmail({ typed: target.value }),
        })}
      />
      <Button type="submit" variant="primary" pending={ask.isPending}>
        {submitLabel}
      </Button>
    </Form>
  );
}

const KEY = 'faktur.typed-email';

/** The address that got the last code, kept between the screens, also over a reload. */
interface Remembered {
  readonly email: string;
  readonly purpose: CodePurpose;
  /** Typed after that, and not sent. */
  readonly typed?: string | undefined;
}

const NOTHING: Remembered = { email: '', purpose: 'login' };

/** Storage may be switched off; then the code screen asks for the address again. */
export function rememberedEmail(): Remembered {
  const kept = withStorage((storage) => storage.getItem(KEY), 'sessionStorage');
  return { ...NOTHING, ...(JSON.parse(kept ?? '{}') as Partial<Remembered>) };
}

function rememberEmail(change: Partial<Remembered>): void {
  const text = JSON.stringify({ ...rememberedEmail(), ...change });
  withStorage((storage) => storage.setItem(KEY, text), 'sessionStorage');
}
