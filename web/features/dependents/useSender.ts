import { useQuery } from '@tanstack/react-query';

import { listAssignments } from '../../../domain/recurring/recurring.endpoints.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { ask } from '../../lib/ask.ts';
import { useCan, useFeature } from '../session/session.api.ts';

/**
 * Finds the name of an assignment that sends by itself from a template or a group, to a caller who may not send and so
 * may not change these (MEM-4); undefined for others.
 */
export function useSender(): (uses: (assignment: Assignment) => boolean) => string | undefined {
  const hasAssignments = useFeature('recurring');
  const canSend = useCan('issue');
  const enabled = hasAssignments && !canSend;
  const { data } = useQuery({ ...ask('recurring', listAssignments, { query: {} }), enabled });
  const sending = data?.filter(({ state, mode }) => state === 'ACTIVE' && mode === 'SEND') ?? [];
  return (uses) => (enabled ? sending.find(uses)?.name : undefined);
}
