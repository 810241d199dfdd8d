import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

import type { KeptInput } from './kept-input.ts';
import { changedFields, isSameInput } from './same-input.ts';
import { useAsking } from '../ui/useAsking.ts';
import { useKeptInput } from './useKeptInput.ts';

/** A stored record, as values of the form that edits it. */
export interface Stored<I> {
  readonly values: I;
  /** Null for a new record. */
  readonly version: number | null;
}

/** State of a form outside its fields, restored together with them. */
export interface Extra<B> {
  readonly value: B;
  readonly restore: (value: B) => void;
}

/**
 * Leaving the screen asks only in the phase 'typing'. 'sending': a save is running. 'done': a new record was saved, and
 * must not be saved twice.
 */
export type Phase = 'typing' | 'sending' | 'done';

interface Options<I, B> {
  /** Unique among the forms of the screen. */
  readonly name: string;
  readonly stored: Stored<I> | undefined;
  readonly extra: Extra<B> | undefined;
  readonly phase: RefObject<Phase>;
}

/**
 * Tracks the unsaved input of a form. Without unsaved input, a newer stored record replaces the values. With
 * unsaved input, leaving the screen asks first, and the input survives a new login.
 */
export function useUnsavedInput<I extends FieldValues, O, B>(
  form: UseFormReturn<I, unknown, O>,
  { name, stored, extra, phase }: Options<I, B>,
) {
  const { base, latestBase, setBase, rebase } = useBase(form, stored);
  const [extraBefore] = useState(extra?.value);
  const [isRestored, setRestored] = useState(false);
  const isUnsaved = () =>
    phase.current === 'typing' && !isSameInput(form.getValues(), latestBase.current.values);
  const restoreExtra = (value: B | undefined) => {
    if (value !== undefined) extra?.restore(value);
  };
  const read = (): KeptInput<I, B> | undefined => {
    if (!isUnsaved()) return undefined;
    const { values, version } = latestBase.current;
    return { values: form.getValues(), base: values, version, extra: extra?.value };
  };
  const restore = (kept: KeptInput<I, B>) => {
    // The kept version shows whether the record was changed since.
    if (stored) setBase({ values: kept.base, version: kept.version });
    form.reset(latestBase.current.values);
    form.reset(kept.values, { keepDefaultValues: true });
    restoreExtra(kept.extra);
    setRestored(true);
  };
  const { keep, forget } = useKeptInput(name, { read, restore });
  /** Hides the notice about restored input, and deletes the kept input. */
  const settle = () => {
    setRestored(false);
    forget();
  };
  const discard = () => {
    form.reset(latestBase.current.values);
    restoreExtra(extraBefore);
    settle();
  };
  const asking = useAsking(isUnsaved, discard, () => phase.current === 'sending');

  const { isSubmitting } = form.formState;
  const isNewer = stored !== undefined && (stored.version ?? 0) > (base.version ?? 0);
  const newer = isNewer && !isSubmitting ? stored.version : null;
  const applyServerValues = useEffectEvent(() => {
    if (!stored) return;
    const isDone = !isUnsaved() || isSameInput(form.getValues(), stored.values);
    if (isDone) rebase(stored, form.getValues());
  });
  useLayoutEffect(() => {
    if (newer !== null) applyServerValues();
  }, [newer]);

  const isChangedElsewhere = newer !== null;
  return { base, rebase, keep, settle, discard, isRestored, isChangedElsewhere, ...asking };
}

/** The values before any typing: as state, and as a ref for callers that run before the next render. */
function useBase<I extends FieldValues, O>(
  form: UseFormReturn<I, unknown, O>,
  stored: Stored<I> | undefined,
) {
  const [base, setShownBase] = useState<Stored<I>>(() => ({
    values: structuredClone(form.getValues()),
    version: stored?.version ?? null,
  }));
  const latestBase = useRef(base);
  const setBase = (next: Stored<I>) => {
    latestBase.current = next;
    setShownBase(next);
  };
  /** Replaces the base values, and keeps the typed fields: those that differ from the reference. */
  const rebase = (next: Stored<I>, reference: I) => {
    const typed = form.getValues();
    const mine = changedFields(typed, reference).map((field) => [field, typed[field]] as const);
    form.reset(next.values);
    setBase(next);
    const both = { ...next.values, ...Object.fromEntries(mine) };
    if (mine.length > 0) form.reset(both, { keepDefaultValues: true });
  };
  return { base, latestBase, setBase, rebase };
}
