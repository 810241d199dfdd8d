import { z } from 'zod/mini';

import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { codeForm, emailForm, LOGIN_MINUTES } from '../../../domain/session/session.schema.ts';
import { hasStatus, RequestAborted } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { Alert } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { fieldProps, Form, useSchemaForm } from '../../forms/Form.tsx';
import { showSuccess } from '../../lib/toasts.ts';
import { AuthCard, rememberedEmail } from './AuthCard.tsx';
import { CodeField } from './CodeField.tsx';
import {
  codeScreen,
  type CodePurpose,
  settingsQuery,
  useMailCode,
  useVerifyLogin,
} from './session.api.ts';

/** Null when it cannot be loaded, which keeps nobody from logging in. */
const loadOffer = async () => import('./PasskeyOffer.tsx').catch(() => null);
type Offer = NonNullable<Awaited<ReturnType<typeof loadOffer>>>['PasskeyOffer'];

export function MagicLinkPage() {
  const navigate = useNavigate();
  const [Offer, setOffer] = useState<Offer>();
  const enter = useCallback(() => {
    codeScreen.stays = false;
    void navigate(paths.invoices, { replace: true });
  }, [navigate]);
  // The browser's Back leaves the offer too.
  useEffect(() => () => void (codeScreen.stays = false), []);
  return Offer ? (
    <Offer onDone={enter} />
  ) : (
    <Code onEnter={enter} onOffer={(offer) => setOffer(() => offer)} />
  );
}

interface CodeProps {
  readonly onEnter: () => void;
  readonly onOffer: (offer: Offer) => void;
}

function Code(after: CodeProps) {
  const verify = useVerifyLogin();
  const link = useVerifyLogin(true);
  const [search] = useSearchParams();
  const token = search.get('token');
  const { mutate } = link;
  const tried = useRef<string>(null);
  useEffect(() => {
    if (!token || tried.current === token) return;
    tried.current = token;
    mutate({ token });
  }, [token, mutate]);

  const intro = useId();
  const { email, purpose } = rememberedEmail();
  return (
    <AuthCard
      heading="Sjekk din e-post for en kode"
      intro={
        <p id={intro}>
          Vi har sendt en kode til {email ? <strong>{email}</strong> : 'e-postadressen din'}. Den
          går ut om {LOGIN_MINUTES} minutter.
        </p>
      }
      footer={<AnotherCode email={email} purpose={purpose} />}
    >
      {link.isPending ? <Spinner label="Logger inn" /> : null}
      {link.isError && verify.isIdle ? (
        <div className="above">
          <LinkFailure error={link.error} onRetry={() => mutate(link.variables)} />
        </div>
      ) : null}
      <CodeForm email={email} isAsked={!token} describedBy={intro} verify={verify} {...after} />
    </AuthCard>
  );
}

interface CodeFormProps extends CodeProps {
  /** The address that got the code; '' shows a field for it. */
  readonly email: string;
  /** Whether typing the code is the only action on the screen, so that its field gets the focus. */
  readonly isAsked: boolean;
  /** The id of the text that says where the code was sent. */
  readonly describedBy: string;
  readonly verify: ReturnType<typeof useVerifyLogin>;
}

const codeAndEmail = z.extend(codeForm, emailForm.shape);

function CodeForm({ email, isAsked, describedBy, verify, onEnter, onOffer }: CodeFormProps) {
  const settings = useQuery(settingsQuery);
  const form = useSchemaForm(codeAndEmail, { email, registrationToken: '' });
  const { setFocus } = form;
  const first = email === '' ? 'email' : 'registrationToken';
  // In an effect, so that it runs after the heading has taken the focus, as it does on other screens.
  useEffect(() => {
    if (isAsked) setFocus(first);
  }, [isAsked, first, setFocus]);
  return (
    <Form
      form={form}
      onSubmit={async (code) => {
        const offer = settings.data?.passkeys ? await loadOffer() : null;
        // The session is shown before this goes on.
        codeScreen.stays = offer !== null;
        const session = await verify.mutateAsync(code).catch((error: unknown) => {
          codeScreen.stays = false;
          setFocus('registrationToken', { shouldSelect: true });
          // The toast says that the code is wrong; the field does not repeat it.
          throw hasStatus(error, 400) ? new RequestAborted() : error;
        });
        if (offer?.isOfferDue(session)) onOffer(offer.PasskeyOffer);
        else onEnter();
      }}
      className="stack"
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
      <CodeField form={form} describedBy={describedBy} />
      <Button type="submit" variant="primary" pending={verify.isPending}>
        Logg inn
      </Button>
    </Form>
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
  const ask = useMailCode(purpose);
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
