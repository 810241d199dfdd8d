import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldValues } from 'react-hook-form';

import { laterCode } from '../lib/later-code.ts';
import { hasStatus, isChangedMeanwhile } from '../lib/api-error.ts';
import { showToast } from '../lib/toasts.ts';
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

interface GuardedFormProps<I extends FieldValues, O, R, B> extends Omit<
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
