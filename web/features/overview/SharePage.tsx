import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Fetched } from '../../ui/Fetched.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { linksQuery } from './overview.api.ts';
import { LinkForm } from './LinkForm.tsx';
import { LinkTable } from './LinkTable.tsx';
import { NewLink } from './NewLink.tsx';

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
