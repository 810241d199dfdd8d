import { Controller, type Control, type FieldPath, type FieldValues } from 'react-hook-form';

import { NumberField, type NumberFieldProps } from './NumberField.tsx';

type Wiring = 'value' | 'onChange' | 'onBlur' | 'inputRef' | 'error';

interface ControlledNumberProps<Values extends FieldValues> extends Omit<NumberFieldProps, Wiring> {
  readonly control: Control<Values, unknown, FieldValues | undefined>;
  readonly name: FieldPath<Values>;
}

/** A number field that is part of a form. */
export function ControlledNumber<Values extends FieldValues>({
  control,
  name,
  ...looks
}: ControlledNumberProps<Values>) {
  return (
    <Controller
      control={control as Control<Values>}
      name={name}
      render={({ field, fieldState }) => (
        <NumberField
          {...looks}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          inputRef={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  );
}
