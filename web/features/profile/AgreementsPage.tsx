import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import type { Profile } from '../../../domain/profile/profile.schema.ts';
import { formatInstant } from '../../../domain/date.ts';
import type { EhfAgreement, EhfAgreementStatus } from '../../../domain/ehf/ehf.schema.ts';
import { formatOrgNumber } from '../../../domain/parties.ts';
import { paths } from '../../lib/paths.ts';
import { useFeature, useSession } from '../session/session.api.ts';
import { Alert, LoadFailure } from '../../ui/Alert.tsx';
import { Badge, type Label, LabelBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Page } from '../../ui/Page.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { AgreementCard, Agreements } from './Agreements.tsx';
import { KidAgreementForm } from './KidAgreementForm.tsx';
import { ehfAgreementQuery, profileQuery } from './profile.api.ts';
import { kidAgreementQuery, useRequestEhfAgreement } from './settings.api.ts';

/** The agreements, as soon as one of their features is on. Until then they stand on the profile. */
export function AgreementsPage() {
  const sendsEhf = useFeature('ehf');
  const takesPayments = useFeature('payments');
  const profile = useQuery(profileQuery);
  if (!useSession().session) return <PageSkeleton />;
  if (!sendsEhf && !takesPayments) return <NotFound />;
  return (
    <Page heading="Avtaler" width="form">
      <Agreements
        {...(sendsEhf && { alert: <EhfAgreementAlert />, ehf: <EhfAgreementCard /> })}
        {...(takesPayments && { kid: null })}
      />
      {takesPayments ? (
        <Fetched query={profile}>
          {({ bankAccounts }) => <KidAgreementCard accounts={bankAccounts} />}
        </Fetched>
      ) : null}
    </Page>
  );
}

const BADGES: Readonly<Record<EhfAgreementStatus, Label>> = {
  NONE: { tone: 'gray', text: 'Ingen avtale' },
  REQUESTED: { tone: 'amber', text: 'Venter på svar' },
  ACTIVE: { tone: 'green', text: 'Aktiv' },
  REVOKED: { tone: 'red', text: 'Avsluttet' },
};

/** The status of the EHF agreement; nothing when none was requested. */
function EhfAgreementAlert() {
  const { data, isError, refetch } = useQuery(ehfAgreementQuery);
  if (isError && !data) return <LoadFailure onRetry={() => void refetch()} />;
  if (!data || data.status === 'NONE') return null;
  return (
    <Alert
      tone={data.status === 'ACTIVE' ? 'success' : data.status === 'REVOKED' ? 'warning' : 'info'}
      title="Eksisterende avtale!"
      live
    >
      {standing(data)}
    </Alert>
  );
}

function standing({ status, orgNumber, requestedAt, approvedAt }: EhfAgreement): string {
  const company = `organisasjonsnummer ${formatOrgNumber(orgNumber ?? '')}`;
  const since = (instant: string | null) => (instant ? formatInstant(instant) : '');
  switch (status) {
    case 'ACTIVE':
      return `Utstederavtalen for ${company} gjelder fra ${since(approvedAt)}. Du kan sende EHF.`;
    case 'REQUESTED':
      return `Du ba om utstederavtale for ${company} ${since(requestedAt)}. Vi sjekker hvem du er, før du kan sende EHF.`;
    default:
      return `Utstederavtalen for ${company} er avsluttet. Den gjelder ikke lenger når organisasjonsnummeret er endret.`;
  }
}

function EhfAgreementCard() {
  const { data } = useQuery(ehfAgreementQuery);
  const request = useRequestEhfAgreement();
  const badge = data ? BADGES[data.status] : null;
  const canAsk = data?.status === 'NONE' || data?.status === 'REVOKED';
  return (
    <AgreementCard
      icon={<FileIcon />}
      title="Efakturautsteder"
      badge={badge ? <LabelBadge label={badge} /> : null}
      text="Inngå utstederavtale og send EHF rett til kundens regnskapssystem."
      action={
        <Button disabled={!canAsk} pending={request.isPending} onClick={() => request.mutate()}>
          Inngå utstederavtale
        </Button>
      }
    />
  );
}

/** @param accounts those that the agreement can cover */
function KidAgreementCard({ accounts }: { accounts: Profile['bankAccounts'] }) {
  const query = useQuery(kidAgreementQuery);
  return (
    <Card
      heading="KID/OCR-avtale"
      aside={
        query.data === undefined ? null : (
          <Badge tone={query.data ? 'green' : 'gray'}>
            {query.data ? 'Aktiv' : 'Ingen avtale'}
          </Badge>
        )
      }
    >
      {accounts.length === 0 ? (
        <p className="note lead">
          Legg til en bankkonto i <Link to={paths.profile}>profilen</Link> først.
        </p>
      ) : (
        <Fetched query={query} pending={<Skeleton height="120px" />}>
          {(agreement) => (
            <>
              <p className="note lead">
                {agreement
                  ? 'Nye fakturaer får KID etter avtalen, og skal betales til kontoen som den gjelder for. Fakturaer som er registrert, beholder sin KID.'
                  : 'Har du en OCR-avtale med banken? Fyll inn det som står i brevet derfra, så får nye fakturaer en KID som banken leser.'}
              </p>
              <KidAgreementForm
                key={agreement ? 'stored' : 'new'}
                agreement={agreement}
                accounts={accounts}
              />
            </>
          )}
        </Fetched>
      )}
    </Card>
  );
}
