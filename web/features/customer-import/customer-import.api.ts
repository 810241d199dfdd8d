import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { importCustomers } from '../../../domain/customer/customer.endpoints.ts';
import { callWithProgress } from '../../lib/client.ts';
import { shouldRetryUnlessRefused } from '../../lib/query-client.ts';
import type { SourcedRow } from './rows.ts';

const ids = new WeakMap<readonly SourcedRow[], number>();
let lastId = 0;

/** An id for a list, since the rows are too long for a query key. */
function idOf(rows: readonly SourcedRow[]): number {
  const id = ids.get(rows) ?? (lastId += 1);
  ids.set(rows, id);
  return id;
}

/** A dry run of the import: its result and its faults. */
export function importCheckQuery(rows: readonly SourcedRow[], onProgress: (share: number) => void) {
  return queryOptions({
    queryKey: ['customer-import', idOf(rows)],
    queryFn: async ({ signal }): Promise<Checked> => {
      const body = { rows: rows.map(({ row }) => row) };
      const request = { query: { dryRun: 'true' as const }, body };
      return {
        rows,
        found: await callWithProgress(importCustomers, request, { signal, onProgress }),
      };
    },
    // Not kept: a changed list gets a new key, and the old one is not used again.
    gcTime: 0,
    staleTime: Infinity,
    retry: shouldRetryUnlessRefused,
    placeholderData: keepPreviousData,
  });
}

export interface Checked {
  readonly rows: readonly SourcedRow[];
  readonly found: CustomerImportResult;
}

/** Imports customers, and reports the share sent, from 0 to 1. */
export function useImportCustomers() {
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    mutationFn: async (body: RequestOf<typeof importCustomers>['body']) => {
      setShare(0);
      return callWithProgress(
        importCustomers,
        { query: {}, body },
        { signal: new AbortController().signal, onProgress: setShare },
      );
    },
    meta: { changes: 'customers', renewal: 'after' },
  });
  return { ...mutation, share };
}
