import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';

import type { CustomerGroup } from '../../../domain/customer/customer.schema.ts';
import { paths } from '../../lib/paths.ts';
import { DependentAssignments } from '../dependents/DependentAssignments.tsx';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { DeleteButton } from '../../forms/DeleteButton.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { RecordPage } from '../../ui/RecordPage.tsx';
import { GroupForm } from './GroupForm.tsx';
import {
  customerGroupQuery,
  useCreateCustomerGroup,
  useDeleteCustomerGroup,
  useUpdateCustomerGroup,
} from './customer-group.api.ts';

/** A new group, or a change of the one in the address. */
export function GroupEditPage() {
  const { uuid } = useParams();
  return uuid === undefined ? <NewGroup /> : <StoredGroup uuid={uuid} />;
}

function NewGroup() {
  const navigate = useNavigate();
  const create = useCreateCustomerGroup();
  return (
    <Page heading="Opprett kundegruppe" width="form">
      <GroupForm save={create} onSaved={() => void navigate(paths.groups)} />
    </Page>
  );
}

function StoredGroup({ uuid }: { uuid: string }) {
  const query = useQuery(customerGroupQuery(uuid));
  const incomplete = useIsProfileIncomplete();
  return (
    <RecordPage
      heading="Endre kundegruppe"
      width="form"
      actions={
        <ButtonLink to={paths.invoiceCreateTo(uuid)} icon={<FileIcon />} disabled={incomplete}>
          Fakturer gruppen
        </ButtonLink>
      }
      query={query}
    >
      {(group) => <GroupEditor key={group.uuid} group={group} />}
    </RecordPage>
  );
}

function GroupEditor({ group }: { group: CustomerGroup }) {
  const update = useUpdateCustomerGroup(group.uuid);
  const remove = useDeleteCustomerGroup();
  return (
    <>
      <GroupForm group={group} save={update} />
      <DeleteButton
        label="Slett kundegruppe"
        title="Slette kundegruppe"
        remove={remove}
        value={group.uuid}
        to={paths.groups}
      >
        {() => (
          <>
            <p>{`Gruppen ${group.groupName} slettes. Kundene i den beholdes.`}</p>
            <DependentAssignments query={{}} uses={({ groupUuid }) => groupUuid === group.uuid}>
              {(assignments) =>
                `Gruppen er mottaker i ${assignments}. Der lages det ingen fakturaer før noen velger andre mottakere.`
              }
            </DependentAssignments>
          </>
        )}
      </DeleteButton>
    </>
  );
}
