import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

import type { KeptInput } from './kept-input.ts';
import { askOnLeaving } from './leaving.ts';
import { changedFields, isSameInput } from './same-input.ts';
import { useKeptInput } from './useKeptInput.ts';

/** What is stored of the thing that a form changes, as it stands in the form. */
export interface Stored<I> {
  readonly values: I;
  /** Null for what is new. */
  readonly version: number | null;
}

/** What belongs to a form beside its fields, and must come back with them. */
export interface Beside<B> {
  readonly value: B;
  readonly restore: (value: B) => void;
}

interface Options<I, B> {
  /** Tells the form from others on its screen. */
  readonly name: string;
  readonly stored: Stored<I> | undefined;
  readonly beside: Beside<B> | undefined;
}

/**
 * Knows what somebody has typed into a form and not saved: takes a newer answer while that is nothing,
 * has the screen ask before it is left, and keeps it while the session is renewed.
 */
export function useUnsavedInput<I extends FieldValues, O, B>(
  form: UseFormReturn<I, unknown, O>,
  { name, stored, beside }: Options<I, B>,
) {
  const { base, latestBase, setBase, rebase } = useBase(form, stored);
  const { isSending, send } = useSending();
  const [besideBefore] = useState(beside?.value);
  const [isRestored, setRestored] = useState(false);
  // What is on its way is not asked about: whoever goes on by then has seen that it was saved.
  const isUnsaved = () =>
    !isSending.current && !isSameInput(form.getValues(), latestBase.current.values);
  const restoreBeside = (value: B | undefined) => {
    if (value !== undefined) beside?.restore(value);
  };
  const read = (): KeptInput<I, B> | undefined => {
    if (!isUnsaved()) return undefined;
    const { values, version } = latestBase.current;
    return { values: form.getValues(), base: values, version, beside: beside?.value };
  };
  const restore = (kept: KeptInput<I, B>) => {
    // Typed over what was stored then: what was changed since shows by its version.
    if (stored) setBase({ values: kept.base, version: kept.version });
    form.reset(latestBase.current.values);
    form.reset(kept.values, { keepDefaultValues: true });
    restoreBeside(kept.beside);
    setRestored(true);
  };
  const forget = useKeptInput(name, { read, restore });
  /** Nothing is kept or told of any more. */
  const settle = () => {
    setRestored(false);
    forget();
  };
  const discard = () => {
    form.reset(latestBase.current.values);
    restoreBeside(besideBefore);
    settle();
  };
  const asking = useAsking(isUnsaved, discard);

  const { isSubmitting } = form.formState;
  const isNewer = stored !== undefined && (stored.version ?? 0) > (base.version ?? 0);
  const newer = isNewer && !isSubmitting ? stored.version : null;
  const adopt = useEffectEvent(() => {
    if (!stored) return;
    const isDone = !isUnsaved() || isSameInput(form.getValues(), stored.values);
    if (isDone) rebase(stored, form.getValues());
  });
  useLayoutEffect(() => {
    if (newer !== null) adopt();
  }, [newer]);

  // And something is typed here: otherwise the newer answer has been taken.
  const isChangedElsewhere = newer !== null;
  return { base, rebase, send, settle, discard, isRestored, isChangedElsewhere, ...asking };
}

/** What stood in the form before anything was typed: for the next drawing, and for calls before it. */
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
  /** Puts other values under what was typed, which is what differs from the reference. */
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

function useSending() {
  const isSending = useRef(false);
  const send = async <T>(work: () => Promise<T>): Promise<T> => {
    isSending.current = true;
    return work().finally(() => {
      isSending.current = false;
    });
  };
  return { isSending, send };
}

function useAsking(isUnsaved: () => boolean, discard: () => void) {
  const [isAsking, setAsking] = useState(false);
  const wantsAsking = useEffectEvent(isUnsaved);
  const dropped = useEffectEvent(discard);
  useLayoutEffect(
    () =>
      askOnLeaving({
        isUnsaved: () => wantsAsking(),
        ask: () => setAsking(true),
        discard: () => dropped(),
      }),
    [],
  );
  return { isAsking, endAsking: () => setAsking(false) };
}
