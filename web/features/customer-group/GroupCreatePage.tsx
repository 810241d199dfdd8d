import { useNavigate } from 'react-router';

import { paths } from '../../lib/paths.ts';
import { Page } from '../../ui/Page.tsx';
import { GroupForm } from './GroupForm.tsx';
import { useCreateCustomerGroup } from './customer-group.api.ts';

export function GroupCreatePage() {
  const navigate = useNavigate();
  const create = useCreateCustomerGroup();
  return (
    <Page heading="Opprett kundegruppe" width="form">
      <GroupForm save={create} onSaved={() => void navigate(paths.groups)} />
    </Page>
  );
}
