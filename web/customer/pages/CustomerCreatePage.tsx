import { useNavigate } from 'react-router';

import type { CustomerForm as CustomerValues } from '../../../domain/customer/customer.schema.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/Page.tsx';
import { Card } from '../../ui/Surface.tsx';
import { CustomerForm } from '../components/CustomerForm.tsx';
import { useCreateCustomer } from '../customer.mutations.ts';

export function CustomerCreatePage() {
  const navigate = useNavigate();
  const create = useCreateCustomer();
  const submit = async (values: CustomerValues) => {
    await create.mutateAsync(values);
    await navigate(paths.customers);
  };
  return (
    <Page heading="Opprett kunde" width="form">
      <Card>
        <CustomerForm submitLabel="Lagre" pending={create.isPending} onSubmit={submit} />
      </Card>
    </Page>
  );
}
