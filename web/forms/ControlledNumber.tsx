import { Controller, type Control, type FieldPath, type FieldValues } from 'react-hook-form';

import { NumberField, type NumberFieldProps } from '../ui/NumberField.tsx';

type Wiring = 'value' | 'onChange' | 'onBlur' | 'inputRef' | 'error';

interface ControlledNumberProps<I extends FieldValues, O> extends Omit<NumberFieldProps, Wiring> {
  readonly control: Control<I, unknown, O>;
  readonly name: FieldPath<I>;
}

/** A number field that is part of a form. */
export function ControlledNumber<I extends FieldValues, O>({
  control,
  name,
  ...looks
}: ControlledNumberProps<I, O>) {
  return (
    <Controller
      control={control}
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
