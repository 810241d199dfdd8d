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

/** What a form needs to know about the thing that it changes. */
interface Editing<I, R> extends Changed<I> {
  /** What the answer to a change stores. */
  readonly toStored: (result: R) => Stored<I>;
}

/** What a form is saved as. */
export interface Saved<O> {
  readonly values: O;
  /** What a change is based on; null for something new. */
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
  /** Tells the form from others on its screen. */
  readonly name: string;
  /** Absent for something new. */
  readonly editing?: Editing<I, R> | undefined;
  readonly extra?: Extra<B>;
  /** Whether the other forms on its screen are parts of it, which nobody needs once it is saved. */
  readonly isWhole?: boolean;
  /** Asks before it is saved, and resolves with whether it shall be. */
  readonly confirm?: (() => Promise<boolean>) | undefined;
  /** What has to be saved before it. May reject as `save` does. */
  readonly saveFirst?: (() => Promise<void>) | undefined;
  readonly save: Saving<O, R>;
  /** Called when nothing is unsaved any more, and the screen may be left. Not when it has been. */
  readonly onSaved?: ((result: R) => void) | undefined;
}

/**
 * A form whose input is not lost by a link, the back button, an expired session or a change that somebody
 * else has made meanwhile; nor does it silently undo that change.
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
  /** The pressed button disappears with its notice, so the form takes the focus. */
  const choose = (act: () => void) => () => {
    act();
    setRefusals(0);
    root.current?.focus();
  };
  const submit = async (values: O) => {
    // Still shown, until the code of the next screen is here: it would be made twice.
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
      // Whoever has gone on meanwhile finds it again.
      if (!root.current) input.keep();
      throw error;
    }
    phase.current = 'typing';
    // What was typed while it was being sent stays unsaved. At once: between its reset and the next
    // render React Hook Form hears no field, and would lose what is typed.
    flushSync(() => {
      input.rebase(editing?.toStored(result) ?? { values: sent, version: null }, sent);
      input.settle();
    });
    // Whoever has gone on meanwhile stays there.
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
