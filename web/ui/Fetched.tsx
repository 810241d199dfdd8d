import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { LoadFailure } from './Alert.tsx';
import { Loading } from './Loading.tsx';

interface FetchedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'refetch'>;
  /** Shown until there is an answer; a spinner unless stated. */
  readonly pending?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** What a query answered. Data that is there stays when it cannot be fetched again. */
export function Fetched<T>({ query, pending, children }: FetchedProps<T>) {
  const { data, isError, refetch } = query;
  if (data !== undefined) return children(data);
  if (isError) return <LoadFailure onRetry={() => void refetch()} />;
  return pending ?? <Loading />;
}
