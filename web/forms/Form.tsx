import {
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import {
  type Control,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  get,
  type RegisterOptions,
  type Resolver,
  set,
  useForm,
  type UseFormReturn,
  useFormState,
} from 'react-hook-form';
import type { z } from 'zod/mini';

import { toCamelKey } from '../../domain/api/case.ts';
import { type Fault, validate } from '../../domain/api/validation.ts';
import { ApiError, ConnectionLost, RequestAborted } from '../lib/api-error.ts';
import styles from './Form.module.css';

/** The input of a schema while the form is being filled in: a number may still be null. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { [K in keyof T]: T[K] extends number ? T[K] | null : Draft<T[K]> }
    : T;

/** Values of a form, and the version of the record that they are based on; null for a new record. */
export interface Versioned<T> {
  readonly values: T;
  readonly version: number | null;
}

/** The mutation that saves a form. */
export interface Saving<O, R> {
  readonly isPending: boolean;
  readonly mutateAsync: (saved: Versioned<O>) => Promise<R>;
}

/**
 * A form with a schema of the API contract. Validates on submit, and after that on each change.
 *
 * @param defaultValues decide the type of the form's values: a `Draft` of the schema's input
 */
export function useSchemaForm<I extends FieldValues, O extends FieldValues>(
  schema: z.ZodMiniType<O>,
  defaultValues: I & DefaultValues<I>,
): UseFormReturn<I, unknown, O> {
  return useForm<I, unknown, O>({
    resolver: schemaResolver(schema),
    defaultValues,
    // React Hook Form would focus in registration order, and ignores errors outside its own fields.
    // `Form` sets the focus instead.
    shouldFocusError: false,
  });
}

/**
 * Validates a form with the API contract's own `validate`, so that the browser and the server refuse
 * the same input with the same messages.
 */
export function schemaResolver<I extends FieldValues, O extends FieldValues>(
  schema: z.ZodMiniType<O>,
): Resolver<I, unknown, O> {
  return (values) => {
    const result = validate(schema, values, lastName);
    if (result.ok) return { values: result.value, errors: {} };
    return { values: {}, errors: nest<I>(result.faults) };
  };
}

function nest<T extends FieldValues>(faults: readonly Fault[]): FieldErrors<T> {
  const errors: FieldErrors<T> = {};
  const taken = new Set<string>();
  for (const fault of faults) {
    const name = fault.path.join('.');
    // Each field shows its first message only.
    if (taken.has(name)) continue;
    taken.add(name);
    set(errors, name, { type: 'validate', message: fault.message });
  }
  return errors;
}

/** The name in a path: a message is shown at its field, so it needs no more. */
function lastName(path: readonly PropertyKey[]): string {
  return path.findLast((part) => typeof part === 'string') ?? '';
}

export interface FormProps<I extends FieldValues, O> {
  readonly form: UseFormReturn<I, unknown, O>;
  /** May reject with a mutation's error. The mutation cache has shown the toast by then. */
  readonly onSubmit: (values: O) => Promise<unknown>;
  readonly className?: string | undefined;
  readonly label?: string;
  /** Faults of controls that belong to the form but are placed above it. */
  readonly faultsAbove?: readonly FormFault[];
  readonly children: ReactNode;
}

/** A field with an error, or the error of several fields (`FieldError`). */
const FAULTY = '[aria-invalid="true"], [data-of-several]';

/**
 * A form that ignores further submits while one is running, keeps the input when sending fails, and shows
 * the server's errors at their fields. The first field with an error takes the focus, or an error of several fields.
 */
export function Form<I extends FieldValues, O>(props: FormProps<I, O>) {
  const { form, onSubmit, className, label, faultsAbove = [], children } = props;
  const element = useRef<HTMLFormElement>(null);
  const busy = useRef(false);
  const send = form.handleSubmit(async (values) => {
    try {
      await onSubmit(values);
    } catch (error) {
      if (error instanceof ApiError) showFaults(error, form);
      else if (!(error instanceof ConnectionLost || error instanceof RequestAborted)) throw error;
    }
  });
  const { submitCount } = form.formState;
  const focusFault = useEffectEvent(() => {
    const [above] = faultsAbove;
    const first = above ? document.getElementById(above.id) : null;
    (first ?? element.current?.querySelector<HTMLElement>(FAULTY))?.focus();
  });
  useEffect(() => {
    if (submitCount > 0) focusFault();
  }, [submitCount]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // In React's tree a form in a dialog is inside this one, so its submit event would bubble to it.
    event.stopPropagation();
    if (busy.current) return;
    busy.current = true;
    void send().finally(() => {
      busy.current = false;
    });
  };
  // The method 'dialog' prevents a page reload when the form is submitted before React handles the event.
  return (
    <form
      ref={element}
      method="dialog"
      noValidate
      className={className}
      aria-label={label}
      onSubmit={submit}
    >
      <FormFaults control={form.control} element={element} above={faultsAbove} />
      {children}
    </form>
  );
}

function showFaults<I extends FieldValues, O>(
  error: ApiError,
  form: UseFormReturn<I, unknown, O>,
): void {
  for (const { field, message } of error.detail) {
    if (field === undefined) continue;
    // 'bank_accounts[0].bank_account_number' → 'bankAccounts.0.bankAccountNumber'
    const name = field
      .replaceAll(/\[(\d+)\]/g, '.$1')
      .split('.')
      .map(toCamelKey)
      .join('.');
    if (isFieldOf(form, name)) form.setError(name, { type: 'server', message });
  }
}

function isFieldOf<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  name: string,
): name is FieldPath<I> {
  return get(form.getValues(), name) !== undefined;
}

