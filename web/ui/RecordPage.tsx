import type { ComponentProps, ReactNode } from 'react';

import { hasStatus } from '../lib/api-error.ts';
import { Fetched } from './Fetched.tsx';
import { NotFound } from './NotFound.tsx';
import { Page } from './Page.tsx';

interface RecordPageProps<T> extends Omit<ComponentProps<typeof Page>, 'children'> {
  readonly query: ComponentProps<typeof Fetched<T>>['query'] & { readonly error: Error | null };
  /** As of `Fetched`. */
  readonly pending?: ReactNode;
  readonly children: (record: T) => ReactNode;
}

/** The screen of one record; the page for unknown addresses when there is none. */
export function RecordPage<T>({ query, pending, children, ...page }: RecordPageProps<T>) {
  if (hasStatus(query.error, 404)) return <NotFound />;
  return (
    <Page {...page}>
      <Fetched query={query} pending={pending}>
        {children}
      </Fetched>
    </Page>
  );
}
