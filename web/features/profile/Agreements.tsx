import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';

import type { Profile } from '../../../domain/profile/profile.schema.ts';
import { formatInstant } from '../../../domain/date.ts';
import type { EhfAgreement, EhfAgreementStatus } from '../../../domain/ehf/ehf.schema.ts';
import { formatOrgNumber } from '../../../domain/parties.ts';
import { useFeature } from '../session/session.api.ts';
import { Alert, LoadFailure } from '../../ui/Alert.tsx';
import { Badge, type Label, LabelBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { BankIcon, FileIcon } from '../../ui/icons.tsx';
import styles from './Agreements.module.css';
import { ehfAgreementQuery } from './profile.api.ts';
import { kidAgreementQuery, useRequestEhfAgreement } from './settings.api.ts';
import { Fetched } from '../../ui/Fetched.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { KidAgreementForm } from './KidAgreementForm.tsx';

const SOON = <Badge tone="gray">Kommer snart</Badge>;

interface AgreementsProps {
  /** The accounts that a KID agreement can cover. */
  readonly accounts: Profile['bankAccounts'];
}

/** The agreements that a company can have. A card is disabled when its feature is off (PRO-13). */
export function Agreements({ accounts }: AgreementsProps) {
  const sendsEhf = useFeature('ehf');
  const takesPayments = useFeature('payments');
  return (
    <div className="stack gap-4">
      {sendsEhf ? (
        <EhfAgreementAlert />
      ) : (
        <Alert title="Eksisterende avtale!">Utstederavtale med status Y</Alert>
      )}
      <div className={`grid gap-4 ${styles.cards}`}>
        {sendsEhf ? (
          <EhfAgreementCard />
        ) : (
          <AgreementCard
            icon={<FileIcon />}
            title="Efakturautsteder"
            badge={SOON}
            text="Inngå utstederavtale og send efaktura rett til nettbanken."
            action={<Button disabled>Inngå utstederavtale</Button>}
          />
        )}
        {takesPayments ? null : (
          <AgreementCard
            icon={<BankIcon />}
            title="KID/OCR-avtale"
            badge={SOON}
            text="Avtale med banken, så registreres innbetalinger av seg selv."
            action={<Button disabled>Inngå KID-avtale</Button>}
          />
        )}
      </div>
      {takesPayments ? <KidAgreementCard accounts={accounts} /> : null}
    </div>
  );
}

interface AgreementCardProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly badge: ReactNode;
  readonly text: string;
  readonly action: ReactNode;
}

function AgreementCard({ icon, title, badge, text, action }: AgreementCardProps) {
  return (
    <section className={`frame stack gap-3 note ${styles.card}`}>
      <div className="row gap-2">
        {icon}
        <h2>{title}</h2>
        {badge}
      </div>
      <p>{text}</p>
      {action}
    </section>
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

function KidAgreementCard({ accounts }: AgreementsProps) {
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
        <p className="note lead">Legg til en bankkonto i profilen først.</p>
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
