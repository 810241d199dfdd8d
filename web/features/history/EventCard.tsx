import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { formatInstant } from '../../../domain/date.ts';
import { readableEmail } from '../../../domain/email.ts';
import type { Label } from '../../ui/Badge.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import styles from './EventCard.module.css';

interface Told {
  readonly at: string;
  readonly by: { readonly type: string; readonly name: string };
}

interface EventCardProps<E extends Told> {
  /** Newest first. */
  readonly query: Pick<UseQueryResult<E[]>, 'data' | 'isError'> & {
    readonly refetch: () => unknown;
  };
  readonly labelOf: (event: E) => Label;
  /** The rest of the label, such as a link. */
  readonly moreOf?: (event: E) => ReactNode;
  /** Null when the label says everything. */
  readonly noteOf: (event: E) => string | null;
  /** Below the events. */
  readonly children?: (events: readonly E[]) => ReactNode;
}

/** The history of a document: each event with its author and its time. */
export function EventCard<E extends Told>(props: EventCardProps<E>) {
  const { query, labelOf, moreOf, noteOf, children } = props;
  return (
    <Card heading="Historikk">
      <Fetched query={query} pending={<Skeleton height="120px" />}>
        {(events) => (
          <div className="stack">
            <ol className="unless-empty">
              {numbered(events).map(({ number, event }) => {
                const { text, tone } = labelOf(event);
                const note = noteOf(event);
                return (
                  <li key={number} className={styles.event} data-tone={tone}>
                    <div>
                      <p className="strong">
                        {text}
                        {moreOf?.(event)}
                      </p>
                      {note === null ? null : <p className="note lines">{note}</p>}
                    </div>
                    <p className={`note numeric ${styles.when}`}>
                      <time dateTime={event.at}>{formatInstant(event.at)}</time>
                      <span className="aside">{authorText(event.by)}</span>
                    </p>
                  </li>
                );
              })}
            </ol>
            {children?.(events)}
          </div>
        )}
      </Fetched>
    </Card>
  );
}

/** Numbers events from the oldest, so that an event keeps its key when newer ones arrive. */
function numbered<E>(events: readonly E[]) {
  return events.map((event, index) => ({ number: events.length - index, event }));
}

function authorText({ type, name }: Told['by']): string {
  if (type === 'TOKEN') return `API-nøkkelen «${name}»`;
  if (type === 'STAFF') return `${readableEmail(name)} (driften)`;
  return type === 'ACCOUNT' ? readableEmail(name) : name;
}
