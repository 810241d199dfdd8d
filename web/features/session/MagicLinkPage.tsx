import { useEffect, useId, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { LOGIN_MINUTES } from '../../../domain/session/session.schema.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { AuthCard } from './AuthCard.tsx';
import styles from './AuthCard.module.css';
import { CodeForm } from './CodeForm.tsx';
import { useLoginEmail, useRegisterEmail, useVerifyLogin } from './session.api.ts';
import { rememberedEmail, type CodePurpose } from './typed-email.ts';

export function MagicLinkPage() {
  const navigate = useNavigate();
  const verify = useVerifyLogin();
  const [search] = useSearchParams();
  const token = search.get('token');
  const { mutate } = verify;
  const tried = useRef<string>(null);
  useEffect(() => {
    if (!token || tried.current === token) return;
    tried.current = token;
    mutate({ token });
  }, [token, mutate]);

  const intro = useId();
  const byLink = verify.variables?.token !== undefined;
  const { email, purpose } = rememberedEmail();
  const submit = async (code: { email: string; registrationToken: string }) => {
    await verify.mutateAsync(code);
    await navigate(paths.invoices, { replace: true });
  };
  return (
    <AuthCard
      heading="Sjekk din e-post for en kode"
      intro={<Sent id={intro} email={email} />}
      footer={<AnotherCode email={email} purpose={purpose} />}
    >
      {byLink && verify.isPending ? <Spinner label="Logger inn" /> : null}
      {byLink && verify.isError ? (
        <div className={styles.kept}>
          <LinkFailure error={verify.error} onRetry={() => mutate(verify.variables)} />
        </div>
      ) : null}
      <CodeForm
        email={email}
        isAsked={!token}
        describedBy={intro}
        pending={!byLink && verify.isPending}
        onSubmit={submit}
      />
    </AuthCard>
  );
}

/** Explains why the link failed. Any error but a refusal offers a retry, since the link may still be unused. */
function LinkFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (hasStatus(error, 400)) {
    return (
      <Alert tone="warning" live title="Lenken virker ikke lenger.">
        Den kan være brukt eller for gammel. Bruk koden i e-posten, eller be om en ny.
      </Alert>
    );
  }
  return (
    <Alert
      tone="warning"
      live
      title="Vi fikk ikke logget deg inn."
      action={<Button onClick={onRetry}>Prøv igjen</Button>}
    >
      Lenken kan fortsatt virke.
    </Alert>
  );
}

/** Sends another code for the same purpose; links to the login screen when the address is unknown. */
function AnotherCode({ email, purpose }: { email: string; purpose: CodePurpose }) {
  const login = useLoginEmail();
  const register = useRegisterEmail();
  const ask = purpose === 'signup' ? register : login;
  if (email === '') return <Link to={paths.login}>Send en ny kode</Link>;
  return (
    <Button
      variant="quiet"
      pending={ask.isPending}
      onClick={() => ask.mutate({ email }, { onSuccess: () => showSuccess('Ny kode er sendt!') })}
    >
      Send en ny kode
    </Button>
  );
}

function Sent({ id, email }: { id: string; email: string }) {
  return (
    <p id={id}>
      Vi har sendt en kode til {email ? <strong>{email}</strong> : 'e-postadressen din'}. Den går ut
      om {LOGIN_MINUTES} minutter.
    </p>
  );
}
