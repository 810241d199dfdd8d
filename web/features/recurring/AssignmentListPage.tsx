import { useQuery } from '@tanstack/react-query';

import type { Assignment } from '../../../domain/recurring/recurring.schema.ts';
import { customerGroupsQuery } from '../customer-group/customer-group.api.ts';
import { paths } from '../../lib/paths.ts';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Fetched } from '../../ui/Fetched.tsx';
import { FirstLink } from '../../ui/FirstLink.tsx';
import { CalendarIcon, PlusIcon } from '../../ui/icons.tsx';
import { IncompleteProfile } from '../../ui/IncompleteProfile.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card, EmptyState } from '../../ui/Surface.tsx';
import { AssignmentTable } from './AssignmentTable.tsx';
import { assignmentsQuery } from './recurring.api.ts';

const NO_GROUPS: ReadonlyMap<string, string> = new Map();

export function AssignmentListPage() {
  const query = useQuery(assignmentsQuery);
  const incomplete = useIsProfileIncomplete();
  return (
    <Page
      heading="Faste oppdrag"
      actions={
        <ButtonLink
          to={paths.assignmentCreate}
          variant="primary"
          icon={<PlusIcon />}
          disabled={incomplete}
        >
          Nytt fast oppdrag
        </ButtonLink>
      }
    >
      {incomplete ? <IncompleteProfile /> : null}
      <Fetched
        query={query}
        pending={
          <Card flush>
            <AssignmentTable assignments={undefined} groupNames={NO_GROUPS} />
          </Card>
        }
      >
        {(assignments) =>
          assignments.length === 0 ? (
            <NoAssignments incomplete={incomplete} />
          ) : (
            <Assignments assignments={assignments} />
          )
        }
      </Fetched>
    </Page>
  );
}

function Assignments({ assignments }: { assignments: readonly Assignment[] }) {
  const hasGroups = assignments.some(({ groupUuid }) => groupUuid !== null);
  const groups = useQuery({ ...customerGroupsQuery, enabled: hasGroups });
  const names = new Map(groups.data?.map(({ uuid, groupName }) => [uuid, groupName]));
  return (
    <Card flush>
      <AssignmentTable assignments={assignments} groupNames={names} />
    </Card>
  );
}

function NoAssignments({ incomplete }: { incomplete: boolean }) {
  return (
    <Card>
      <EmptyState
        icon={<CalendarIcon size={28} />}
        title="Ingen faste oppdrag ennå"
        action={
          <FirstLink to={paths.assignmentCreate} incomplete={incomplete}>
            Lag det første oppdraget
          </FirstLink>
        }
      >
        Fakturerer du det samme igjen og igjen, som husleie eller serviceavtaler? Si hvem, hva og
        hvor ofte, så lager Faktur fakturaene når tiden er inne.
      </EmptyState>
    </Card>
  );
}
