import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import { sumKroner } from '../../../domain/money.ts';
import { describePeriod } from '../../../domain/recurring/placeholders.ts';
import {
  type Assignment,
  type AssignmentRun,
  LISTED_INVOICES_MAX,
  type MadeInvoice,
} from '../../../domain/recurring/recurring.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { showCount, showKroner } from '../../lib/number-text.ts';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { ChevronRightIcon, WarningIcon } from '../../ui/icons.tsx';
import { NextPage, rowsOf } from '../../ui/NextPage.tsx';
import { leftText } from './recurring-labels.ts';
import { assignmentRunsQuery } from './recurring.api.ts';
import styles from './RunHistory.module.css';
import { StatusBadge } from '../invoice/StatusBadge.tsx';
import { useFeature } from '../session/session.api.ts';

/** More at once would be too much to read. */
const SHOWN_FIRST = 5;
const SHOWN_MORE = 20;

export function RunHistory({ assignment }: { assignment: Assignment }) {
  const list = useInfiniteQuery(assignmentRunsQuery(assignment));
  return (
    <Card heading="Tidligere fakturaer">
      <Fetched query={list} pending={<Skeleton height="80px" />}>
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <p className="soft">Ingenting ennå.</p>
          ) : (
            <ol className="divided">
              {rowsOf(pages).map((run) => (
                <Run key={run.periodFrom} run={run} />
              ))}
            </ol>
          )
        }
      </Fetched>
      <NextPage list={list} />
    </Card>
  );
}

function Run({ run }: { run: AssignmentRun }) {
  const period = describePeriod({ from: run.periodFrom, to: run.periodTo });
  const { made, failures, lostCustomers } = run;
  const isWhole = made.length === run.invoiceCount && made.length > 0;
  return (
    <li>
      <details open={failures.length > 0}>
        <summary className={`row ${styles.head}`}>
          <ChevronRightIcon />
          <h3 className={styles.period}>{period}</h3>
          {run.state === 'RUNNING' ? <Badge tone="purple">Lages nå</Badge> : null}
          {failures.length > 0 ? (
            <Badge tone="amber">{`${failures.length} ikke sendt`}</Badge>
          ) : null}
          <span className="note">
            {leftText(run)}, datert {formatDate(run.date)}
          </span>
          {isWhole ? (
            <span className="numeric end">
              {showKroner(sumKroner(made.map(({ grossAmount }) => grossAmount)))}
            </span>
          ) : null}
        </summary>
        <div className="stack gap-2">
          <Some items={made} label={`Fakturaer for ${period}`}>
            {(invoice) => <RunInvoice key={invoice.uuid} invoice={invoice} />}
          </Some>
          {made.length === LISTED_INVOICES_MAX ? (
            <p className="soft">
              Er det flere, finner du dem blant <Link to={paths.invoices}>fakturaene</Link>.
            </p>
          ) : null}
          {failures.length > 0 ? (
            <div className="box stack gap-2" data-tone="amber">
              <p className="row gap-2 strong">
                <WarningIcon />
                {failedText(failures.length)}
              </p>
              <Some items={failures} label={`Ikke sendt for ${period}`}>
                {({ customerNumber, customerName, message }) => (
                  <li key={customerNumber}>
                    {customerName === null ? (
                      'En kunde som er slettet'
                    ) : (
                      <Link to={paths.customerEdit(customerNumber)}>{customerName}</Link>
                    )}
                    : {message}
                  </li>
                )}
              </Some>
            </div>
          ) : null}
          {lostCustomers.length > 0 ? <p className="soft">{lostText(lostCustomers)}</p> : null}
        </div>
      </details>
    </li>
  );
}

/** 'Kunde 7 og 12 ble slettet før dette, og fikk ingen faktura.' */
function lostText(numbers: readonly number[]): string {
  const named = new Intl.ListFormat('nb').format(numbers.map(String));
  return `Kunde ${named} ble slettet før dette, og fikk ingen faktura.`;
}

function failedText(count: number): string {
  if (count === 1) return 'Én faktura ble ikke sendt, og ble liggende som utkast';
  const least = count === LISTED_INVOICES_MAX ? 'Minst ' : '';
  return `${least}${showCount(count)} fakturaer ble ikke sendt, og ble liggende som utkast`;
}

interface SomeProps<T> {
  readonly items: readonly T[];
  readonly label: string;
  readonly children: (item: T) => ReactNode;
}

/** The first of them, and the rest as they are asked for. */
function Some<T>({ items, label, children }: SomeProps<T>) {
  const [shown, setShown] = useState(SHOWN_FIRST);
  const left = items.length - shown;
  if (items.length === 0) return null;
  return (
    <>
      <ul className="stack gap-2" aria-label={label}>
        {items.slice(0, shown).map(children)}
      </ul>
      {left > 0 ? (
        <div>
          <Button variant="quiet" onClick={() => setShown(shown + SHOWN_MORE)}>
            Vis {left > SHOWN_MORE ? `${SHOWN_MORE} til av ${left}` : `${left} til`}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function RunInvoice({ invoice }: { invoice: MadeInvoice }) {
  const hasPayments = useFeature('payments');
  const { uuid, invoiceNumber, customerName, grossAmount } = invoice;
  return (
    <li className="row">
      <Link to={paths.invoice(invoiceNumber ?? uuid)} className="grow">
        {invoiceNumber === null ? 'Utkast' : `Faktura ${invoiceNumber}`} til {customerName}
      </Link>
      <span className="numeric">{showKroner(grossAmount)}</span>
      <StatusBadge invoice={invoice} showsPayments={hasPayments} />
    </li>
  );
}
