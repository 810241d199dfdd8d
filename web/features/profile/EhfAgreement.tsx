import { useQuery } from '@tanstack/react-query';

import { formatInstant } from '../../../domain/date.ts';
import type { EhfAgreement, EhfAgreementStatus } from '../../../domain/ehf/ehf.schema.ts';
import { formatOrgNumber } from '../../../domain/parties.ts';
import { Alert, LoadFailure } from '../../ui/Alert.tsx';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { ehfAgreementQuery, useRequestEhfAgreement } from './profile.api.ts';
import { AgreementCard } from './AgreementCard.tsx';

const BADGES: Readonly<Record<EhfAgreementStatus, { tone: BadgeTone; label: string }>> = {
  NONE: { tone: 'gray', label: 'Ingen avtale' },
  REQUESTED: { tone: 'amber', label: 'Venter på svar' },
  ACTIVE: { tone: 'green', label: 'Aktiv' },
  REVOKED: { tone: 'red', label: 'Avsluttet' },
};

/** The status of the EHF agreement; nothing when none was requested. */
export function EhfAgreementAlert() {
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

/** The card for requesting an EHF agreement. */
export function EhfAgreementCard() {
  const { data } = useQuery(ehfAgreementQuery);
  const request = useRequestEhfAgreement();
  const badge = data ? BADGES[data.status] : null;
  const canAsk = data?.status === 'NONE' || data?.status === 'REVOKED';
  return (
    <AgreementCard
      icon={<FileIcon />}
      title="Efakturautsteder"
      badge={badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : null}
      text="Inngå utstederavtale og send EHF rett til kundens regnskapssystem."
      action={
        <Button disabled={!canAsk} pending={request.isPending} onClick={() => request.mutate()}>
          Inngå utstederavtale
        </Button>
      }
    />
  );
}
