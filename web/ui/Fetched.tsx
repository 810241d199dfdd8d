import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { LoadFailure } from './Alert.tsx';
import { Loading } from './Loading.tsx';

interface FetchedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'isError'> & { readonly refetch: () => unknown };
  /** Shown until the data arrives; a spinner by default. */
  readonly pending?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Shows a query's data, its failure or a placeholder. Existing data stays when a refetch fails. */
export function Fetched<T>({ query, pending, children }: FetchedProps<T>) {
  const { data, isError, refetch } = query;
  if (data !== undefined) return children(data);
  if (isError) return <LoadFailure onRetry={() => void refetch()} />;
  return pending ?? <Loading />;
}
