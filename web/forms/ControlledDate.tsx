import { Controller, type Control, type FieldPath, type FieldValues } from 'react-hook-form';

import { DateField } from '../ui/DateField.tsx';
import type { FieldProps } from '../ui/Field.tsx';

interface ControlledDateProps<I extends FieldValues, O> extends Omit<FieldProps, 'error'> {
  readonly control: Control<I, unknown, O>;
  readonly name: FieldPath<I>;
}

/** A date field that is part of a form. */
export function ControlledDate<I extends FieldValues, O>({
  control,
  name,
  ...looks
}: ControlledDateProps<I, O>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <DateField
          {...looks}
          value={field.value ?? ''}
          onChange={field.onChange}
          onBlur={field.onBlur}
          inputRef={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  );
}
