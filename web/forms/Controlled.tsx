import type { ComponentProps } from 'react';
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form';

import { DateField } from '../ui/DateField.tsx';
import { SelectField, type FieldProps } from '../ui/Field.tsx';
import { NumberField, type NumberFieldProps } from '../ui/NumberField.tsx';

interface Place<I extends FieldValues, O> {
  readonly control: Control<I, unknown, O>;
  readonly name: FieldPath<I>;
}

/** The value, the handlers and the error of a form's field, as our own fields take them. */
export function useWiring<I extends FieldValues, N extends FieldPath<I>, O>({
  control,
  name,
}: {
  readonly control: Control<I, unknown, O>;
  readonly name: N;
}) {
  const { field, fieldState } = useController({ control, name });
  const { value, onChange, onBlur, ref: inputRef } = field;
  return { value, onChange, onBlur, inputRef, error: fieldState.error?.message };
}

type Wiring = 'value' | 'onChange' | 'onBlur' | 'inputRef' | 'error';

export function ControlledDate<I extends FieldValues, O>({
  control,
  name,
  ...looks
}: Omit<FieldProps, 'error'> & Place<I, O>) {
  const wiring = useWiring({ control, name });
  return <DateField {...looks} {...wiring} value={wiring.value ?? ''} />;
}

export function ControlledNumber<I extends FieldValues, O>({
  control,
  name,
  ...looks
}: Omit<NumberFieldProps, Wiring> & Place<I, O>) {
  return <NumberField {...looks} {...useWiring({ control, name })} />;
}

interface ControlledSelectProps<I extends FieldValues, O>
  extends
    Omit<ComponentProps<typeof SelectField>, Wiring | 'name' | 'defaultValue' | 'ref'>,
    Place<I, O> {
  /** Called when the user chooses an option, not when the form sets the value. */
  readonly onChosen?: ((value: string) => void) | undefined;
}

/**
 * A select that is part of a form, for options that change. With `register` the value is set only once:
 * when its option is added later, the browser shows the first option, but the form sends the other value.
 */
export function ControlledSelect<I extends FieldValues, O>(props: ControlledSelectProps<I, O>) {
  const { control, name, onChosen, ...looks } = props;
  const { field, fieldState } = useController({ control, name });
  return (
    <SelectField
      {...looks}
      {...field}
      onChange={(event) => {
        field.onChange(event);
        onChosen?.(event.target.value);
      }}
      error={fieldState.error?.message}
    />
  );
}
