import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

import { isChangedMeanwhile } from '../lib/api-error.ts';
import { useLeaveGuard } from '../lib/leaving.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { UnprintableInForm } from '../ui/UnprintableNotice.tsx';
import { Form, type FormProps } from './Form.tsx';
import styles from './GuardedForm.module.css';
import { useKeptInput } from './useKeptInput.ts';

/** A stored record, as values of the form that edits it. */
export interface Stored<I> {
  readonly values: I;
  /** Null for a new record. */
  readonly version: number | null;
}

/** State of a form outside its fields, restored together with them. */
interface Extra<B> {
  readonly value: B;
  readonly restore: (value: B) => void;
}

/** The stored record that a form edits, and how to show its fields. */
interface Editing<I, R> {
  /** The record as last fetched. A newer version replaces the form's values while nothing is typed. */
  readonly stored: Stored<I>;
  readonly labels: Readonly<Record<string, string>>;
  /** Formats a field's value; undefined falls back to the default format. A list is shown by its label alone. */
  readonly show?: (field: string, value: unknown) => string | undefined;
  /** Converts the response of the save to the new stored record. */
  readonly toStored: (result: R) => Stored<I>;
}

export interface Saved<O> {
  readonly values: O;
  /** The version that the change is based on; null for a new record. */
  readonly version: number | null;
}

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
  readonly save: Saving<O, R>;
  /** Called after the save, when the screen may be left. Not called if the user has left it already. */
  readonly onSaved?: ((result: R) => void) | undefined;
}

/**
 * A form that protects its input from navigation, an expired session and other users' changes. It never
 * overwrites another user's change silently.
 */
