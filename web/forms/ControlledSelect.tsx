import type { ComponentProps } from 'react';
import { Controller, type Control, type FieldPath, type FieldValues } from 'react-hook-form';

import { SelectField } from '../ui/Field.tsx';

type Wiring = 'name' | 'value' | 'defaultValue' | 'onChange' | 'onBlur' | 'ref' | 'error';

interface ControlledSelectProps<I extends FieldValues, O> extends Omit<
  ComponentProps<typeof SelectField>,
  Wiring
> {
  readonly control: Control<I, unknown, O>;
  readonly name: FieldPath<I>;
  /** Called when the user chooses an option, not when the form sets the value. */
  readonly onChosen?: ((value: string) => void) | undefined;
}

/**
 * A select that is part of a form, for options that change. With `register` the value is set only once:
 * when its option is added later, the browser shows the first option, but the form sends the other value.
 */
export function ControlledSelect<I extends FieldValues, O>({
  control,
  name,
  onChosen,
  ...looks
}: ControlledSelectProps<I, O>) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <SelectField
          {...looks}
          name={field.name}
          value={field.value}
          onChange={(event) => {
            field.onChange(event);
            onChosen?.(event.target.value);
          }}
          onBlur={field.onBlur}
          ref={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  );
}
