import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';

import { dateText, formatDate, todayInOslo } from '../../../domain/date.ts';
import { formatSum, sumKroner } from '../../../domain/money.ts';
import type { Overview } from '../../../domain/overview/overview.schema.ts';
import { countOf } from '../../lib/number-text.ts';
import { parseDate } from '../../lib/date-text.ts';
import { paths } from '../../lib/paths.ts';
import { useAddress } from '../../lib/useAddress.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { Card, EmptyState, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { useCan, useFeature } from '../session/session.api.ts';
import { failedQuery } from '../invoice/invoice.api.ts';
import { NotArrived } from '../invoice/NotArrived.tsx';
import { Customers, Outstanding, Turnover, Vat } from './FigureCards.tsx';
import { overviewQuery } from './overview.api.ts';
import styles from './OverviewPage.module.css';

/** How it goes: what was invoiced, its VAT, what is owed and by whom (OVER-8). */
export function OverviewPage() {
  const [search] = useSearchParams();
  const today = todayInOslo();
  const [typed, setTyped] = useState(search.get('as_of') ?? today);
  const [asOf, setAsOf] = useState(dayIn(typed) ?? today);
  const figures = useQuery(overviewQuery(asOf));
  const failed = useQuery(failedQuery);
  const exports = useFeature('export');
  const canExport = useCan('export');
  const canShare = useCan('members');
  useAddress({ as_of: asOf === today ? undefined : asOf });
  const choose = (text: string) => {
    setTyped(text);
    const day = dayIn(text);
    if (day) setAsOf(day);
  };
  return (
    <Page
      heading="Oversikt"
      actions={
        <>
          {canShare ? <ButtonLink to={paths.overviewShare}>Del oversikt</ButtonLink> : null}
          {exports && canExport ? <ButtonLink to={paths.exports()}>Eksporter</ButtonLink> : null}
        </>
      }
    >
      <Fetched query={failed.isPending ? failed : figures} pending={<Skeleton height="140px" />}>
        {(overview) => (
          <div className="stack preview" data-old={figures.isPlaceholderData || undefined}>
            <NotArrived count={failed.data?.count} />
            {isEmpty(overview) ? (
              <Empty day={asOf === today ? null : asOf} />
            ) : (
              <Sums overview={overview} asOf={asOf} />
            )}
          </div>
        )}
      </Fetched>
      <div className={styles.day}>
        <DateField
          label="Per dato"
          required
          value={typed}
          onChange={choose}
          error={parseDate(typed) && !dayIn(typed) ? 'Skriv en dato fra 1900 til 2999.' : undefined}
          hint={`Viser året ${asOf.slice(0, 4)}, og hva kundene skyldte denne dagen.`}
        />
      </div>
      {figures.data && !isEmpty(figures.data) ? (
        <div className="stack preview" data-old={figures.isPlaceholderData || undefined}>
          <Charts overview={figures.data} asOf={asOf} />
        </div>
      ) : null}
    </Page>
  );
}

const date = dateText();

function dayIn(text: string) {
  const day = parseDate(text);
  return day !== null && date.safeParse(day).success ? day : null;
}

function isEmpty({ turnover, outstanding, customers }: Overview): boolean {
  return (
    turnover.every(({ net, lastYear }) => net === 0 && lastYear === 0) &&
    outstanding.total === 0 &&
    customers.length === 0
  );
}

/** Today nothing was sent yet; on another day there may just be nothing to show. */
function Empty({ day }: { day: string | null }) {
  if (day !== null) {
    return (
      <Card>
        <EmptyState icon={<FileIcon />} title={`Ingen tall per ${formatDate(day)}`}>
          Det er ikke fakturert noe i {day.slice(0, 4)} eller året før, og ingen skyldte deg noe
          denne dagen.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <EmptyState
        icon={<FileIcon />}
        title="Ingen tall ennå"
        action={<ButtonLink to={paths.invoices}>Gå til fakturaene</ButtonLink>}
      >
        Når du har sendt en faktura, ser du her hva du har fakturert, og hva kundene skylder deg.
      </EmptyState>
    </Card>
  );
}

interface FiguresProps {
  readonly overview: Overview;
  readonly asOf: string;
}

function Sums({ overview, asOf }: FiguresProps) {
  const { turnover, outstanding, overdue, medianDays } = overview;
  // The figures of another day are shown until those of this one come.
  const shown = turnover[0]?.month ?? asOf;
  // The list knows what is owed today.
  const isToday = asOf === todayInOslo();
  const late = countOf(overdue.count, 'faktura', 'fakturaer');
  return (
    <dl className={`grid gap-4 ${styles.figures}`}>
      <Figure label={`Omsetning ${shown.slice(0, 4)}`} note="Uten mva, minus kreditnotaer">
        {formatSum(sumKroner(turnover.map(({ net }) => net)))} kr
      </Figure>
      <Figure
        label="Utestående"
        note={
          isToday ? (
            <Link to={paths.invoicesWhere({ status: 'OUTSTANDING', to: asOf })}>
              Se ubetalte fakturaer
            </Link>
          ) : (
            `Per ${formatDate(asOf)}`
          )
        }
      >
        {formatSum(outstanding.total)} kr
      </Figure>
      <Figure
        label="Forfalt"
        isLate={overdue.count > 0}
        note={
          overdue.count === 0 ? (
            'Ingen fakturaer'
          ) : (
            <>
              {isToday ? (
                <Link to={paths.invoicesWhere({ status: 'OVERDUE', to: asOf })}>{late}</Link>
              ) : (
                late
              )}
              {overdue.oldest ? `, den eldste forfalt ${formatDate(overdue.oldest)}` : null}
            </>
          )
        }
      >
        {formatSum(overdue.amount)} kr
      </Figure>
      <Figure label="Vanligvis betalt på" note="Siste 12 måneder">
        {medianDays === null ? '–' : showDays(medianDays)}
      </Figure>
    </dl>
  );
}

function Charts({ overview: { turnover, outstanding, vat, customers }, asOf }: FiguresProps) {
  return (
    <>
      <Turnover turnover={turnover} asOf={turnover[0]?.month ?? asOf} />
      <Outstanding {...{ outstanding, asOf }} isToday={asOf === todayInOslo()} />
      <Vat vat={vat} />
      <Customers customers={customers} asOf={asOf} />
    </>
  );
}

/** '23,5 dager'. */
function showDays(days: number): string {
  return `${String(days).replace('.', ',')} ${days === 1 ? 'dag' : 'dager'}`;
}

interface FigureProps {
  readonly label: string;
  readonly note: ReactNode;
  readonly isLate?: boolean;
  readonly children: ReactNode;
}

function Figure({ label, note, isLate = false, children }: FigureProps) {
  return (
    <div className={`frame ${styles.figure}`}>
      <dt className="note">{label}</dt>
      <dd className="numeric figure toned" data-tone={isLate ? 'red' : undefined}>
        {children}
      </dd>
      <dd className="aside">{note}</dd>
    </div>
  );
}
