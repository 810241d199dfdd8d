import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { shouldRetryUnlessRefused } from '../../lib/query-client.ts';
import type { Found, ImportKind, ImportRequest, ListedRow } from './import-kind.ts';
import type { SourcedRow } from './rows.ts';

const ids = new WeakMap<readonly unknown[], number>();
let lastId = 0;

/** An id for a list, since the rows are too long for a query key. */
function idOf(rows: readonly unknown[]): number {
  const id = ids.get(rows) ?? (lastId += 1);
  ids.set(rows, id);
  return id;
}

/** A dry run of the import: its result and its faults. */
export function importCheckQuery<R extends ListedRow, F extends Found>(
  { send, subject }: ImportKind<R, F>,
  rows: readonly SourcedRow<R>[],
  onProgress: (share: number) => void,
) {
  return queryOptions({
    queryKey: [subject, idOf(rows)],
    queryFn: async ({ signal }): Promise<Checked<R, F>> => {
      const body = { rows: rows.map(({ row }) => row) };
      return {
        rows,
        found: await send({ query: { dryRun: 'true' }, body }, { signal, onProgress }),
      };
    },
    // Not kept: a changed list gets a new key, and the old one is not used again.
    gcTime: 0,
    staleTime: Infinity,
    retry: shouldRetryUnlessRefused,
    placeholderData: keepPreviousData,
  });
}

export interface Checked<R, F> {
  readonly rows: readonly SourcedRow<R>[];
  readonly found: F;
}

/** Imports records, and reports the share sent, from 0 to 1. */
export function useImport<R extends ListedRow, F extends Found>(kind: ImportKind<R, F>) {
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    mutationFn: async (body: ImportRequest<R>['body']) => {
      setShare(0);
      return kind.send({ query: {}, body }, { onProgress: setShare });
    },
    meta: { changes: kind.changes, renewal: 'after' },
  });
  return { ...mutation, share };
}
