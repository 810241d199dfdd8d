import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';

import {
  type Customer,
  type CustomerGroup,
  customerGroupForm,
  type CustomerGroupForm as GroupValues,
} from '../../../domain/customer/customer.schema.ts';
import { paths } from '../../lib/paths.ts';
import { customersQuery } from '../customer/customer.api.ts';
import { DependentAssignments, UnlessSent } from '../dependents/DependentAssignments.tsx';
import { May } from '../session/Allowed.tsx';
import { useIsProfileIncomplete } from '../profile/profile.api.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { DeleteRecord } from '../../forms/DeleteButton.tsx';
import { Card, Fetched } from '../../ui/Surface.tsx';
import { FileIcon } from '../../ui/icons.tsx';
import { Page, RecordPage } from '../../ui/Page.tsx';
import {
  customerGroupQuery,
  useCreateCustomerGroup,
  useDeleteCustomerGroup,
  useUpdateCustomerGroup,
} from './customer-group.api.ts';
import { FieldError, TextField } from '../../ui/Field.tsx';
import { useWiring } from '../../forms/Controlled.tsx';
import { labelled, type Saving, useSchemaForm } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { MemberPicker } from './MemberPicker.tsx';

/** A new group, or a change of the one in the address. */
export function GroupEditPage() {
  const { uuid } = useParams();
  return uuid === undefined ? <NewGroup /> : <StoredGroup key={uuid} uuid={uuid} />;
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
  const update = useUpdateCustomerGroup(uuid);
  const remove = useDeleteCustomerGroup();
  return (
    <RecordPage
      heading="Endre kundegruppe"
      width="form"
      actions={
        <May permission="edit">
          <ButtonLink to={paths.invoiceCreateTo(uuid)} icon={<FileIcon />} disabled={incomplete}>
            Fakturer gruppen
          </ButtonLink>
        </May>
      }
      query={query}
    >
      {(group) => (
        <UnlessSent uses={({ groupUuid }) => groupUuid === uuid}>
          <GroupForm group={group} save={update} />
          <DeleteRecord what="kundegruppe" remove={remove} value={uuid} to={paths.groups}>
            <p>{`Gruppen ${group.groupName} slettes. Kundene i den beholdes.`}</p>
            <DependentAssignments query={{}} uses={({ groupUuid }) => groupUuid === uuid}>
              {(assignments) =>
                `Gruppen er mottaker i ${assignments}. Der lages det ingen fakturaer før noen velger andre mottakere.`
              }
            </DependentAssignments>
          </DeleteRecord>
        </UnlessSent>
      )}
    </RecordPage>
  );
}

interface GroupFormProps {
  readonly group?: CustomerGroup;
  readonly save: Saving<GroupValues, CustomerGroup>;
  readonly onSaved?: (group: CustomerGroup) => void;
}

const LABELS = { groupName: 'Navn på gruppen', customers: 'Kunder i gruppen' };

/** Comes with the customers: a list that becomes shorter would pull up what is below it (WEB-27). */
function GroupForm(props: GroupFormProps) {
  const customers = useQuery(customersQuery);
  return <Fetched query={customers}>{(all) => <GroupFields {...props} customers={all} />}</Fetched>;
}

function GroupFields(props: GroupFormProps & { readonly customers: readonly Customer[] }) {
  const { group, save, onSaved, customers } = props;
  const form = useSchemaForm(customerGroupForm, initialValues(group));
  const members = useWiring({ control: form.control, name: 'customers' });
  return (
    <GuardedForm
      form={form}
      name="group"
      editing={group && { record: group, valuesOf: initialValues, labels: LABELS }}
      save={save}
      onSaved={onSaved}
      className="stack"
      label="Kundegruppe"
    >
      <Card>
        <TextField required {...labelled(form, LABELS)('groupName')} />
      </Card>
      <MemberPicker {...{ customers }} selected={members.value} onChange={members.onChange} />
      <FieldError message={members.error} />
      <div>
        <Button type="submit" variant="primary" pending={save.isPending}>
          Lagre
        </Button>
      </div>
    </GuardedForm>
  );
}

function initialValues(group: CustomerGroup | undefined): GroupValues {
  return {
    groupName: group?.groupName ?? '',
    customers: group?.customers.map((customer) => customer.customerNumber) ?? [],
  };
}
