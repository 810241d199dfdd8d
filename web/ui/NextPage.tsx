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
  /** Its room in what surrounds it. */
  readonly className?: string | undefined;
}

/** What fetches more of a list, below it; nothing when all is there. */
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
