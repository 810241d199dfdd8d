import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useLocation } from 'react-router';

import { companyOfTab } from '../lib/client.ts';
import { createListeners } from '../lib/listeners.ts';
import { isSameInput, withTyped } from '../lib/same-input.ts';
import { withStorage } from '../lib/storage.ts';
import { Alert } from '../ui/Surface.tsx';
import { Button } from '../ui/Button.tsx';
import type { Versioned } from './Form.tsx';

/** 'sending': a save is running. 'done': a new record was saved, and must not be saved twice. */
export type Phase = 'typing' | 'sending' | 'done';

/** State of a form outside its fields, restored together with them. */
export interface Extra<B> {
  readonly value: B;
  /** Puts a value back, and lets go of what is fleeting. */
  readonly restore: (value: B) => void;
  /** Whether there is something that cannot be kept, such as chosen files, and only the question protects. */
  readonly isFleeting?: boolean;
}

/**
 * Tracks the unsaved input of a form. Without unsaved input, a newer stored record replaces the values. With
 * unsaved input, leaving the screen asks first, and the input survives a new login.
 */
export function useUnsavedInput<I extends FieldValues, O, B>(
  form: UseFormReturn<I, unknown, O>,
  name: string,
  phase: RefObject<Phase>,
  around: {
    readonly root: RefObject<HTMLElement | null>;
    readonly stored: Versioned<I> | undefined;
    readonly extra: Extra<B> | undefined;
  },
) {
  const { root, stored, extra } = around;
  /** The values before any typing. */
  const [base, setBase] = useState<Versioned<I>>(() => ({
    values: structuredClone(form.getValues()),
    version: stored?.version ?? null,
  }));
  const [extraBefore] = useState(extra?.value);
  const [isRestored, setRestored] = useState(false);
  const isTyped = () => phase.current === 'typing' && !isSameInput(form.getValues(), base.values);
  const isUnsaved = (isClosing = false) =>
    phase.current === 'typing'
      ? extra?.isFleeting === true || isTyped()
      : isClosing && phase.current === 'sending';
  const show = (next: Versioned<I>, values: I, extraValue?: B) => {
    setBase(next);
    form.reset(next.values);
    form.reset(values, { keepDefaultValues: true });
    if (extraValue !== undefined) extra?.restore(extraValue);
  };
  /** Replaces the base values, and keeps the typed fields: those that differ from the reference. */
  const rebase = (next: Versioned<I>, reference: I) =>
    show(next, withTyped(next.values, form.getValues(), reference));

  const owner = useContext(InputOwner);
  const { pathname } = useLocation();
  /** Set once, when the session is known. The owner stays, even if another user logs in. */
  const place = useRef<Omit<Kept, 'input' | 'isLeft'>>(undefined);
  const keep = (isKept: boolean) => {
    const at = place.current;
    if (!at) return;
    const input = { values: form.getValues(), base, extra: extra?.value };
    const mine = isKept && isTyped() ? [{ ...at, input, isLeft }] : [];
    changeKept((kept) => [...kept.filter(({ key }) => key !== at.key), ...mine]);
  };
  /** Hides the notice about restored input, and deletes the kept input. */
  const settle = () => {
    setRestored(false);
    keep(false);
  };
  const discard = () => {
    show(base, base.values, extraBefore);
    settle();
  };
  const tracked = useLeaveGuard({ isUnsaved, discard, keep, root });
  const putBack = useEffectEvent((at: Omit<Kept, 'input' | 'isLeft'>) => {
    place.current = at;
    const kept = keptInputs().find(({ key }) => key === at.key)?.input;
    keep(false);
    if (!kept) return;
    const typed = kept as { values: I; base: Versioned<I>; extra?: B };
    // The kept version shows whether the record was changed since.
    show(stored ? typed.base : base, typed.values, typed.extra);
    setRestored(true);
  });
  useEffect(() => {
    const company = companyOfTab();
    const key = JSON.stringify([owner, company, pathname, name]);
    if (owner !== undefined && !place.current) putBack({ key, owner, company, pathname });
  }, [owner, pathname, name]);

  const isNewer = (stored?.version ?? 0) > (base.version ?? 0) && !form.formState.isSubmitting;
  const newer = isNewer ? stored : undefined;
  const applyServerValues = useEffectEvent(() => {
    const typed = form.getValues();
    if (newer && (!isUnsaved() || isSameInput(typed, newer.values))) rebase(newer, typed);
  });
  const newVersion = newer?.version;
  useLayoutEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- resets the form, which a render cannot do
    if (newVersion !== undefined) applyServerValues();
  }, [newVersion]);
  return { base, newer, rebase, keep, settle, discard, tracked, isRestored };
}