/** Props that register a field with a form and show its error: fieldProps(form, 'name'). */
export function fieldProps<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  name: FieldPath<I>,
  options?: RegisterOptions<I, FieldPath<I>>,
) {
  return { ...form.register(name, options), error: errorAt(form.formState.errors, name) };
}

/** `fieldProps` with the labels of the form's fields: field('name'), after `const field = labelled(form, LABELS)`. */
export function labelled<I extends FieldValues, O, L extends string>(
  form: UseFormReturn<I, unknown, O>,
  labels: Readonly<Record<L, string>>,
) {
  return (name: FieldPath<I> & L, options?: RegisterOptions<I, FieldPath<I>>) => ({
    label: labels[name],
    ...fieldProps(form, name, options),
  });
}

/** Register options for a field of digits (such as an account number), which may be typed with separators. */
export function tidied(tidy: (text: string) => string) {
  return { setValueAs: (value: unknown) => (typeof value === 'string' ? tidy(value) : value) };
}

/** The error message of a field, if any: errorAt(errors, 'lines.0.description'). */
export function errorAt(errors: FieldErrors, name: string): string | undefined {
  const found: unknown = get(errors, name);
  if (typeof found !== 'object' || found === null || !('message' in found)) return undefined;
  return typeof found.message === 'string' ? found.message : undefined;
}

export interface FormFault {
  readonly id: string;
  /** The field's label, with its line when the form has several lines. */
  readonly name: string;
}

interface FormFaultsProps<I extends FieldValues, O> {
  readonly control: Control<I, unknown, O>;
  readonly element: RefObject<HTMLFormElement | null>;
  /** Faults of controls that belong to the form but are placed above it. */
  readonly above: readonly FormFault[];
}

const NONE: readonly FormFault[] = [];

/**
 * Links to the fields with errors, when there are at least two. Announced at each submit that fails. A
 * single field with an error only takes the focus.
 */
function FormFaults<I extends FieldValues, O>(props: FormFaultsProps<I, O>) {
  const { control, element, above } = props;
  // A new object at each change, while React Hook Form changes the errors in place.
  const state = useFormState({ control });
  const { submitCount: attempts } = state;
  const [own, setOwn] = useState(NONE);
  useEffect(() => {
    const isFaulty = Object.keys(state.errors).length > 0;
    // oxlint-disable-next-line react/set-state-in-effect -- their labels and order are read from the page
    setOwn(isFaulty && element.current ? findFaults(element.current) : NONE);
  }, [element, state]);
  const faults = [...above, ...own];
  if (attempts === 0 || faults.length < 2) return null;
  return (
    <section className={`box ${styles.faults}`} data-tone="red" aria-label="Må rettes">
      <p key={attempts} role="alert" className="strong">
        Dette må rettes
      </p>
      <ul>
        {faults.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                // A hash in the address would count as a navigation.
                event.preventDefault();
                document.getElementById(id)?.focus();
              }}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The fields with errors, in the order of the page, as the page calls them. */
function findFaults(form: HTMLFormElement): FormFault[] {
  return [...form.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map((field) => {
    const line = field.closest('li')?.getAttribute('aria-label');
    const label = field.labels?.[0]?.textContent ?? field.getAttribute('aria-label') ?? '';
    return {
      id: field.id,
      name: line ? `${line}, ${label.toLowerCase()}` : label,
    };
  });
}
