import { useEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import {
  get,
  set,
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form';
import type { z } from 'zod';

import { joinPath, toCamelKey } from '../../domain/api/case.ts';
import { validate, type Fault } from '../../domain/api/validation.ts';
import { ApiError, ConnectionLost, RequestAborted } from '../lib/api-error.ts';
import { FormFaults, type FormFault } from './FormFaults.tsx';

/** What a schema takes, while it is filled in: a number may still be missing. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { [K in keyof T]: T[K] extends number ? T[K] | null : Draft<T[K]> }
    : T;

/**
 * A form on a schema of the contract. It is checked when it is submitted, and from then on at each change.
 *
 * @param defaultValues their type is the form's: a `Draft` of what the schema takes
 */
export function useSchemaForm<I extends FieldValues, O extends FieldValues>(
  schema: z.ZodType<O>,
  defaultValues: I & DefaultValues<I>,
): UseFormReturn<I, unknown, O> {
  return useForm<I, unknown, O>({
    resolver: schemaResolver(schema),
    defaultValues,
    // React Hook Form goes by the order of registration, and does not know faults outside its fields.
    shouldFocusError: false,
  });
}

/**
 * Checks a form against a schema of the contract with the contract's own `validate`, so that the
 * browser and the server refuse the same things with the same words.
 */
export function schemaResolver<I extends FieldValues, O extends FieldValues>(
  schema: z.ZodType<O>,
): Resolver<I, unknown, O> {
  return (values) => {
    const result = validate(schema, values);
    if (result.ok) return { values: result.value, errors: {} };
    return { values: {}, errors: nest<I>(result.faults) };
  };
}

function nest<T extends FieldValues>(faults: readonly Fault[]): FieldErrors<T> {
  const errors: FieldErrors<T> = {};
  const taken = new Set<string>();
  for (const fault of faults) {
    const name = fault.path.join('.');
    // One message a field: the first.
    if (taken.has(name)) continue;
    taken.add(name);
    set(errors, name, { type: 'validate', message: shortened(fault) });
  }
  return errors;
}

/** 'bankAccounts[0].bankAccountNumber is a …' → 'bankAccountNumber is a …', since it is shown at the field. */
function shortened({ path, message }: Fault): string {
  const whole = joinPath(path);
  const name = path.findLast((part) => typeof part === 'string');
  if (name === undefined || !message.startsWith(`${whole} `)) return message;
  return `${name}${message.slice(whole.length)}`;
}

export interface FormProps<I extends FieldValues, O> {
  readonly form: UseFormReturn<I, unknown, O>;
  /** May reject with what a mutation rejects with; the toast is shown by the mutation cache. */
  readonly onSubmit: (values: O) => Promise<unknown>;
  readonly className?: string | undefined;
  readonly label?: string;
  /** Faults of what belongs to the form and stands above it. */
  readonly faultsAbove?: readonly FormFault[];
  readonly children: ReactNode;
}

const FAULTY = '[aria-invalid="true"]';

/**
 * Sends once however often it is submitted, keeps what was typed when sending fails, and shows the server's
 * errors at their fields. The first field with an error takes the focus.
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
  useEffect(() => {
    if (submitCount > 0) element.current?.querySelector<HTMLElement>(FAULTY)?.focus();
  }, [submitCount]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    // A form in a dialog is within this one in React's tree.
    event.stopPropagation();
    if (busy.current) return;
    busy.current = true;
    void send().finally(() => {
      busy.current = false;
    });
  };
  // 'dialog', so that a form submitted before the app has started does not reload the page.
  return (
    <form
      ref={element}
      method="dialog"
      noValidate
      className={className}
      aria-label={label}
      onSubmit={submit}
    >
      <FormFaults form={element} above={faultsAbove} attempts={submitCount} />
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

/** What connects a field to a form: fieldProps(form, 'name'). */
export function fieldProps<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  name: FieldPath<I>,
  options?: RegisterOptions<I, FieldPath<I>>,
) {
  return { ...form.register(name, options), error: errorAt(form.formState.errors, name) };
}

/** For fields of digits, which people write and paste in several ways. */
export function tidied(tidy: (text: string) => string) {
  return { setValueAs: (value: unknown) => (typeof value === 'string' ? tidy(value) : value) };
}

/** The message for a field, if any: errorAt(errors, 'lines.0.description'). */
export function errorAt(errors: FieldErrors, name: string): string | undefined {
  const found: unknown = get(errors, name);
  if (typeof found !== 'object' || found === null || !('message' in found)) return undefined;
  return typeof found.message === 'string' ? found.message : undefined;
}
