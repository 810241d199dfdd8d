import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import { invitationText } from '../../../domain/member/invitation-text.ts';
import type { Invitation } from '../../../domain/member/member.schema.ts';
import { ApiError, hasStatus } from '../../lib/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { showSuccess } from '../../lib/toasts.ts';
import { Alert, Skeleton } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { AuthCard } from '../session/AuthCard.tsx';
import { useSession } from '../session/session.api.ts';
import { invitationQuery, useAcceptInvitation } from './member.api.ts';

/** Where a mailed invitation leads. Opening it has no effect: mail programs open links too (WEB-28). */
export function InvitationPage() {
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const { session } = useSession();
  const invitation = useQuery({ ...invitationQuery(token), enabled: token !== '' });
  const accept = useAcceptInvitation();
  const isOver = [invitation.error, accept.error].some((error) => hasStatus(error, 404));
  return (
    <AuthCard
      heading="Du er invitert"
      intro={<Intro invitation={invitation.data} isPending={invitation.isLoading} />}
      footer={<Link to={session ? paths.invoices : paths.login}>Gå til Faktur</Link>}
    >
      <div className="stack" aria-live="polite">
        {isOver || token === '' ? (
          <Alert tone="warning" title="Invitasjonen virker ikke lenger.">
            Den kan være brukt, trukket tilbake eller for gammel. Be om en ny, eller åpne lenken i
            den nyeste e-posten.
          </Alert>
        ) : (
          <Acceptance token={token} invited={invitation.data?.email} accept={accept} />
        )}
      </div>
    </AuthCard>
  );
}

/** Says who invites to what as what (MEM-20), as soon as it is read. */
function Intro({ invitation, isPending }: { invitation?: Invitation; isPending: boolean }) {
  if (isPending) return <Skeleton height="3em" />;
  if (!invitation) return <p>Du er invitert til en bedrift i Faktur.</p>;
  const { endsOn } = invitation;
  return (
    <p>
      {invitationText(invitation)}
      {endsOn === null ? null : ` Tilgangen varer til og med ${formatDate(endsOn)}.`}
    </p>
  );
}

interface AcceptanceProps {
  readonly token: string;
  readonly invited: string | undefined;
  readonly accept: ReturnType<typeof useAcceptInvitation>;
}

function Acceptance({ token, invited, accept }: AcceptanceProps) {
  const navigate = useNavigate();
  const { session } = useSession();
  const press = () =>
    accept.mutate(token, {
      onSuccess: ({ company }) => {
        showSuccess(`Velkommen til ${company?.name === '' ? 'bedriften' : company?.name}!`, {
          follows: true,
        });
        void navigate(paths.invoices, { replace: true });
      },
    });
  const isOfOther = session && invited !== undefined && session.email !== invited;
  if (isOfOther || hasStatus(accept.error, 403)) {
    return (
      <Alert tone="warning" title="Invitasjonen gjelder en annen adresse.">
        {session ? `Du er logget inn som ${readableEmail(session.email)}. ` : null}
        Logg ut på <Link to={paths.profile}>profilen</Link>, og åpne lenken i e-posten på nytt.
      </Alert>
    );
  }
  return (
    <>
      {accept.isError ? (
        <Alert tone="warning" title="Det gikk ikke akkurat nå.">
          {accept.error instanceof ApiError
            ? 'Vent litt, og prøv igjen.'
            : 'Sjekk nettet, og prøv igjen.'}
        </Alert>
      ) : null}
      <p className="soft">
        Når du takker ja, logges du inn med{' '}
        {invited === undefined ? (
          'adressen som e-posten kom til'
        ) : (
          <strong>{readableEmail(invited)}</strong>
        )}
        .
      </p>
      <Button variant="primary" pending={accept.isPending} onClick={press}>
        Takk ja og logg inn
      </Button>
    </>
  );
}
