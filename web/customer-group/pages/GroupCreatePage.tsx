import { useNavigate } from 'react-router';

import type { CustomerGroupForm as GroupValues } from '../../../domain/customer-group/customer-group.schema.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/Page.tsx';
import { GroupForm } from '../components/GroupForm.tsx';
import { useCreateCustomerGroup } from '../customer-group.mutations.ts';

export function GroupCreatePage() {
  const navigate = useNavigate();
  const create = useCreateCustomerGroup();
  const submit = async (values: GroupValues) => {
    await create.mutateAsync(values);
    await navigate(paths.groups);
  };
  return (
    <Page heading="Opprett kundegruppe" width="form">
      <GroupForm submitLabel="Lagre" pending={create.isPending} onSubmit={submit} />
    </Page>
  );
}
