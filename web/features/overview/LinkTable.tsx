import { useState } from 'react';

import { showDay } from '../../lib/date-text.ts';
import type { OverviewLink } from '../../../domain/overview/overview-link.schema.ts';
import { countOf } from '../../lib/count.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { useRevokeLink } from './overview.api.ts';
import { periodText, SHOWN_NAMES } from './link-labels.ts';

const COLUMNS = [
  { heading: 'Lenke' },
  { heading: 'Virker til' },
  { heading: 'Brukt' },
  { heading: '', label: 'Handlinger' },
] as const;

export function LinkTable({ links }: { links: readonly OverviewLink[] }) {
  return (
    <Table label="Lenker" columns={COLUMNS}>
      {links.map((link) => (
        <LinkRow key={link.uuid} link={link} />
      ))}
    </Table>
  );
}

function LinkRow({ link }: { link: OverviewLink }) {
  const { name, shows, email, expiresAt, revokedAt, lastUsedAt, daysUsed } = link;
  const isOver = hasEnded(link);
  return (
    <Row>
      <Cell label="Lenke" main>
        <div>
          {name}
          <div className="note">
            {shows.map((shown) => SHOWN_NAMES[shown]).join(', ')}. {periodText(link)}
            {email ? `. Bare for ${email}` : null}
          </div>
        </div>
      </Cell>
      <Cell label="Virker til" numeric>
        {isOver ? (
          <Badge tone="gray">{revokedAt ? 'Trukket tilbake' : 'Utløpt'}</Badge>
        ) : (
          showDay(expiresAt)
        )}
      </Cell>
      <Cell label="Brukt" numeric>
        {lastUsedAt ? (
          <>
            {showDay(lastUsedAt)}
            <div className="note">{countOf(daysUsed, 'dag', 'dager')} i alt</div>
          </>
        ) : (
          'Ikke ennå'
        )}
      </Cell>
      <Cell actions>{isOver ? null : <RevokeButton link={link} />}</Cell>
    </Row>
  );
}

function hasEnded({ revokedAt, expiresAt }: OverviewLink): boolean {
  return revokedAt !== null || Date.parse(expiresAt) <= Date.now();
}

function RevokeButton({ link: { uuid, name } }: { link: OverviewLink }) {
  const revoke = useRevokeLink();
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        Trekk tilbake
      </Button>
      <ConfirmDialog
        title="Trekke lenken tilbake?"
        confirmLabel="Trekk tilbake"
        open={isAsking}
        pending={revoke.isPending}
        onClose={close}
        onConfirm={() => revoke.mutate(uuid, { onSuccess: close })}
      >
        De som har lenken «{name}», ser ingenting lenger, fra nå av.
      </ConfirmDialog>
    </>
  );
}
