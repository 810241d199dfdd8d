import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';

import { formatInstant } from '../../../domain/date.ts';
import type { HistoryEvent } from '../../../domain/history/history.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { authorText, eventLabel, eventNote } from './history-labels.ts';
import styles from './HistoryCard.module.css';

export function HistoryCard({ query }: { query: UseQueryResult<HistoryEvent[]> }) {
  return (
    <Card heading="Historikk">
      <Fetched query={query} pending={<Skeleton height="120px" />}>
        {(events) => <Events events={events} />}
      </Fetched>
    </Card>
  );
}

function Events({ events }: { events: readonly HistoryEvent[] }) {
  // Invoices that are older than the history feature lack their first events.
  const isWhole = events.some(({ kind }) => kind === 'CREATED');
  // Numbered from the oldest, so that an event keeps its key when newer ones arrive.
  const numbered = events.map((event, index) => ({ number: events.length - index, event }));
  return (
    <div className="stack">
      <ol className="unless-empty">
        {numbered.map(({ number, event }) => (
          <Event key={number} event={event} />
        ))}
      </ol>
      {isWhole ? null : (
        <p className="note">
          Fakturaen er eldre enn historikken. Det som skjedde før den ble innført, står ikke her.
        </p>
      )}
    </div>
  );
}

function Event({ event }: { event: HistoryEvent }) {
  const { text, tone } = eventLabel(event);
  const note = eventNote(event);
  const { creditNote, credited } = event.details;
  return (
    <li className={styles.event} data-tone={tone}>
      <div>
        <p className="strong">
          {text}
          {creditNote ? (
            <>
              {' med '}
              <Link to={paths.invoice(creditNote.invoiceNumber)}>
                kreditnota {credited === undefined ? 'nr. ' : null}
                {creditNote.invoiceNumber}
              </Link>
            </>
          ) : null}
        </p>
        {note === null ? null : <p className="note">{note}</p>}
      </div>
      <p className={`note numeric ${styles.when}`}>
        <time dateTime={event.at}>{formatInstant(event.at)}</time>
        <span className="aside">{authorText(event.by)}</span>
      </p>
    </li>
  );
}
