import { useQuery } from '@tanstack/react-query';

import { useCan } from '../session/session.api.ts';
import type { CustomerGroup } from '../../../domain/customer/customer.schema.ts';
import { countOf, showCount } from '../../lib/number-text.ts';
import { paths } from '../../lib/paths.ts';
import { IconLink } from '../../ui/Button.tsx';
import { FileIcon, LayersIcon } from '../../ui/icons.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import { editColumn, type ListColumn } from '../../ui/ListTable.tsx';
import { useSender } from '../dependents/DependentAssignments.tsx';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { customerGroupsQuery } from './customer-group.api.ts';

const COLUMNS: readonly ListColumn<CustomerGroup>[] = [
  {
    heading: 'Navn',
    kind: 'main',
    outline: '180px',
    path: ({ uuid }) => paths.groupEdit(uuid),
    cell: ({ groupName }) => groupName,
  },
  {
    heading: 'Antall kunder',
    width: '160px',
    align: 'end',
    kind: 'below',
    outline: '32px',
    cell: ({ customerCount }) => showCount(customerCount),
  },
];

/** Links to a group's form and to an invoice to its members. */
function useActions(): ListColumn<CustomerGroup> {
  const isIncomplete = useIsProfileIncomplete();
  const senderOf = useSender();
  const edit = editColumn(
    (group: CustomerGroup) =>
      senderOf(({ groupUuid }) => groupUuid === group.uuid)
        ? undefined
        : paths.groupEdit(group.uuid),
    ({ groupName }) => groupName,
    'Handlinger',
  );
  return {
    ...edit,
    width: '120px',
    cell: (group) => (
      <>
        <IconLink
          to={paths.invoiceCreateTo(group.uuid)}
          label={`Fakturer ${group.groupName}`}
          icon={<FileIcon />}
          disabled={isIncomplete}
        />
        {edit.cell(group)}
      </>
    ),
  };
}

export function GroupListPage() {
  const query = useQuery(customerGroupsQuery);
  const canEdit = useCan('edit');
  return (
    <ListPage
      heading="Kundegrupper"
      count={query.data && countOf(query.data.length, 'gruppe', 'grupper')}
      create={{
        to: canEdit ? paths.groupCreate : undefined,
        label: 'Ny gruppe',
        firstLabel: 'Opprett den første gruppen',
      }}
      query={query}
      columns={[...COLUMNS, useActions()]}
      keyOf={({ uuid }) => uuid}
      short
      empty={{
        icon: <LayersIcon />,
        title: 'Ingen grupper ennå',
        text: 'Samle kunder som får den samme fakturaen, så lager du dem alle på én gang.',
      }}
    />
  );
}
