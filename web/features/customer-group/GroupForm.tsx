import { Controller } from 'react-hook-form';

import {
  customerGroupForm,
  type CustomerGroup,
  type CustomerGroupForm as GroupValues,
} from '../../../domain/customer/customer.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError, TextField } from '../../ui/Field.tsx';
import { fieldProps, errorAt, useSchemaForm } from '../../forms/Form.tsx';
import type { Saving } from '../../forms/Form.tsx';
import { GuardedForm } from '../../forms/GuardedForm.tsx';
import { Card } from '../../ui/Surface.tsx';
import { MemberPicker } from './MemberPicker.tsx';

interface GroupFormProps {
  readonly group?: CustomerGroup;
  readonly save: Saving<GroupValues, CustomerGroup>;
  readonly onSaved?: (group: CustomerGroup) => void;
}

const LABELS = { groupName: 'Navn på gruppen', customers: 'Kunder i gruppen' };

export function GroupForm(props: GroupFormProps) {
  const { group, save, onSaved } = props;
  const form = useSchemaForm(customerGroupForm, initialValues(group));
  const { errors } = form.formState;
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
        <TextField label={LABELS.groupName} required {...fieldProps(form, 'groupName')} />
      </Card>
      <Controller
        control={form.control}
        name="customers"
        render={({ field }) => (
          <MemberPicker selected={field.value} onChange={(numbers) => field.onChange(numbers)} />
        )}
      />
      <FieldError message={errorAt(errors, 'customers')} />
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
