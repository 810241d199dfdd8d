import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { formatDate, formatInstant } from '../../../domain/date.ts';
import { copyText } from '../../lib/copy-text.ts';
import { Alert, Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { NotFound, Page } from '../../ui/Page.tsx';
import { useCan } from '../session/session.api.ts';
import { linksQuery, useRevokeLink } from './overview.api.ts';
import { LinkForm, PERIOD_NAMES, SHOWN_NAMES } from './LinkForm.tsx';
import { showDay } from '../../lib/date-text.ts';
import type { OverviewLink } from '../../../domain/overview/overview-link.schema.ts';
import { countOf } from '../../lib/number-text.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ConfirmButton } from '../../ui/ConfirmDialog.tsx';
import { ListTable, type ListColumn } from '../../ui/ListTable.tsx';

export function SharePage() {
  return useCan('members') ? <Share /> : <NotFound />;
}

/** Makes links that show figures without a login, and lists and ends them (OVER-16). */
function Share() {
  const links = useQuery(linksQuery);
  const [url, setUrl] = useState<string>();
  return (
    <Page heading="Del oversikt" width="form">
      <Card heading="Ny lenke">
        {url === undefined ? (
          <LinkForm onMade={setUrl} />
        ) : (
          <NewLink url={url} onAnother={() => setUrl(undefined)} />
        )}
      </Card>
      <Fetched query={links} pending={<Skeleton height="160px" />}>
        {(made) =>
          made.length === 0 ? null : (
            <Card flush heading="Lenker">
              <ListTable label="Lenker" columns={COLUMNS} keyOf={({ uuid }) => uuid} items={made} />
            </Card>
          )
        }
      </Fetched>
    </Page>
  );
}

/** Shows the address of a new link, the only time that it is known. */
function NewLink({ url, onAnother }: { url: string; onAnother: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  // The form with the pressed button is gone.
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className="stack">
      <Alert tone="success" title="Lenken er klar">
        Kopier den nå. Den vises bare denne ene gangen.
      </Alert>
      <TextField
        label="Lenke"
        required
        readOnly
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="row gap-2">
        <Button variant="primary" onClick={() => void copyText(url, 'Lenken er kopiert!')}>
          Kopier lenken
        </Button>
        <Button onClick={onAnother}>Lag en til</Button>
      </div>
    </div>
  );
}

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
        formatInstant(link.expiresAt)
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

function periodText({ from, to, period }: OverviewLink): string {
  if (period) return PERIOD_NAMES[period];
  return from && to ? `${formatDate(from)}–${formatDate(to)}` : '';
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
