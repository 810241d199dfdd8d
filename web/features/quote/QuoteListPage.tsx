import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';

import { PAGE_SIZE } from '../../../domain/api/pages.ts';
import { formatDate } from '../../../domain/date.ts';
import { formatKroner, formatSum } from '../../../domain/money.ts';
import type { Quote, QuotePage } from '../../../domain/quote/quote.schema.ts';
import {
  LISTED_QUOTE_STATES,
  type ListedQuoteState,
  QUOTE_STATE_NAMES,
} from '../../../domain/quote/quote.state.ts';
import { showDay } from '../../lib/date-text.ts';
import { countOf, showCount } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { FileIcon, SearchIcon } from '../../ui/icons.tsx';
import { ListPage, useListSearch } from '../../ui/ListPage.tsx';
import type { ListColumn } from '../../ui/ListTable.tsx';
import { Card, EmptyState, PageSkeleton, Skeleton } from '../../ui/Surface.tsx';
import sums from '../payment/OwedSums.module.css';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { useCan, useSession } from '../session/session.api.ts';
import { stateLabel } from './quote-labels.ts';
import { quotesQuery } from './quote.api.ts';
import styles from './QuoteListPage.module.css';

const COLUMNS: readonly ListColumn<Quote>[] = [
  {
    heading: 'Nummer',
    width: '104px',
    outline: '32px',
    numeric: true,
    cell: ({ quoteNumber }) => quoteNumber ?? '–',
  },
  {
    heading: 'Kunde',
    kind: 'main',
    outline: '180px',
    path: ({ uuid }) => paths.quote(uuid),
    cell: ({ customerName, title }) => (
      <>
        {customerName}
        <p className="aside">{title}</p>
      </>
    ),
  },
  {
    heading: 'Sendt',
    width: '120px',
    numeric: true,
    outline: '80px',
    cell: ({ sentAt }) => (sentAt === null ? '–' : showDay(sentAt)),
  },
  {
    heading: 'Gyldig til',
    width: '120px',
    numeric: true,
    outline: '80px',
    cell: ({ validUntil }) => formatDate(validUntil),
  },
  {
    heading: 'Sum',
    width: '150px',
    align: 'end',
    kind: 'amount',
    outline: '80px',
    cell: ({ grossAmount }) => `${formatKroner(grossAmount)} kr`,
  },
  {
    heading: 'Status',
    width: '170px',
    kind: 'below',
    outline: '64px',
    cell: ({ state, quoteNumber }) => (
      <>
        <LabelBadge label={stateLabel(state)} />
        {quoteNumber === null ? null : (
          <span className={styles.number}>{` Tilbud\u00A0${quoteNumber}`}</span>
        )}
      </>
    ),
  },
];

export function QuoteListPage() {
  const { session } = useSession();
  const [address] = useSearchParams();
  const [state, setState] = useState(stateIn(address.get('state')));
  const search = useListSearch({ state });
  const list = useQuery(quotesQuery({ query: search.query, state, page: search.page }));
  const canEdit = useCan('edit');
  const { data } = list;
  // The last page may be gone, because its quotes were deleted.
  const pages = Math.max(1, Math.ceil((data?.count ?? Infinity) / PAGE_SIZE));
  if (search.page > pages) search.setPage(pages);
  const choose = (next: ListedQuoteState | undefined) => {
    setState(next);
    search.setPage(1);
  };
  const isAll = state === undefined && search.query === '';
  const isNew = isAll && data?.results.length === 0 && !list.isPlaceholderData;
  // The session says what stands above the list, and would push it down.
  if (!session) return <PageSkeleton />;
  const incomplete = !session.isProfileCompleted;
  return (
    <ListPage
      heading="Tilbud"
      create={{
        to: canEdit ? paths.quoteCreate : undefined,
        label: 'Nytt tilbud',
        firstLabel: 'Lag det første tilbudet',
        incomplete,
      }}
      notice={
        <>
          {incomplete ? <IncompleteProfile of="tilbud" /> : null}
          {isNew ? null : <QuoteFigures summary={data?.summary} onState={choose} />}
        </>
      }
      query={{ ...list, data: data?.results }}
      search={{
        ...search,
        label: 'Søk etter tilbud',
        placeholder: 'Kunde, nummer eller tittel',
        what: 'tilbud',
        isShown: !isNew,
        total: data?.count,
        size: PAGE_SIZE,
        filter: (
          <SelectField
            label="Status"
            hideLabel
            required
            value={state ?? ''}
            onChange={({ target }) => choose(stateIn(target.value))}
            options={[
              ['', 'Alle statuser'],
              ...LISTED_QUOTE_STATES.map((known) => [known, QUOTE_STATE_NAMES[known]] as const),
            ]}
          />
        ),
      }}
      none={
        state === undefined ? null : (
          <EmptyState
            icon={<SearchIcon />}
            title="Ingen treff"
            action={<Button onClick={() => choose(undefined)}>Vis alle tilbud</Button>}
          >
            Ingen tilbud med status «{QUOTE_STATE_NAMES[state]}»
            {search.query === '' ? '' : ` passer til «${search.query}»`}.
          </EmptyState>
        )
      }
      columns={COLUMNS}
      keyOf={({ uuid }) => uuid}
      short
      empty={{
        icon: <FileIcon />,
        title: 'Ingen tilbud ennå',
        text: 'Skriv hva jobben koster, og send det på e-post. Kunden svarer på nettet, og det som er godtatt, blir faktura med noen trykk.',
      }}
    />
  );
}

function stateIn(text: string | null): ListedQuoteState | undefined {
  return LISTED_QUOTE_STATES.find((known) => known === text);
}

interface QuoteFiguresProps {
  readonly summary: QuotePage['summary'] | undefined;
  readonly onState: (state: ListedQuoteState) => void;
}

/** Shows accepted work to invoice, quotes without an answer, and drafts (QUO-70). */
function QuoteFigures({ summary, onState }: QuoteFiguresProps) {
  const counts = [
    { state: 'SENT', label: 'Venter på svar', count: summary?.sent },
    { state: 'EXPIRED', label: 'Utløpt', count: summary?.expired },
    { state: 'DRAFT', label: 'Utkast', count: summary?.drafts },
  ] as const;
  return (
    <Card>
      <dl className={`row ${sums.sums}`}>
        <div className={sums.sum}>
          <dt className="note">Å fakturere</dt>
          <dd className={`numeric figure ${sums.amount}`}>
            {summary ? `${formatSum(summary.toInvoice)} kr` : <Skeleton width="112px" />}
          </dd>
          <dd className="aside">
            {summary ? 'uten mva.' : <Skeleton width="120px" />}
            {summary?.accepted ? (
              <>
                {', '}
                <button
                  type="button"
                  className={`link ${sums.show}`}
                  onClick={() => onState('TO_INVOICE')}
                >
                  <span className="visually-hidden">Vis å fakturere: </span>
                  {countOf(summary.accepted, 'godtatt', 'godtatte')}
                </button>
              </>
            ) : null}
          </dd>
        </div>
        {counts.map(({ state, label, count }) => (
          <div key={state} className={sums.sum}>
            <dt className="note">{label}</dt>
            <dd className={`numeric figure ${sums.amount}`}>
              {count === undefined ? <Skeleton width="32px" /> : showCount(count)}
            </dd>
            <dd className="aside">
              {count ? (
                <button
                  type="button"
                  className={`link ${sums.show}`}
                  onClick={() => onState(state)}
                >
                  Vis <span className="visually-hidden">{label.toLowerCase()}</span>
                </button>
              ) : (
                // As high as the button that may come.
                '\u00A0'
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
