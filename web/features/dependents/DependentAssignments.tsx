import { useQuery } from '@tanstack/react-query';

import { listAssignments } from '../../../domain/recurring/recurring.endpoints.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { ask } from '../../lib/ask.ts';
import { useFeature } from '../session/session.api.ts';

interface DependentAssignmentsProps {
  /** The request of the list: all assignments, or those of a customer. */
  readonly query: { readonly customerNumber?: number };
  readonly uses?: (assignment: Assignment) => boolean;
  /** The sentence about them, from their kind and names: 'det faste oppdraget «Leie»'. */
  readonly children: (assignments: string) => string;
}

/**
 * Names the standing assignments that use a record, in the question whether to delete it. Its folder is its own: the
 * forms of assignments import the folders of the records.
 */
export function DependentAssignments({ query, uses, children }: DependentAssignmentsProps) {
  const enabled = useFeature('recurring');
  const { data } = useQuery({ ...ask('recurring', listAssignments, { query }), enabled });
  const left = data?.filter((one) => one.state !== 'ENDED' && (uses?.(one) ?? true)) ?? [];
  if (left.length === 0) return null;
  const names = new Intl.ListFormat('nb').format(left.map(({ name }) => `«${name}»`));
  const what = left.length === 1 ? 'det faste oppdraget' : 'de faste oppdragene';
  return <p>{children(`${what} ${names}`)}</p>;
}
