import { useQuery } from '@tanstack/react-query';

import type { Reachability } from '../../../domain/ehf/ehf.schema.ts';
import { Badge, type BadgeTone } from '../../ui/Badge.tsx';
import { customerEhfQuery } from './customer.api.ts';

const LABELS: Readonly<Record<Reachability, { tone: BadgeTone; label: string }>> = {
  REACHABLE: { tone: 'green', label: 'Kan motta EHF' },
  NOT_REGISTERED: { tone: 'gray', label: 'Kan ikke motta EHF' },
  FORMAT_UNSUPPORTED: { tone: 'gray', label: 'Kan ikke motta EHF' },
  UNKNOWN: { tone: 'amber', label: 'Ukjent' },
};

/** Shows whether a customer can receive EHF. A failed lookup is shown as unknown, never as no. */
export function CustomerEhf({ customerNumber }: { customerNumber: number }) {
  const { data, isPending } = useQuery(customerEhfQuery(customerNumber));
  if (isPending) return <Badge tone="gray">Sjekker EHF …</Badge>;
  const status = data?.status ?? 'UNKNOWN';
  const { tone, label } = LABELS[status];
  return (
    <span>
      {status === 'UNKNOWN' ? 'EHF: ' : null}
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}
