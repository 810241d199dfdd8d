import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { listAssignments } from '../../../domain/recurring/recurring.endpoints.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { ask } from '../../lib/client.ts';
import { NAMES } from '../../lib/number-text.ts';
import { useFeature, useCan } from '../session/session.api.ts';
import { Alert } from '../../ui/Surface.tsx';

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
  const names = NAMES.format(left.map(({ name }) => `«${name}»`));
  const what = left.length === 1 ? 'det faste oppdraget' : 'de faste oppdragene';
  return <p>{children(`${what} ${names}`)}</p>;
}

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

interface UnlessSentProps {
  /** Whether an assignment makes its invoices of the record. */
  readonly uses: (assignment: Assignment) => boolean;
  readonly children: ReactNode;
}

/** A form whose fields are off, with the reason, where an assignment sends from its record and the caller may not. */
export function UnlessSent({ uses, children }: UnlessSentProps) {
  const sender = useSender()(uses);
  return (
    <>
      {sender === undefined ? null : (
        <div className="above">
          <Alert>{`Det faste oppdraget «${sender}» sender fakturaer herfra av seg selv, og du har ikke tilgang til å sende. En eier i bedriften kan gi deg det.`}</Alert>
        </div>
      )}
      <fieldset disabled={sender !== undefined} className="read-only">
        {children}
      </fieldset>
    </>
  );
}
