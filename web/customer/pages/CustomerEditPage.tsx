import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import { CUSTOMER_NUMBER_MAX, type Customer } from '../../../domain/customer/customer.schema.ts';
import { hasStatus } from '../../api/api-error.ts';
import { NotFound } from '../../ui/NotFound.tsx';
import { paths } from '../../paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { discardUnsaved } from '../../ui/leaving.ts';
import { Page } from '../../ui/Page.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Card } from '../../ui/Surface.tsx';
import { CustomerForm } from '../components/CustomerForm.tsx';
import { useDeleteCustomer, useUpdateCustomer } from '../customer.mutations.ts';
import { customerQuery } from '../customer.queries.ts';

/** 0 for what is no customer number, which no customer has. */
function customerNumberOf(segment: string | undefined): number {
  const number = Number(segment);
  return Number.isSafeInteger(number) && number <= CUSTOMER_NUMBER_MAX ? Math.max(number, 0) : 0;
}

export function CustomerEditPage() {
  const customerNumber = customerNumberOf(useParams()['id']);
  const { data, isPending, error, refetch } = useQuery({
    ...customerQuery(customerNumber),
    enabled: customerNumber > 0,
  });
  if (customerNumber === 0 || hasStatus(error, 404)) return <NotFound />;
  return (
    <Page
      heading="Endre kunde"
      width="form"
      aside={<Badge tone="gray">Kundenummer {customerNumber}</Badge>}
    >
      {isPending ? <Loading /> : null}
      {error && !data ? <LoadFailure onRetry={() => void refetch()} /> : null}
      {data ? (
        <CustomerEditor key={data.customerNumber} customer={data} refresh={async () => refetch()} />
      ) : null}
    </Page>
  );
}

interface CustomerEditorProps {
  readonly customer: Customer;
  readonly refresh: () => Promise<unknown>;
}

function CustomerEditor({ customer, refresh }: CustomerEditorProps) {
  const update = useUpdateCustomer(customer.customerNumber);
  return (
    <>
      <Card>
        <CustomerForm
          customer={customer}
          refresh={refresh}
          submitLabel="Lagre"
          pending={update.isPending}
          onSubmit={async (values, version) => update.mutateAsync({ ...values, version })}
        />
      </Card>
      <DeleteCustomer customer={customer} />
    </>
  );
}

function DeleteCustomer({ customer }: { customer: Customer }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const remove = useDeleteCustomer(customer.customerNumber);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        setOpen(false);
        discardUnsaved();
        void navigate(paths.customers);
      },
    });
  return (
    <div>
      <Button variant="danger" icon={<TrashIcon />} onClick={() => setOpen(true)}>
        Slett kunde
      </Button>
      <ConfirmDialog
        title="Slette kunde"
        confirmLabel="Slett"
        open={open}
        pending={remove.isPending}
        onClose={() => setOpen(false)}
        onConfirm={confirm}
      >
        {customer.name} fjernes fra kundelisten og fra gruppene. Fakturaer som er registrert,
        beholdes.
      </ConfirmDialog>
    </div>
  );
}
