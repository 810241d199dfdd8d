import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** A page of a list, or its rows alone. */
type PageOf<Row> =
  | readonly Row[]
  | { readonly results: readonly Row[]; readonly preceding: string | null };

/** What tells one row of a list from the others. */
interface Named {
  readonly uuid?: string;
  readonly periodFrom?: string;
}

export interface Paged {
  readonly pages: readonly PageOf<Named>[];
}

function nameOf({ uuid, periodFrom }: Named): string | undefined {
  return uuid ?? periodFrom;
}

function rowsIn<Row>(page: PageOf<Row>): readonly Row[] {
  return 'results' in page ? page.results : page;
}

/** The rows of all pages. One that moved from a page to the next while they were read is there once. */
export function rowsOf<Row extends Named>(pages: readonly PageOf<Row>[]): Row[] {
  return [...new Map(pages.flatMap(rowsIn).map((row) => [nameOf(row), row])).values()];
}

/** Whether rows have moved across the border of two pages between their readings. */
export function haveMoved(pages: Paged['pages']): boolean {
  const isCut = pages.some((page, index) => {
    const before = pages[index - 1];
    if (!before || !('preceding' in page)) return false;
    const last = rowsIn(before).at(-1);
    return last !== undefined && page.preceding !== nameOf(last);
  });
  return isCut || rowsOf(pages).length < pages.flatMap(rowsIn).length;
}

type PagedList = Pick<UseInfiniteQueryResult<Paged>, 'data' | 'isFetching' | 'refetch'>;

/** Reads a list anew whose pages do not fit together: a row would be hidden, or be there twice. */
export function useWholePages({ data, isFetching, refetch }: PagedList): void {
  // Once for what was read, or a list that changes all the time would be read all the time.
  const read = useRef<unknown>(null);
  useEffect(() => {
    if (!data || isFetching || read.current === data || !haveMoved(data.pages)) return;
    read.current = data;
    void refetch();
  }, [data, isFetching, refetch]);
}
