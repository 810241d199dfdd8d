import { type ComponentProps, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form';

import { hasStatus, isChangedMeanwhile } from '../lib/api-error.ts';
import { laterCode } from '../lib/later-code.ts';
import { showToast } from '../lib/toasts.ts';
import { DateField } from '../ui/DateField.tsx';
import { SelectField, type FieldProps } from '../ui/Field.tsx';
import { NumberField, type NumberFieldProps } from '../ui/NumberField.tsx';
import { UnprintableInForm } from '../ui/UnprintableNotice.tsx';
import { useLaterCode } from '../ui/useLaterCode.ts';
import { Form, type FormProps, type Saving, type Versioned } from './Form.tsx';
import styles from './GuardedForm.module.css';
import {
  findUnsaved,
  Restored,
  useUnsavedInput,
  type Extra,
  type Phase,
} from './unsaved-input.tsx';

/** Loaded after the screen, which does not need it at first. */
const changedMeanwhile = laterCode(async () => import('./changed-meanwhile.tsx'));

/** The stored record that a form edits, and how to show its fields. */
interface Editing<I, R> {
  /** As last fetched. A newer version, where it has versions, replaces the form's values while nothing is typed. */
  readonly record: R;
  readonly valuesOf: (record: R) => I;
  readonly labels: Readonly<Record<string, string>>;
  /** Formats a field's value; undefined falls back to the default format. A list is shown by its label alone. */
  readonly show?: (field: string, value: unknown) => string | undefined;
}

function storedOf<I, R>({ valuesOf }: Editing<I, R>, record: R): Versioned<I> {
  const { version = null } = record as { readonly version?: number };
  return { values: valuesOf(record), version };
}

export interface GuardedFormProps<I extends FieldValues, O, R, B> extends Omit<
  FormProps<I, O>,
  'onSubmit'
> {
  /** Unique among the forms of the screen. */
  readonly name: string;
  /** Absent when the form creates a new record. */
  readonly editing?: Editing<I, R> | undefined;
  readonly extra?: Extra<B>;
  /** Set when the screen's other forms are parts of this one: what to say when it is saved before they are. */
  readonly partsFirst?: string;
  /** Asks the user before the save, and resolves to whether to save. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
  readonly save: Saving<O, R>;
  /** Called after the save, when the screen may be left. Not called if the user has left it already. */
  readonly onSaved?: ((result: R) => void) | undefined;
}

/**
 * A form that protects its input from navigation, an expired session and other users' changes. It never
 * overwrites another user's change silently.
 */
export function GuardedForm<I extends FieldValues, O, R, B>(props: GuardedFormProps<I, O, R, B>) {
  const { name, editing, extra, partsFirst, confirm, save, onSaved, ...formProps } = props;
  const { form } = formProps;
  const phase = useRef<Phase>('typing');
  const stored = editing && storedOf(editing, editing.record);
  const root = useRef<HTMLDivElement>(null);
  const input = useUnsavedInput(form, name, phase, { root, stored, extra });
  const [refusals, setRefusals] = useState(0);
  const [isGone, setGone] = useState(false);
  const isNeeded = isGone || input.newer !== undefined;
  const notices = useLaterCode(changedMeanwhile, { isNeeded, what: 'Endringene' });
  /** Moves the focus to the form, because the pressed button disappears with its notice. */
  const choose = (act: () => void) => () => {
    act();
    setRefusals(0);
    root.current?.focus();
  };
  const submit = async (values: O) => {
    // The form stays on the screen while the next screen loads; a second submit would create a duplicate.
    if (phase.current === 'done') return;
    const part = partsFirst && findUnsaved(input.tracked);
    if (part) {
      showToast({ tone: 'error', title: partsFirst });
      part.root?.current?.querySelector('input')?.focus();
      return;
    }
    if (confirm && !(await confirm())) return;
    const sent = structuredClone(form.getValues());
    const { pathname } = location;
    phase.current = 'sending';
    let result: R;
    try {
      result = await save.mutateAsync({ values, version: input.base.version });
    } catch (error) {
      if (isChangedMeanwhile(error)) setRefusals((times) => times + 1);
      if (editing && hasStatus(error, 404)) setGone(true);
      phase.current = 'typing';
      // The user has left the screen: keep the input so that it can be restored.
      if (!root.current) input.keep(true);
      throw error;
    }
    phase.current = 'typing';
    // Input typed during the request stays unsaved. flushSync: between a reset and the next render React
    // Hook Form has no registered fields, and would lose input.
    flushSync(() => {
      input.rebase(editing ? storedOf(editing, result) : { values: sent, version: null }, sent);
      input.settle();
    });
    // The user has moved to another screen: do not navigate away from it.
    if (location.pathname !== pathname) return;
    if (!editing && onSaved) phase.current = 'done';
    onSaved?.(result);
  };
  return (
    <div ref={root} tabIndex={-1}>
      {input.isRestored ? <Restored onDiscard={choose(input.discard)} /> : null}
      {notices && stored && input.newer ? (
        <notices.ChangedElsewhere
          {...editing}
          base={input.base.values}
          now={input.newer.values}
          typed={form.getValues()}
          refusals={refusals}
          onKeep={choose(() => input.rebase(stored, input.base.values))}
          onTake={choose(() => input.rebase(stored, form.getValues()))}
        />
      ) : null}
      {notices && isGone ? <notices.Gone /> : null}
      <Form {...formProps} onSubmit={submit} />
      <div className={styles.below}>
        <UnprintableInForm control={form.control} />
      </div>
    </div>
  );
}

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
