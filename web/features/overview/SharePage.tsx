import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { showSuccess } from '../../lib/toasts.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { linksQuery } from './overview.api.ts';
import { LinkForm } from './LinkForm.tsx';
import { LinkTable } from './LinkTable.tsx';

/** Makes links that show figures without a login, and lists and ends them (OVER-16). */
export function SharePage() {
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
              <LinkTable links={made} />
            </Card>
          )
        }
      </Fetched>
    </Page>
  );
}

interface NewLinkProps {
  readonly url: string;
  readonly onAnother: () => void;
}

/** Shows the address of a new link, the only time that it is known. */
function NewLink({ url, onAnother }: NewLinkProps) {
  const place = useRef<HTMLDivElement>(null);
  // The form with the pressed button is gone.
  useEffect(() => place.current?.focus(), []);
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    showSuccess('Lenken er kopiert!');
  };
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
        <Button variant="primary" onClick={() => void copy()}>
          Kopier lenken
        </Button>
        <Button onClick={onAnother}>Lag en til</Button>
      </div>
    </div>
  );
}
