import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { LoadFailure } from './Surface.tsx';
import { Button } from './Button.tsx';

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

/** A page of a list: with its position, or its rows only. */
type PageOf<Row> =
  | readonly Row[]
  | { readonly results: readonly Row[]; readonly preceding: string | null };

/** The key of a row: one of these fields. */
interface Named {
  readonly uuid?: string;
  readonly periodFrom?: string;
}

interface Paged {
  readonly pages: readonly PageOf<Named>[];
}

function nameOf({ uuid, periodFrom }: Named): string | undefined {
  return uuid ?? periodFrom;
}

function rowsIn<Row>(page: PageOf<Row>): readonly Row[] {
  return 'results' in page ? page.results : page;
}

/** The rows of all pages, without duplicates. A row may have moved between pages while they were fetched. */
export function rowsOf<Row extends Named>(pages: readonly PageOf<Row>[]): Row[] {
  return [...new Map(pages.flatMap(rowsIn).map((row) => [nameOf(row), row])).values()];
}

/** Whether rows moved between pages while the pages were fetched. */
export function haveMoved(pages: Paged['pages']): boolean {
  const isCut = pages.some((page, index) => {
    const before = pages[index - 1];
    if (!before || !('preceding' in page)) return false;
    const last = rowsIn(before).at(-1);
    return last !== undefined && page.preceding !== nameOf(last);
  });
  return isCut || rowsOf(pages).length < pages.flatMap(rowsIn).length;
}
