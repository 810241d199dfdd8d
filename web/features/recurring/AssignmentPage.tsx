import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import { type Ore, sumKroner } from '../../../domain/money.ts';
import { describePeriod } from '../../../domain/recurring/placeholders.ts';
import {
  type Assignment,
  type AssignmentRun,
  LISTED_INVOICES_MAX,
  type MadeInvoice,
} from '../../../domain/recurring/recurring.schema.ts';
import { DeleteRecord } from '../../forms/DeleteButton.tsx';
import { NAMES, showCount, showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { Badge, LabelBadge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Definitions } from '../../ui/Definitions.tsx';
import { ChevronRightIcon, WarningIcon } from '../../ui/icons.tsx';
import { NextPage, rowsOf } from '../../ui/NextPage.tsx';
import { RecordPage } from '../../ui/Page.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { groupText, type Recipients } from '../editor/recipients.ts';
import { countInvoices } from '../invoice/invoice-labels.ts';
import { InvoiceSums } from '../invoice/InvoiceSums.tsx';
import { LineTable } from '../invoice/LineTable.tsx';
import { StatusBadge } from '../invoice/StatusBadge.tsx';
import { May } from '../session/Allowed.tsx';
import { useFeature } from '../session/session.api.ts';
import { AssignmentActions, AssignmentNotice, useRunPlan } from './AssignmentActions.tsx';
import { DateTiles } from './DateTiles.tsx';
import { endText, intervalText, leftText, MODE_LABELS, STATE_LABELS } from './recurring-labels.ts';
import {
  assignmentQuery,
  assignmentRunsQuery,
  previewQuery,
  useDeleteAssignment,
} from './recurring.api.ts';
import styles from './RunHistory.module.css';

export function AssignmentPage() {
  const uuid = useParams()['uuid'] ?? '';
  const query = useQuery(assignmentQuery(uuid));
  const remove = useDeleteAssignment();
  return (
    <RecordPage
      heading={query.data?.name ?? 'Fast oppdrag'}
      aside={query.data ? <LabelBadge label={STATE_LABELS[query.data.state]} /> : null}
      actions={query.data ? <AssignmentActions assignment={query.data} /> : null}
      query={query}
    >
      {(assignment) => (
        <>
          <AssignmentNotice assignment={assignment} />
          <Content assignment={assignment} />
          <NextDates assignment={assignment} />
          <RunHistory assignment={assignment} />
          <May permission="edit">
            <DeleteRecord what="fast oppdrag" remove={remove} value={uuid} to={paths.assignments}>
              {`Oppdraget ${assignment.name} slettes, og det lages ikke flere fakturaer av det. Fakturaene som er laget, beholdes.`}
            </DeleteRecord>
          </May>
        </>
      )}
    </RecordPage>
  );
}

/** The content of the invoices, from the assignment or from its template as it is now. */
function Content({ assignment }: { assignment: Assignment }) {
  const { templateId, nextDate, firstDate, mode } = assignment;
  const { recipients, template, type, dueDays, lines, totals, count, missing } =
    useRunPlan(assignment);
  const link = templateId === null ? null : paths.template(templateId);
  return (
    <>
      <Card>
        <Definitions
          items={[
            { term: 'Mottakere', value: <RecipientNames recipients={recipients} />, wide: true },
            ...(count !== null && count > 0 && totals
              ? [
                  {
                    term: 'Hver gang',
                    value: eachTime(count, totals.gross, missing.length),
                    wide: true,
                  },
                ]
              : []),
            { term: 'Hvor ofte', value: intervalText(assignment), wide: true },
            { term: 'Neste dato', value: nextDate && formatDate(nextDate), numeric: true },
            { term: 'Første dato', value: formatDate(firstDate), numeric: true },
            { term: 'Slutter', value: endText(assignment) },
            { term: 'På datoen', value: MODE_LABELS[mode] },
            ...(link
              ? [{ term: 'Mal', value: <Link to={link}>{template?.name ?? templateId}</Link> }]
              : []),
            { term: 'Leveringsmetode', value: type && DELIVERY_TYPE_NAMES[type] },
            { term: 'Dager til forfall', value: dueDays },
          ]}
        />
      </Card>
      {lines ? (
        <Card flush heading={template ? 'Linjer fra malen' : 'Linjer'}>
          <LineTable
            lines={lines.map((line, id) => Object.assign({ id }, line))}
            footer={<InvoiceSums totals={totals ?? null} totalLabel="Totalt" />}
          />
        </Card>
      ) : null}
    </>
  );
}

/** For example '200 fakturaer, 300 000,00 kr. 8 mangler e-post.' */
function eachTime(count: number, gross: Ore, missing: number): string {
  const all = `${countInvoices(count)}, ${showKroner((gross * count) / 100)}`;
  return missing === 0 ? all : `${all}. ${showCount(missing)} mangler e-post.`;
}

const NAMES_MAX = 5;

function RecipientNames({ recipients: { customers, group } }: { recipients: Recipients }) {
  const others = customers.length - NAMES_MAX;
  const names = customers.map(({ name }) => name);
  const shown = others > 1 ? [...names.slice(0, NAMES_MAX), `${others} til`] : names;
  const groupName = group ? [groupText(group)] : [];
  return NAMES.format([...groupName, ...shown]) || 'Ingen';
}

/** The next invoice dates. Nothing for a paused or ended assignment. */
function NextDates({ assignment }: { assignment: Assignment }) {
  const { uuid, interval, day, firstDate, lastDate, occurrences, templateId } = assignment;
  const series = { uuid, interval, day, firstDate, lastDate, occurrences, templateId };
  const preview = useQuery({
    ...previewQuery(series, assignment.nextDate),
    enabled: assignment.state === 'ACTIVE',
  });
  if (assignment.state !== 'ACTIVE') return null;
  return (
    <Card heading="De neste datoene">
      <Fetched query={preview} pending={<Skeleton height="140px" />}>
        {({ periods }) => <DateTiles periods={periods} />}
      </Fetched>
    </Card>
  );
}

/** More at once would be too much to read. */
const SHOWN_FIRST = 5;
const SHOWN_MORE = 20;

function RunHistory({ assignment }: { assignment: Assignment }) {
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
  const named = NAMES.format(numbers.map(String));
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
