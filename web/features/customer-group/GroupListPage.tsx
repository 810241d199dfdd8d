import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import type { CustomerGroup } from '../../../domain/customer/customer.schema.ts';
import { paths } from '../../lib/paths.ts';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ButtonLink, IconLink } from '../../ui/Button.tsx';
import { countOf, showCount } from '../../lib/count.ts';
import { Fetched } from '../../ui/Fetched.tsx';
import { FileIcon, LayersIcon, PencilIcon, PlusIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { Card, EmptyState, Skeleton } from '../../ui/Surface.tsx';
import { Cell, Row, Table } from '../../ui/Table.tsx';
import { customerGroupsQuery } from './customer-group.api.ts';

const COLUMNS = [
  { heading: 'Navn' },
  { heading: 'Antall kunder', width: '160px', align: 'end' },
  { heading: '', label: 'Handlinger', width: '120px' },
] as const;
const SKELETON_ROWS = [1, 2, 3];

export function GroupListPage() {
  const query = useQuery(customerGroupsQuery);
  const incomplete = useIsProfileIncomplete();
  return (
    <Page
      heading="Kundegrupper"
      aside={query.data ? <GroupCount count={query.data.length} /> : null}
      actions={
        <ButtonLink to={paths.groupCreate} variant="primary" icon={<PlusIcon />}>
          Ny gruppe
        </ButtonLink>
      }
    >
      <Fetched query={query} pending={<GroupTable groups={undefined} {...{ incomplete }} />}>
        {(groups) =>
          groups.length === 0 ? <NoGroups /> : <GroupTable {...{ groups, incomplete }} />
        }
      </Fetched>
    </Page>
  );
}

function GroupCount({ count }: { count: number }) {
  return <Badge tone="gray">{countOf(count, 'gruppe', 'grupper')}</Badge>;
}

function NoGroups() {
  return (
    <Card>
      <EmptyState
        icon={<LayersIcon size={28} />}
        title="Ingen grupper ennå"
        action={
          <ButtonLink to={paths.groupCreate} variant="primary" icon={<PlusIcon />}>
            Opprett den første gruppen
          </ButtonLink>
        }
      >
        Samle kunder som får den samme fakturaen, så lager du dem alle på én gang.
      </EmptyState>
    </Card>
  );
}

interface GroupTableProps {
  /** Undefined until fetched. */
  readonly groups: readonly CustomerGroup[] | undefined;
  /** Whether the profile must be completed before the groups can be invoiced. */
  readonly incomplete: boolean;
}

function GroupTable({ groups, incomplete }: GroupTableProps) {
  return (
    <Card flush>
      <Table label="Kundegrupper" columns={COLUMNS} busy={!groups} short>
        {groups
          ? groups.map((group) => <GroupRow key={group.uuid} {...{ group, incomplete }} />)
          : SKELETON_ROWS.map((row) => (
              <Row key={row}>
                <Cell main>
                  <Skeleton width="180px" />
                </Cell>
                <Cell align="end">
                  <Skeleton width="32px" />
                </Cell>
                <Cell />
              </Row>
            ))}
      </Table>
    </Card>
  );
}

function GroupRow({ group, incomplete }: { group: CustomerGroup; incomplete: boolean }) {
  const editPath = paths.groupEdit(group.uuid);
  return (
    <Row>
      <Cell label="Navn" main>
        <Link to={editPath}>{group.groupName}</Link>
      </Cell>
      <Cell label="Antall kunder" align="end" numeric below>
        {showCount(group.customerCount)}
      </Cell>
      <Cell actions>
        <IconLink
          to={paths.invoiceCreateTo(group.uuid)}
          label={`Fakturer ${group.groupName}`}
          icon={<FileIcon />}
          disabled={incomplete}
        />
        <IconLink to={editPath} label={`Endre ${group.groupName}`} icon={<PencilIcon />} />
      </Cell>
    </Row>
  );
}
