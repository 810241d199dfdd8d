import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { LoadFailure } from './Alert.tsx';
import { Button } from './Button.tsx';
import { haveMoved, type Paged } from '../lib/paged.ts';

interface NextPageProps {
  readonly list: UseInfiniteQueryResult<Paged>;
  /** Sets the spacing. */
  readonly className?: string | undefined;
}

export function NextPage({ list, className }: NextPageProps) {
  const { hasNextPage, isFetchNextPageError, isFetchingNextPage } = list;
  useWholePages(list);
  if (!hasNextPage && !isFetchNextPageError) return null;
  const fetchNext = () => void list.fetchNextPage();
  return (
    <div className={className}>
      {isFetchNextPageError ? (
        <LoadFailure onRetry={fetchNext} />
      ) : (
        <Button pending={isFetchingNextPage} onClick={fetchNext}>
          Hent flere
        </Button>
      )}
    </div>
  );
}

/** Fetches a list again when its pages are inconsistent: a row would be missing or duplicated. */
export function useWholePages({ data, isFetching, refetch }: NextPageProps['list']): void {
  // Once per result. Otherwise a list that changes constantly would be fetched constantly.
  const read = useRef<unknown>(null);
  useEffect(() => {
    if (!data || isFetching || read.current === data || !haveMoved(data.pages)) return;
    read.current = data;
    void refetch();
  }, [data, isFetching, refetch]);
}
