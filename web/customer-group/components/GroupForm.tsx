import { Controller } from 'react-hook-form';

import {
  customerGroupForm,
  type CustomerGroup,
  type CustomerGroupForm as GroupValues,
} from '../../../domain/customer-group/customer-group.schema.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError, TextField } from '../../ui/Field.tsx';
import { errorAt, Form, useSchemaForm } from '../../ui/Form.tsx';
import { Card } from '../../ui/Surface.tsx';
import styles from './GroupForm.module.css';
import { MemberPicker } from './MemberPicker.tsx';

interface GroupFormProps {
  /** Absent for a new group. */
  readonly group?: CustomerGroup;
  readonly submitLabel: string;
  readonly pending: boolean;
  readonly onSubmit: (values: GroupValues) => Promise<unknown>;
}

export function GroupForm({ group, submitLabel, pending, onSubmit }: GroupFormProps) {
  const form = useSchemaForm(customerGroupForm, {
    groupName: group?.groupName ?? '',
    customers: group?.customers.map((customer) => customer.customerNumber) ?? [],
  });
  const { errors } = form.formState;
  return (
    <Form form={form} onSubmit={onSubmit} className={styles.form} label="Kundegruppe">
      <Card>
        <TextField
          label="Navn på gruppen"
          required
          autoComplete="off"
          {...form.register('groupName')}
          error={errorAt(errors, 'groupName')}
        />
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
        <Button type="submit" variant="primary" pending={pending}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  );
}