export function Restored({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <div className="above">
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

/** Input that leaving the screen must not lose. */
interface Tracked {
  /** When the tab closes, also whether a save is running: it continues when only the screen is left. */
  readonly isUnsaved: (isClosing?: boolean) => boolean;
  readonly discard: () => void;
  /**
   * Stores unsaved input, or deletes what was stored. The input may disappear without the user's choice: the session
   * expires, the screen crashes, the page is loaded again, or the browser discards a hidden one.
   */
  readonly keep?: (isKept: boolean) => void;
  /** The element around the form. */
  readonly root?: RefObject<HTMLElement | null>;
}

const onScreen = new Set<RefObject<Tracked>>();
/** Whether the page is being left, or loaded again. */
let isLeft = false;
const WATCHED = ['beforeunload', 'pagehide', 'visibilitychange'];
/** The navigation that waits for the user's answer. */
let waiting: (() => void) | undefined;
const { listen, notify } = createListeners();

/** Tracks input: leaving its screen asks first while it is unsaved. */
export function useLeaveGuard(input: Tracked): RefObject<Tracked> {
  const tracked = useRef(input);
  useLayoutEffect(() => {
    tracked.current = input;
  });
  useLayoutEffect(() => {
    if (onScreen.size === 0) for (const type of WATCHED) addEventListener(type, watchWindow);
    onScreen.add(tracked);
    return () => {
      tracked.current.keep?.(true);
      onScreen.delete(tracked);
      if (onScreen.size > 0) return;
      // A page that listens to 'beforeunload' is not kept in the back/forward cache.
      for (const type of WATCHED) removeEventListener(type, watchWindow);
      wait(undefined);
    };
  }, []);
  return tracked;
}

function watchWindow(event: Event): void {
  if (event.type === 'beforeunload') {
    if (isAnyUnsaved(true)) event.preventDefault();
    return;
  }
  const isHidden = document.visibilityState === 'hidden';
  isLeft = event.type === 'pagehide' || (isLeft && isHidden);
  for (const { current } of onScreen) current.keep?.(isHidden || isLeft);
}

export function isAnyUnsaved(isTabClosing = false): boolean {
  return [...onScreen].some(({ current }) => current.isUnsaved(isTabClosing));
}

/** Calls `goOn` at once when nothing is unsaved; otherwise after the user has chosen to discard the input. */
export function leave(goOn: () => void): void {
  if (isAnyUnsaved()) wait(goOn);
  else goOn();
}

/** The question whether to discard the input, as props of its dialog. */
export function useLeaveQuestion() {
  const open = useSyncExternalStore(listen, () => waiting !== undefined);
  const onConfirm = () => {
    const goOn = waiting;
    wait(undefined);
    discardUnsaved();
    goOn?.();
  };
  return { open, onClose: () => wait(undefined), onConfirm };
}

/** Another form of the screen that is unsaved, or is being saved. */
export function findUnsaved(own: RefObject<Tracked>): Tracked | undefined {
  return [...onScreen].find((other) => other !== own && other.current.isUnsaved(true))?.current;
}

export function discardUnsaved(): void {
  for (const { current } of onScreen) current.discard();
}

function wait(goOn: (() => void) | undefined): void {
  waiting = goOn;
  notify();
}

/** The e-mail of the logged-in user, who owns the input; undefined until the session is known. */
export const InputOwner = createContext<string | undefined>(undefined);

/** The input of a form that disappeared before it was saved. */
export interface Kept {
  /** Identifies the form. Stays the same when the screen is opened again. */
  readonly key: string;
  readonly owner: string;
  /** The company whose record it is: the same address shows another record in another company. */
  readonly company: string | undefined;
  readonly pathname: string;
  readonly input: unknown;
  /** Whether the page was left, after the browser's question: only if it is loaded again is the input still wanted. */
  readonly isLeft: boolean;
}

export function changeKept(change: (kept: Kept[]) => Kept[]): void {
  storedText(JSON.stringify(change(keptInputs())));
  notify();
}

export function keptInputs(): Kept[] {
  return JSON.parse(storedText()) as Kept[];
}

/** `keptInputs` as a hook: renders again when the list changes. */
export function useKeptInputs(): Kept[] {
  return JSON.parse(useSyncExternalStore(listen, () => storedText())) as Kept[];
}

const [navigation] = performance.getEntriesByType('navigation');
if (navigation && 'type' in navigation && navigation.type === 'navigate') {
  changeKept((kept) => kept.filter((input) => !input.isLeft));
}

/** Reads the kept input, after replacing it. sessionStorage lasts until the tab is closed. */
function storedText(next?: string): string {
  const work = (storage: Storage) => {
    if (next !== undefined) storage.setItem('faktur.typed', next);
    return storage.getItem('faktur.typed');
  };
  return withStorage(work, 'sessionStorage') ?? '[]';
}
