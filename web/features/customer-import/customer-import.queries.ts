import { keepPreviousData, queryOptions } from '@tanstack/react-query';

import { importCustomers } from '../../../domain/customer/customer.endpoints.ts';
import type { CustomerImportResult } from '../../../domain/customer/customer-import.schema.ts';
import { callWithProgress } from '../../lib/client.ts';
import type { SourcedRow } from './rows.ts';
import { shouldRetryUnlessRefused } from '../../lib/query-client.ts';

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

/** Rows, and the result of checking them. */
export interface Checked {
  readonly rows: readonly SourcedRow[];
  readonly found: CustomerImportResult;
}
