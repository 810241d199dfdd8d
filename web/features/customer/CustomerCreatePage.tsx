import { useNavigate } from 'react-router';

import { paths } from '../../lib/paths.ts';
import { Page } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { CustomerForm } from './CustomerForm.tsx';
import { useCreateCustomer } from './customer.api.ts';

export function CustomerCreatePage() {
  const navigate = useNavigate();
  const create = useCreateCustomer();
  return (
    <Page heading="Opprett kunde" width="form">
      <Card>
        <CustomerForm
          submitLabel="Lagre"
          save={create}
          onSaved={() => void navigate(paths.customers)}
        />
      </Card>
    </Page>
  );
}
