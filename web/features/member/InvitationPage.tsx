import { Link, useNavigate, useSearchParams } from 'react-router';

import { ApiError, hasStatus } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { AuthCard } from '../session/AuthCard.tsx';
import { useSession } from '../session/session.api.ts';
import { useAcceptInvitation } from './member.api.ts';

/** Where a mailed invitation leads. Opening it has no effect: mail programs open links too (WEB-28). */
export function InvitationPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const { session } = useSession();
  const accept = useAcceptInvitation();
  const press = () =>
    accept.mutate(token, {
      onSuccess: ({ company }) => {
        showSuccess(`Velkommen til ${company?.name === '' ? 'bedriften' : company?.name}!`, {
          follows: true,
        });
        void navigate(paths.invoices, { replace: true });
      },
    });
  const isOver = token === '' || hasStatus(accept.error, 404);
  return (
    <AuthCard
      heading="Du er invitert"
      intro={<p>Noen vil dele bedriften sin i Faktur med deg.</p>}
      footer={<Link to={session ? paths.invoices : paths.login}>Gå til Faktur</Link>}
    >
      <div className="stack" aria-live="polite">
        {isOver ? (
          <Alert tone="warning" title="Invitasjonen virker ikke lenger.">
            Den kan være brukt, trukket tilbake eller for gammel. Be om en ny, eller åpne lenken i
            den nyeste e-posten.
          </Alert>
        ) : (
          <>
            {accept.isError ? <Failure error={accept.error} /> : null}
            <p className="soft">
              Når du takker ja, logges du inn med adressen som e-posten kom til.
              {session ? (
                <>
                  {' '}
                  Du er logget inn som <strong>{session.email}</strong> nå.
                </>
              ) : null}
            </p>
            <Button variant="primary" pending={accept.isPending} onClick={press}>
              Takk ja og logg inn
            </Button>
          </>
        )}
      </div>
    </AuthCard>
  );
}

function Failure({ error }: { error: Error }) {
  if (hasStatus(error, 403)) {
    return (
      <Alert tone="warning" title="Invitasjonen gjelder en annen adresse.">
        Logg ut på <Link to={paths.profile}>profilen</Link>, og åpne lenken i e-posten på nytt.
      </Alert>
    );
  }
  return (
    <Alert tone="warning" title="Det gikk ikke akkurat nå.">
      {error instanceof ApiError ? 'Vent litt, og prøv igjen.' : 'Sjekk nettet, og prøv igjen.'}
    </Alert>
  );
}
