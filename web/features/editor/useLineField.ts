import { useCallback, useSyncExternalStore } from 'react';
import { type FieldPath, type FieldPathValue, useFormState, useWatch } from 'react-hook-form';

import type { FormWithLines, LineFormState, LinePath } from './draft-values.ts';

type FieldOfLine = Extract<FieldPath<FormWithLines>, `${LinePath}.${string}`>;

/**
 * A field of a line: its value, its error, and how to change it. It is drawn again only when one of them changes;
 * `useController` draws every field of every line again with each line that is added.
 */
export function useLineField<N extends FieldOfLine>(form: LineFormState, name: N) {
  const { control, setValue } = form;
  const value = useWatch({ control, name, exact: true, compute: itself });
  const error = useLineError(form, name);
  const options = useSetting(form);
  const onChange = (next: FieldPathValue<FormWithLines, N>) => setValue(name, next, options);
  return { name, value, error, onChange };
}

/** The message of a field's error. */
export function useLineError({ subscribe, getFieldState }: LineFormState, name: FieldOfLine) {
  const listen = useCallback(
    (callback: () => void) => subscribe({ name, formState: { errors: true }, callback }),
    [subscribe, name],
  );
  return useSyncExternalStore(listen, () => getFieldState(name).error?.message);
}

/** How a user's change is set: what was wrong when it was submitted is judged again. */
export function useSetting({ control }: LineFormState) {
  const { isSubmitted } = useFormState({ control });
  return { shouldDirty: true, shouldValidate: isSubmitted };
}

/** With `compute` a watched value is compared, and the same one draws nothing again. Not for objects, which are changed in place. */
export function itself<V>(value: V): V {
  return value;
}
