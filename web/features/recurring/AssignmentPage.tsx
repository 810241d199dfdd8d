import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { InvoiceSums } from '../invoice/InvoiceSums.tsx';
import { LineTable } from '../invoice/LineTable.tsx';
import { draftTotals } from '../invoice/line-sums.ts';
import { groupText, type Recipients, useNamedRecipients } from '../editor/recipients.ts';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';
import { paths } from '../../lib/paths.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { Definitions } from '../../ui/Definitions.tsx';
import { DeleteButton } from '../../forms/DeleteButton.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { RecordPage } from '../../ui/RecordPage.tsx';
import { Card, Skeleton } from '../../ui/Surface.tsx';
import { May } from '../session/Allowed.tsx';
import { AssignmentActions, AssignmentNotice } from './AssignmentActions.tsx';
import { endText, intervalText, MODE_LABELS, STATE_LABELS } from './recurring-labels.ts';
import { RunHistory } from './RunHistory.tsx';
import { assignmentQuery, previewQuery, useDeleteAssignment } from './recurring.api.ts';
import { DateTiles } from './DateTiles.tsx';

export function AssignmentPage() {
  const uuid = useParams()['uuid'] ?? '';
  const query = useQuery(assignmentQuery(uuid));
  return (
    <RecordPage
      heading={query.data?.name ?? 'Fast oppdrag'}
      aside={query.data ? <LabelBadge label={STATE_LABELS[query.data.state]} /> : null}
      actions={query.data ? <AssignmentActions assignment={query.data} /> : null}
      query={query}
    >
      {(assignment) => <AssignmentView key={assignment.uuid} assignment={assignment} />}
    </RecordPage>
  );
}

function AssignmentView({ assignment }: { assignment: Assignment }) {
  const recipients = useNamedRecipients(assignment);
  const remove = useDeleteAssignment();
  return (
    <>
      <AssignmentNotice assignment={assignment} />
      <Content assignment={assignment} recipients={recipients} />
      <NextDates assignment={assignment} />
      <RunHistory assignment={assignment} />
      <May permission="edit">
        <DeleteButton
          label="Slett fast oppdrag"
          title="Slette fast oppdrag"
          remove={remove}
          value={assignment.uuid}
          to={paths.assignments}
        >
          {() =>
            `Oppdraget ${assignment.name} slettes, og det lages ikke flere fakturaer av det. Fakturaene som er laget, beholdes.`
          }
        </DeleteButton>
      </May>
    </>
  );
}

/** The content of the invoices, from the assignment or from its template as it is now. */
function Content({ assignment, recipients }: { assignment: Assignment; recipients: Recipients }) {
  const { templateId, nextDate, firstDate, mode } = assignment;
  const templates = useQuery({ ...invoiceTemplatesQuery, enabled: templateId !== null });
  const template = templates.data?.find(({ id }) => id === templateId);
  const { deliveryType, dueDays } = template ?? assignment;
  const lines = template?.lines ?? assignment.invoiceLines;
  const link = templateId === null ? null : paths.template(templateId);
  return (
    <>
      <Card>
        <Definitions
          items={[
            { term: 'Mottakere', value: <RecipientNames recipients={recipients} />, wide: true },
            { term: 'Hvor ofte', value: intervalText(assignment), wide: true },
            { term: 'Neste dato', value: nextDate && formatDate(nextDate), numeric: true },
            { term: 'Første dato', value: formatDate(firstDate), numeric: true },
            { term: 'Slutter', value: endText(assignment) },
            { term: 'På datoen', value: MODE_LABELS[mode] },
            ...(link
              ? [{ term: 'Mal', value: <Link to={link}>{template?.name ?? templateId}</Link> }]
              : []),
            { term: 'Leveringsmetode', value: deliveryType && DELIVERY_TYPE_NAMES[deliveryType] },
            { term: 'Dager til forfall', value: dueDays },
          ]}
        />
      </Card>
      {lines ? (
        <Card flush heading={template ? 'Linjer fra malen' : 'Linjer'}>
          <LineTable
            lines={lines.map((line, index) => ({ ...line, id: index }))}
            footer={<InvoiceSums totals={draftTotals(lines)} totalLabel="Totalt" />}
          />
        </Card>
      ) : null}
    </>
  );
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
