import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import type { RequestOf } from '../../../domain/api/endpoint.ts';
import { importCustomers } from '../../../domain/customer/customer.endpoints.ts';
import { callWithProgress } from '../../lib/client.ts';

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
