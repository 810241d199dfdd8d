import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';

import type { CustomerGroup } from '../../../domain/customer-group/customer-group.schema.ts';
import { hasStatus } from '../../api/api-error.ts';
import { NotFound } from '../../ui/NotFound.tsx';
import { paths } from '../../paths.ts';
import { LoadFailure } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { TrashIcon } from '../../ui/icons.tsx';
import { discardUnsaved } from '../../ui/leaving.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Page } from '../../ui/Page.tsx';
import { GroupForm } from '../components/GroupForm.tsx';
import { useDeleteCustomerGroup, useUpdateCustomerGroup } from '../customer-group.mutations.ts';
import { customerGroupQuery } from '../customer-group.queries.ts';

export function GroupEditPage() {
  const uuid = useParams()['uuid'] ?? '';
  const { data, isPending, error, refetch } = useQuery(customerGroupQuery(uuid));
  if (hasStatus(error, 404)) return <NotFound />;
  return (
    <Page heading="Endre kundegruppe" width="form">
      {isPending ? <Loading /> : null}
      {error && !data ? <LoadFailure onRetry={() => void refetch()} /> : null}
      {data ? <GroupEditor key={data.uuid} group={data} refresh={async () => refetch()} /> : null}
    </Page>
  );
}

interface GroupEditorProps {
  readonly group: CustomerGroup;
  readonly refresh: () => Promise<unknown>;
}

function GroupEditor({ group, refresh }: GroupEditorProps) {
  const update = useUpdateCustomerGroup(group.uuid);
  return (
    <>
      <GroupForm
        group={group}
        refresh={refresh}
        submitLabel="Lagre"
        pending={update.isPending}
        onSubmit={async (values, version) => update.mutateAsync({ ...values, version })}
      />
      <DeleteGroup group={group} />
    </>
  );
}

function DeleteGroup({ group }: { group: CustomerGroup }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const remove = useDeleteCustomerGroup(group.uuid);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        setOpen(false);
        discardUnsaved();
        void navigate(paths.groups);
      },
    });
  return (
    <div>
      <Button variant="danger" icon={<TrashIcon />} onClick={() => setOpen(true)}>
        Slett kundegruppe
      </Button>
      <ConfirmDialog
        title="Slette kundegruppe"
        confirmLabel="Slett"
        open={open}
        pending={remove.isPending}
        onClose={() => setOpen(false)}
        onConfirm={confirm}
      >
        Gruppen {group.groupName} slettes. Kundene i den beholdes.
      </ConfirmDialog>
    </div>
  );
}
