import type { UseInfiniteQueryResult } from '@tanstack/react-query';

import { LoadFailure } from './Alert.tsx';
import { Button } from './Button.tsx';
import { useWholePages, type Paged } from '../lib/paged.ts';

interface NextPageProps {
  readonly list: Pick<
    UseInfiniteQueryResult<Paged>,
    | 'data'
    | 'fetchNextPage'
    | 'hasNextPage'
    | 'isFetchNextPageError'
    | 'isFetching'
    | 'isFetchingNextPage'
    | 'refetch'
  >;
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
