import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { renewAfter, type ChangeKind } from './query-client.ts';

/** Reads again, when a job of the server ends, the queries that it has put out of date. */
export function useRenewalAtEnd(isUnderWay: boolean, changes: ChangeKind): void {
  const queryClient = useQueryClient();
  const wasUnderWay = useRef(false);
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) void renewAfter(queryClient, changes);
    wasUnderWay.current = isUnderWay;
  }, [isUnderWay, queryClient, changes]);
}
