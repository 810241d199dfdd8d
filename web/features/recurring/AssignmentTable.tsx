import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { formatDate } from '../../../domain/date.ts';
import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { customerQuery } from '../customer/customer.api.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { IconLink } from '../../ui/Button.tsx';
import { PencilIcon } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { intervalText } from './interval-text.ts';
import { StateBadge } from './StateBadge.tsx';
import { obstacleText, recipientsText } from './recurring-labels.ts';

const COLUMNS = [
  { heading: 'Navn' },
  { heading: 'Mottakere', width: '220px' },
  { heading: 'Hvor ofte', width: '250px' },
  { heading: 'Neste dato', width: '130px' },
  { heading: 'Status', width: '140px' },
  { heading: '', label: 'Endre', width: '80px' },
] as const;
const SKELETON_ROWS = [1, 2, 3];

interface AssignmentTableProps {
  /** Undefined until fetched. */
  readonly assignments: readonly Assignment[] | undefined;
  /** Group names by uuid. */
  readonly groupNames: ReadonlyMap<string, string>;
}

export function AssignmentTable({ assignments, groupNames }: AssignmentTableProps) {
  return (
    <Table label="Faste oppdrag" columns={COLUMNS} busy={!assignments}>
      {assignments
        ? assignments.map((assignment) => (
            <AssignmentRow
              key={assignment.uuid}
              assignment={assignment}
              groupName={groupNames.get(assignment.groupUuid ?? '')}
            />
          ))
        : SKELETON_ROWS.map((row) => <SkeletonRow key={row} />)}
    </Table>
  );
}

interface AssignmentRowProps {
  readonly assignment: Assignment;
  readonly groupName: string | undefined;
}

function AssignmentRow({ assignment, groupName }: AssignmentRowProps) {
  const { uuid, name, nextDate, state } = assignment;
  const isStuck = obstacleText(assignment) !== null;
  return (
    <Row>
      <Cell label="Navn" main>
        <Link to={paths.assignment(uuid)}>{name}</Link>
      </Cell>
      <Cell label="Mottakere">
        <RecipientsText assignment={assignment} groupName={groupName} />
      </Cell>
      <Cell label="Hvor ofte">{intervalText(assignment)}</Cell>
      <Cell label="Neste dato" numeric>
        {nextDate === null ? '–' : formatDate(nextDate)}
      </Cell>
      <Cell label="Status">
        {isStuck ? <Badge tone="red">Venter</Badge> : <StateBadge state={state} />}
      </Cell>
      <Cell actions>
        <IconLink to={paths.assignmentEdit(uuid)} label={`Endre ${name}`} icon={<PencilIcon />} />
      </Cell>
    </Row>
  );
}

/** Shows a single customer by name rather than by count. */
function RecipientsText({ assignment, groupName }: AssignmentRowProps) {
  const { customerNumbers, customerCount } = assignment;
  const customer = useQuery({
    ...customerQuery(customerNumbers[0] ?? 0),
    enabled: customerCount === 1,
  });
  return recipientsText(assignment, { group: groupName, customer: customer.data?.name });
}

function SkeletonRow() {
  return (
    <Row>
      <Cell main>
        <Skeleton width="180px" />
      </Cell>
      <Cell>
        <Skeleton width="120px" />
      </Cell>
      <Cell>
        <Skeleton width="140px" />
      </Cell>
      <Cell>
        <Skeleton width="80px" />
      </Cell>
      <Cell>
        <Skeleton width="64px" />
      </Cell>
      <Cell />
    </Row>
  );
}
