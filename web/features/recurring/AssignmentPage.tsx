import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, useParams } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import type { Ore } from '../../../domain/money.ts';
import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { InvoiceSums } from '../invoice/InvoiceSums.tsx';
import { LineTable } from '../invoice/LineTable.tsx';
import { countInvoices } from '../invoice/invoice-labels.ts';
import { groupText, type Recipients } from '../editor/recipients.ts';
import { showCount, showKroner } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { Definitions } from '../../ui/Definitions.tsx';
import { DeleteRecord } from '../../forms/DeleteButton.tsx';
import { Card, Fetched, Skeleton } from '../../ui/Surface.tsx';
import { RecordPage } from '../../ui/Page.tsx';
import { May } from '../session/Allowed.tsx';
import { AssignmentActions, AssignmentNotice } from './AssignmentActions.tsx';
import { endText, intervalText, MODE_LABELS, STATE_LABELS } from './recurring-labels.ts';
import { RunHistory } from './RunHistory.tsx';
import { useRunPlan } from './run-plan.ts';
import { assignmentQuery, previewQuery, useDeleteAssignment } from './recurring.api.ts';
import { DateTiles } from './DateTiles.tsx';

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
        <Fragment key={uuid}>
          <AssignmentNotice assignment={assignment} />
          <Content assignment={assignment} />
          <NextDates assignment={assignment} />
          <RunHistory assignment={assignment} />
          <May permission="edit">
            <DeleteRecord what="fast oppdrag" remove={remove} value={uuid} to={paths.assignments}>
              {`Oppdraget ${assignment.name} slettes, og det lages ikke flere fakturaer av det. Fakturaene som er laget, beholdes.`}
            </DeleteRecord>
          </May>
        </Fragment>
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

const NAMES = new Intl.ListFormat('nb-NO');
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
