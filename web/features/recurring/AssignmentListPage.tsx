import { useQuery } from '@tanstack/react-query';

import { useCan } from '../session/session.api.ts';
import { formatDate } from '../../../domain/date.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { paths } from '../../lib/paths.ts';
import { Badge, LabelBadge } from '../../ui/Badge.tsx';
import { CalendarIcon } from '../../ui/icons.tsx';
import { IncompleteProfile } from '../profile/IncompleteProfile.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { editColumn, type ListColumn } from '../../ui/ListTable.tsx';
import { customerQuery } from '../customer/customer.api.ts';
import { customerGroupsQuery } from '../customer-group/customer-group.api.ts';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { intervalText, obstacleText, recipientsText, STATE_LABELS } from './recurring-labels.ts';
import { assignmentsQuery, useMayChange } from './recurring.api.ts';

const COLUMNS: readonly ListColumn<Assignment>[] = [
  {
    heading: 'Navn',
    kind: 'main',
    outline: '180px',
    path: ({ uuid }) => paths.assignment(uuid),
    cell: ({ name }) => name,
  },
  {
    heading: 'Mottakere',
    width: '200px',
    outline: '120px',
    cell: (assignment) => <RecipientsText assignment={assignment} />,
  },
  { heading: 'Hvor ofte', width: '200px', outline: '140px', cell: intervalText },
  {
    heading: 'Neste dato',
    width: '130px',
    numeric: true,
    outline: '80px',
    cell: ({ nextDate }) => (nextDate === null ? '–' : formatDate(nextDate)),
  },
  {
    heading: 'Status',
    width: '140px',
    outline: '64px',
    cell: (assignment) =>
      obstacleText(assignment) === null ? (
        <LabelBadge label={STATE_LABELS[assignment.state]} />
      ) : (
        <Badge tone="red">Venter</Badge>
      ),
  },
];

export function AssignmentListPage() {
  const query = useQuery(assignmentsQuery);
  const incomplete = useIsProfileIncomplete();
  const canEdit = useCan('edit');
  const mayChange = useMayChange();
  return (
    <ListPage
      heading="Faste oppdrag"
      create={{
        to: canEdit ? paths.assignmentCreate : undefined,
        label: 'Nytt fast oppdrag',
        firstLabel: 'Lag det første oppdraget',
        incomplete,
      }}
      notice={incomplete ? <IncompleteProfile of="faste oppdrag" /> : null}
      query={query}
      columns={[
        ...COLUMNS,
        editColumn<Assignment>(
          (one) => (mayChange(one) ? paths.assignmentEdit(one.uuid) : undefined),
          ({ name }) => name,
        ),
      ]}
      keyOf={({ uuid }) => uuid}
      empty={{
        icon: <CalendarIcon />,
        title: 'Ingen faste oppdrag ennå',
        text: 'Fakturerer du det samme igjen og igjen, som husleie eller serviceavtaler? Si hvem, hva og hvor ofte, så lager Faktur fakturaene når tiden er inne.',
      }}
    />
  );
}

function RecipientsText({ assignment }: { assignment: Assignment }) {
  const { customerNumbers, customerCount, groupUuid } = assignment;
  const customer = useQuery({
    ...customerQuery(customerNumbers[0] ?? 0),
    enabled: customerCount === 1,
  });
  const groups = useQuery({ ...customerGroupsQuery, enabled: groupUuid !== null });
  const group = groups.data?.find(({ uuid }) => uuid === groupUuid)?.groupName;
  return recipientsText(assignment, { group, customer: customer.data?.name });
}
