import { Link } from 'react-router';

import { emailForm } from '../../../domain/session/session.schema.ts';
import { paths } from '../../paths.ts';
import { typedSoFar } from '../../prerendered.ts';
import { FieldError } from '../../ui/Field.tsx';
import { errorAt, Form, useSchemaForm } from '../../ui/Form.tsx';
import { ArrowRightIcon } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useNewsletterSignup } from '../newsletter.mutations.ts';
import styles from './NewsletterForm.module.css';

export function NewsletterForm() {
  const signup = useNewsletterSignup();
  const form = useSchemaForm(emailForm, { email: typedSoFar('email') });
  const error = errorAt(form.formState.errors, 'email');
  const submit = async ({ email }: { email: string }) => {
    await signup.mutateAsync(email);
    form.reset({ email: '' });
  };
  return (
    <Form form={form} onSubmit={submit} className={styles.form}>
      <h2 className={styles.heading}>Hold deg oppdatert!</h2>
      <div className={styles.row}>
        <input
          type="email"
          inputMode="email"
          autoComplete="email"
          aria-label="E-post"
          placeholder="E-post"
          aria-required="true"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'newsletter-error' : undefined}
          className={styles.input}
          {...form.register('email')}
        />
        <button
          type="submit"
          className={styles.submit}
          aria-label="Meld på"
          aria-disabled={signup.isPending || undefined}
        >
          {signup.isPending ? <Spinner size={18} /> : <ArrowRightIcon />}
        </button>
      </div>
      <FieldError id="newsletter-error" message={error} />
      <p className={styles.consent}>
        Ved å melde deg på godtar du <Link to={paths.privacy}>personvernerklæringen</Link>.
      </p>
    </Form>
  );
}
