import { showDay } from '../../lib/date-text.ts';
import type { OverviewLink } from '../../../domain/overview/overview-link.schema.ts';
import { countOf } from '../../lib/count.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ConfirmButton } from '../../ui/ConfirmDialog.tsx';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';
import { useRevokeLink } from './overview.api.ts';
import { periodText, SHOWN_NAMES } from './link-labels.ts';

const COLUMNS: readonly ListColumn<OverviewLink>[] = [
  {
    heading: 'Lenke',
    kind: 'main',
    cell: (link) => (
      <div>
        {link.name}
        <div className="note">
          {link.shows.map((shown) => SHOWN_NAMES[shown]).join(', ')}. {periodText(link)}
          {link.email ? `. Bare for ${link.email}` : null}
        </div>
      </div>
    ),
  },
  {
    heading: 'Virker til',
    numeric: true,
    cell: (link) =>
      hasEnded(link) ? (
        <Badge tone="gray">{link.revokedAt ? 'Trukket tilbake' : 'Utløpt'}</Badge>
      ) : (
        showDay(link.expiresAt)
      ),
  },
  {
    heading: 'Brukt',
    numeric: true,
    cell: ({ lastUsedAt, daysUsed }) =>
      lastUsedAt ? (
        <>
          {showDay(lastUsedAt)}
          <div className="note">{countOf(daysUsed, 'dag', 'dager')} i alt</div>
        </>
      ) : (
        'Ikke ennå'
      ),
  },
  {
    heading: '',
    label: 'Handlinger',
    cell: (link) => (hasEnded(link) ? null : <RevokeButton link={link} />),
  },
];

export function LinkTable({ links }: { links: readonly OverviewLink[] }) {
  return <ListTable label="Lenker" columns={COLUMNS} keyOf={({ uuid }) => uuid} items={links} />;
}

function hasEnded({ revokedAt, expiresAt }: OverviewLink): boolean {
  return revokedAt !== null || Date.parse(expiresAt) <= Date.now();
}

function RevokeButton({ link: { uuid, name } }: { link: OverviewLink }) {
  const revoke = useRevokeLink();
  return (
    <ConfirmButton
      variant="quiet"
      label="Trekk tilbake"
      title="Trekke lenken tilbake?"
      confirmLabel="Trekk tilbake"
      pending={revoke.isPending}
      onConfirm={(onSuccess) => revoke.mutate(uuid, { onSuccess })}
    >
      De som har lenken «{name}», ser ingenting lenger, fra nå av.
    </ConfirmButton>
  );
}
