import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { useCan } from '../session/session.api.ts';
import type { CustomerGroup } from '../../../domain/customer/customer.schema.ts';
import { countOf, showCount } from '../../lib/count.ts';
import { paths } from '../../lib/paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { IconLink } from '../../ui/Button.tsx';
import { FileIcon, LayersIcon, PencilIcon } from '../../ui/icons.tsx';
import { ListPage } from '../../ui/ListPage.tsx';
import type { ListColumn } from '../../ui/ListTable.tsx';
import { useSender } from '../dependents/UnlessSent.tsx';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { customerGroupsQuery } from './customer-group.api.ts';

const COLUMNS: readonly ListColumn<CustomerGroup>[] = [
  {
    heading: 'Navn',
    kind: 'main',
    outline: '180px',
    cell: ({ uuid, groupName }) => <Link to={paths.groupEdit(uuid)}>{groupName}</Link>,
  },
  {
    heading: 'Antall kunder',
    width: '160px',
    align: 'end',
    kind: 'below',
    outline: '32px',
    cell: ({ customerCount }) => showCount(customerCount),
  },
  {
    heading: '',
    label: 'Handlinger',
    width: '120px',
    edits: true,
    cell: (group) => <GroupActions group={group} />,
  },
];

export function GroupListPage() {
  const query = useQuery(customerGroupsQuery);
  const canEdit = useCan('edit');
  return (
    <ListPage
      heading="Kundegrupper"
      aside={
        query.data ? (
          <Badge tone="gray">{countOf(query.data.length, 'gruppe', 'grupper')}</Badge>
        ) : null
      }
      create={{
        to: canEdit ? paths.groupCreate : undefined,
        label: 'Ny gruppe',
        firstLabel: 'Opprett den første gruppen',
      }}
      query={query}
      columns={COLUMNS}
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

function GroupActions({ group: { uuid, groupName } }: { group: CustomerGroup }) {
  const isIncomplete = useIsProfileIncomplete();
  const sender = useSender()(({ groupUuid }) => groupUuid === uuid);
  return (
    <>
      <IconLink
        to={paths.invoiceCreateTo(uuid)}
        label={`Fakturer ${groupName}`}
        icon={<FileIcon />}
        disabled={isIncomplete}
      />
      {sender === undefined ? (
        <IconLink to={paths.groupEdit(uuid)} label={`Endre ${groupName}`} icon={<PencilIcon />} />
      ) : null}
    </>
  );
}
