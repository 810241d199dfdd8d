import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FieldValues } from 'react-hook-form';

import { isChangedMeanwhile } from '../lib/api-error.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { ChangedElsewhere, type Changed } from './ChangedElsewhere.tsx';
import { Form, type FormProps } from './Form.tsx';
import styles from './GuardedForm.module.css';
import { LeaveDialog } from './LeaveDialog.tsx';
import { UnprintableInForm } from '../ui/UnprintableNotice.tsx';
import { useUnsavedInput, type Extra, type Phase, type Stored } from './useUnsavedInput.ts';

/** The stored record that a form edits. */
interface Editing<I, R> extends Changed<I> {
  /** Converts the response of the save to the new stored record. */
  readonly toStored: (result: R) => Stored<I>;
}

/** The input of the save mutation. */
export interface Saved<O> {
  readonly values: O;
  /** The version that the change is based on; null for a new record. */
  readonly version: number | null;
}

/** The mutation that saves a form. */
export interface Saving<O, R> {
  readonly isPending: boolean;
  readonly mutateAsync: (saved: Saved<O>) => Promise<R>;
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
  /** Whether the screen's other forms are parts of this one, so that saving it discards their input. */
  readonly isWhole?: boolean;
  /** Asks the user before the save, and resolves to whether to save. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
  /** Saves other input that must be stored first. May reject as `save` does. */
  readonly saveFirst?: (() => Promise<void>) | undefined;
  readonly save: Saving<O, R>;
  /** Called after the save, when the screen may be left. Not called if the user has left it already. */
  readonly onSaved?: ((result: R) => void) | undefined;
}

/**
 * A form that protects its input from navigation, an expired session and other users' changes. It never
 * overwrites another user's change silently.
 */
export function GuardedForm<I extends FieldValues, O, R, B>(props: GuardedFormProps<I, O, R, B>) {
  const {
    name,
    editing,
    extra,
    isWhole = false,
    confirm,
    saveFirst,
    save,
    onSaved,
    ...formProps
  } = props;
  const { form } = formProps;
  const phase = useRef<Phase>('typing');
  const input = useUnsavedInput(form, { name, stored: editing?.stored, extra, phase });
  const root = useRef<HTMLDivElement>(null);
  const [refusals, setRefusals] = useState(0);
  /** Moves the focus to the form, because the pressed button disappears with its notice. */
  const choose = (act: () => void) => () => {
    act();
    setRefusals(0);
    root.current?.focus();
  };
  const submit = async (values: O) => {
    // The form stays on the screen while the next screen loads; a second submit would create a duplicate.
    if (phase.current === 'done') return;
    if (confirm && !(await confirm())) return;
    const sent = structuredClone(form.getValues());
    const { pathname } = location;
    phase.current = 'sending';
    let result: R;
    try {
      await saveFirst?.();
      result = await save.mutateAsync({ values, version: input.base.version });
    } catch (error) {
      if (isChangedMeanwhile(error)) setRefusals((times) => times + 1);
      phase.current = 'typing';
      // The user has left the screen: keep the input so that it can be restored.
      if (!root.current) input.keep();
      throw error;
    }
    phase.current = 'typing';
    // Input typed during the request stays unsaved. flushSync: between a reset and the next render React
    // Hook Form has no registered fields, and would lose input.
    flushSync(() => {
      input.rebase(editing?.toStored(result) ?? { values: sent, version: null }, sent);
      input.settle();
    });
    // The user has moved to another screen: do not navigate away from it.
    if (location.pathname !== pathname) return;
    if (!editing && onSaved) phase.current = 'done';
    if (isWhole) input.discardOthers();
    onSaved?.(result);
  };
  return (
    <div ref={root} tabIndex={-1} className={styles.root}>
      {input.isRestored ? <Restored onDiscard={choose(input.discard)} /> : null}
      {editing && input.isChangedElsewhere ? (
        <ChangedElsewhere
          editing={editing}
          base={input.base.values}
          typed={form.getValues()}
          refusals={refusals}
          onKeep={choose(() => input.rebase(editing.stored, input.base.values))}
          onTake={choose(() => input.rebase(editing.stored, form.getValues()))}
        />
      ) : null}
      <Form {...formProps} onSubmit={submit} />
      <div className={styles.below}>
        <UnprintableInForm control={form.control} />
      </div>
      <LeaveDialog isOpen={input.isAsking} onClose={input.endAsking} />
    </div>
  );
}

function Restored({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className={styles.notice}>
      <Alert
        live
        title="Det du skrev, er hentet fram igjen."
        action={<Button onClick={onDiscard}>Forkast</Button>}
      >
        Det er ikke lagret ennå.
      </Alert>
    </div>
  );
}
