import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';

import { DELIVERY_TYPE_NAMES } from '../../../domain/delivery/delivery.schema.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { hasStatus } from '../../lib/api-error.ts';
import { InvoiceSums } from '../invoice/InvoiceSums.tsx';
import { LineTable } from '../invoice/LineTable.tsx';
import { draftTotals } from '../invoice/line-sums.ts';
import { groupText, type Recipients } from '../editor/recipients.ts';
import { useNamedRecipients } from '../editor/useRecipients.ts';
import { invoiceTemplatesQuery } from '../invoice-template/invoice-template.api.ts';
import { paths } from '../../lib/paths.ts';
import { LabelBadge } from '../../ui/Badge.tsx';
import { DeleteButton } from '../../ui/DeleteButton.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { NotFound } from '../../ui/NotFound.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { AssignmentActions, AssignmentNotice } from './AssignmentActions.tsx';
import { STATE_LABELS } from './recurring-labels.ts';
import { AssignmentSummary } from './AssignmentSummary.tsx';
import { NextDates } from './NextDates.tsx';
import { RunHistory } from './RunHistory.tsx';
import { assignmentQuery, useDeleteAssignment } from './recurring.api.ts';
import { RunInvoice } from './RunInvoice.tsx';

export function AssignmentPage() {
  const uuid = useParams()['uuid'] ?? '';
  const query = useQuery(assignmentQuery(uuid));
  if (hasStatus(query.error, 404)) return <NotFound />;
  return (
    <Page
      heading={query.data?.name ?? 'Fast oppdrag'}
      aside={query.data ? <LabelBadge label={STATE_LABELS[query.data.state]} /> : null}
      actions={query.data ? <AssignmentActions assignment={query.data} /> : null}
    >
      <Fetched query={query}>
        {(assignment) => <AssignmentView key={assignment.uuid} assignment={assignment} />}
      </Fetched>
    </Page>
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
      <RunHistory assignment={assignment} Invoice={RunInvoice} />
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
    </>
  );
}

interface ContentProps {
  readonly assignment: Assignment;
  readonly recipients: Recipients;
}

/** The content of the invoices, from the assignment or from its template as it is now. */
function Content({ assignment, recipients }: ContentProps) {
  const { templateId } = assignment;
  const templates = useQuery({ ...invoiceTemplatesQuery, enabled: templateId !== null });
  const template = templates.data?.find(({ id }) => id === templateId);
  const { deliveryType, dueDays } = template ?? assignment;
  const lines = template?.lines ?? assignment.invoiceLines;
  return (
    <>
      <AssignmentSummary
        assignment={assignment}
        recipients={<RecipientNames recipients={recipients} />}
        terms={[
          ...(templateId === null
            ? []
            : [
                {
                  term: 'Mal',
                  value: (
                    <Link to={paths.template(templateId)}>{template?.name ?? templateId}</Link>
                  ),
                },
              ]),
          {
            term: 'Leveringsmetode',
            value: deliveryType === null ? null : DELIVERY_TYPE_NAMES[deliveryType],
          },
          { term: 'Dager til forfall', value: dueDays },
        ]}
      />
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