export function GuardedForm<I extends FieldValues, O, R, B>(props: GuardedFormProps<I, O, R, B>) {
  const { name, editing, extra, isWhole, confirm, save, onSaved, ...formProps } = props;
  const { form } = formProps;
  const phase = useRef<Phase>('typing');
  const input = useUnsavedInput(form, phase, { name, stored: editing?.stored, extra });
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
    <div ref={root} tabIndex={-1}>
      {input.isRestored ? <Restored onDiscard={choose(input.discard)} /> : null}
      {editing && input.isChanged ? (
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
    </div>
  );
}

/**
 * Leaving the screen asks only in the phase 'typing'. 'sending': a save is running. 'done': a new record was saved,
 * and must not be saved twice.
 */
type Phase = 'typing' | 'sending' | 'done';

interface Tracking<I, B> {
  readonly name: string;
  readonly stored: Stored<I> | undefined;
  readonly extra: Extra<B> | undefined;
}

/** The input of a form that disappeared before it was saved. */
interface KeptInput<I, B> {
  readonly values: I;
  /** The values before the typing, and their version. */
  readonly base: I;
  readonly version: number | null;
  /** State of the form outside its fields. */
  readonly extra: B | undefined;
}

/**
 * Tracks the unsaved input of a form. Without unsaved input, a newer stored record replaces the values. With
 * unsaved input, leaving the screen asks first, and the input survives a new login.
 */
function useUnsavedInput<I extends FieldValues, O, B>(
  form: UseFormReturn<I, unknown, O>,
  phase: RefObject<Phase>,
  { name, stored, extra }: Tracking<I, B>,
) {
  const { base, latestBase, setBase, reset, rebase } = useBase(form, stored?.version);
  const [extraBefore] = useState(extra?.value);
  const [isRestored, setRestored] = useState(false);
  const isUnsaved = () =>
    phase.current === 'typing' && !isSameInput(form.getValues(), latestBase.current.values);
  const restoreExtra = (value: B | undefined) => {
    if (value !== undefined) extra?.restore(value);
  };
  const { keep, forget } = useKeptInput<KeptInput<I, B>>(name, {
    read: () => {
      if (!isUnsaved()) return undefined;
      const { values, version } = latestBase.current;
      return { values: form.getValues(), base: values, version, extra: extra?.value };
    },
    restore: (kept) => {
      // The kept version shows whether the record was changed since.
      if (stored) setBase({ values: kept.base, version: kept.version });
      reset(kept.values);
      restoreExtra(kept.extra);
      setRestored(true);
    },
  });
  /** Hides the notice about restored input, and deletes the kept input. */
  const settle = () => {
    setRestored(false);
    forget();
  };
  const discard = () => {
    reset(latestBase.current.values);
    restoreExtra(extraBefore);
    settle();
  };
  const isSaving = () => phase.current === 'sending';
  const { discardOthers } = useLeaveGuard({ isUnsaved, isSaving, discard });

  const isNewer = stored !== undefined && (stored.version ?? 0) > (base.version ?? 0);
  const newer = isNewer && !form.formState.isSubmitting ? stored.version : null;
  const applyServerValues = useEffectEvent(() => {
    if (!stored) return;
    const isDone = !isUnsaved() || isSameInput(form.getValues(), stored.values);
    if (isDone) rebase(stored, form.getValues());
  });
  useLayoutEffect(() => {
    if (newer !== null) applyServerValues();
  }, [newer]);

  const isChanged = newer !== null;
  return { base, rebase, keep, settle, discard, discardOthers, isRestored, isChanged };
}

/** The values before any typing: as state, and as a ref for callers that run before the next render. */
function useBase<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  version: number | null = null,
) {
  const [base, setShownBase] = useState<Stored<I>>(() => ({
    values: structuredClone(form.getValues()),
    version,
  }));
  const latestBase = useRef(base);
  const setBase = (next: Stored<I>) => {
    latestBase.current = next;
    setShownBase(next);
  };
  const reset = (values: I) => {
    form.reset(latestBase.current.values);
    if (values !== latestBase.current.values) form.reset(values, { keepDefaultValues: true });
  };
  /** Replaces the base values, and keeps the typed fields: those that differ from the reference. */
  const rebase = (next: Stored<I>, reference: I) => {
    const typed = form.getValues();
    const mine = changedFields(typed, reference).map((field) => [field, typed[field]] as const);
    setBase(next);
    reset(mine.length > 0 ? { ...next.values, ...Object.fromEntries(mine) } : next.values);
  };
  return { base, latestBase, setBase, reset, rebase };
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

type Fields = Readonly<Record<string, unknown>>;

interface ChangedElsewhereProps {
  readonly editing: Pick<Editing<Fields, never>, 'stored' | 'labels' | 'show'>;
  /** The stored values when the typing began. */
  readonly base: Fields;
  readonly typed: Fields;
  /** Number of saves refused because of the change. The notice takes the focus at each refusal. */
  readonly refusals: number;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}

/** Shows the changes that somebody else saved meanwhile, and lets the user choose between the versions. */
function ChangedElsewhere(props: ChangedElsewhereProps) {
  const { editing, base, typed, refusals, onKeep, onTake } = props;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (refusals > 0) notice.current?.focus();
  }, [refusals]);
  const { stored, labels, show } = editing;
  const text = (before: string, field: string, value: unknown, withoutValue: string) => {
    const shown = show?.(field, value) ?? showValue(value);
    return shown === undefined ? withoutValue : `${before}: ${shown}`;
  };
  return (
    <div ref={notice} tabIndex={-1} className={styles.notice}>
      <Alert tone="warning" live title="Noen har endret dette mens du skrev">
        <dl className="stack gap-3">
          {changedFields(base, stored.values).map((field) => (
            <div key={field}>
              <dt className="strong">{labels[field] ?? field}</dt>
              <dd className="soft">{text('Nå', field, stored.values[field], 'Er endret')}</dd>
              {isSameInput(typed[field], base[field]) ? null : (
                <dd className="soft">
                  {text('Du skrev', field, typed[field], 'Du har også endret dette')}
                </dd>
              )}
            </div>
          ))}
        </dl>
        <div className="row gap-2">
          <Button onClick={onKeep}>Behold det jeg skrev</Button>
          <Button onClick={onTake}>Bruk de nye opplysningene</Button>
        </div>
      </Alert>
    </div>
  );
}

/** Undefined for a list, which is too long to show. */
function showValue(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return 'Tomt';
  if (typeof value === 'boolean') return value ? 'Ja' : 'Nei';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Deep equality of form input. null, '' and undefined are equal. */
export function isSameInput(left: unknown, right: unknown): boolean {
  return textOf(left) === textOf(right);
}

/** The names of the fields that differ. */
export function changedFields(left: Fields, right: Fields): string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter((name) => !isSameInput(left[name], right[name]));
}

function textOf(input: unknown): string | undefined {
  return JSON.stringify(input, (_, value: unknown) => {
    if (value === null || value === '') return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) return value;
    const fields = new Map(Object.entries(value));
    return Object.fromEntries(
      [...fields.keys()].toSorted().map((name) => [name, fields.get(name)]),
    );
  });
}
