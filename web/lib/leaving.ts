import {
  createContext,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';

interface TrackedForm {
  readonly isUnsaved: () => boolean;
  /** Whether a save is running. It continues when the screen is left, but stops when the tab is closed. */
  readonly isSaving: () => boolean;
  readonly discard: () => void;
}

const forms = new Set<TrackedForm>();
/** The navigation that waits for the user's answer. */
let waiting: (() => void) | undefined;
const listeners = new Set<() => void>();

/** Tracks a form: leaving its screen asks first while its input is unsaved. */
export function useLeaveGuard({ isUnsaved, isSaving, discard }: TrackedForm) {
  const isUnsavedNow = useEffectEvent(isUnsaved);
  const isSavingNow = useEffectEvent(isSaving);
  const discardNow = useEffectEvent(discard);
  const tracked = useRef<TrackedForm>(null);
  useLayoutEffect(() => {
    const form = {
      isUnsaved: () => isUnsavedNow(),
      isSaving: () => isSavingNow(),
      discard: () => discardNow(),
    };
    tracked.current = form;
    if (forms.size === 0) addEventListener('beforeunload', warn);
    forms.add(form);
    return () => {
      forms.delete(form);
      if (forms.size > 0) return;
      // A page with this listener is not kept in the back/forward cache.
      removeEventListener('beforeunload', warn);
      wait(undefined);
    };
  }, []);
  return { discardOthers: () => discardUnsaved(tracked.current) };
}

/** Triggers the browser's own question when the tab is closed or reloaded. */
function warn(event: BeforeUnloadEvent): void {
  if ([...forms].some((form) => form.isUnsaved() || form.isSaving())) event.preventDefault();
}

export function isAnyUnsaved(): boolean {
  return [...forms].some((form) => form.isUnsaved());
}

/** Calls `goOn` at once when nothing is unsaved; otherwise after the user has chosen to discard the input. */
export function leave(goOn: () => void): void {
  if (isAnyUnsaved()) wait(goOn);
  else goOn();
}

export function useIsAsking(): boolean {
  return useSyncExternalStore(listen, () => waiting !== undefined);
}

export function answerLeaving(isLeft: boolean): void {
  const goOn = waiting;
  wait(undefined);
  if (!isLeft) return;
  discardUnsaved();
  goOn?.();
}

/**
 * Discards the input of all forms: the user chose that, or has deleted or saved the record.
 *
 * @param saved the form that keeps its input
 */
export function discardUnsaved(saved?: TrackedForm | null): void {
  for (const form of forms) if (form !== saved) form.discard();
}

function wait(goOn: (() => void) | undefined): void {
  waiting = goOn;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The e-mail of the logged-in user, who owns the input; undefined until the session is known. */
export const InputOwner = createContext<string | undefined>(undefined);

/** Identifies a form on a screen. Stays the same when the screen is opened again. */
export interface FormPlace {
  readonly owner: string;
  readonly pathname: string;
  readonly form: string;
}

const PREFIX = 'faktur.typed:';

// sessionStorage is deleted when the tab is closed.
function keyOf({ owner, pathname, form }: FormPlace): string {
  return `${PREFIX}${JSON.stringify([owner, pathname, form])}`;
}

function placeOf(key: string): FormPlace {
  const [owner = '', pathname = '', form = ''] = JSON.parse(key.slice(PREFIX.length)) as string[];
  return { owner, pathname, form };
}

export function keepInput(place: FormPlace, input: unknown): void {
  ignoringFailure(() => sessionStorage.setItem(keyOf(place), JSON.stringify(input)));
  notify();
}

export function forgetInput(place: FormPlace): void {
  ignoringFailure(() => sessionStorage.removeItem(keyOf(place)));
  notify();
}

/** Returns the kept input of a form and removes it from storage. */
export function takeInput(place: FormPlace): unknown {
  const text = ignoringFailure(() => sessionStorage.getItem(keyOf(place)));
  forgetInput(place);
  return typeof text === 'string' ? JSON.parse(text) : undefined;
}

export function keptPlaces(): FormPlace[] {
  return keptKeys().map(placeOf);
}

/** `keptPlaces` as a hook: renders again when the list changes. */
export function useKeptPlaces(): FormPlace[] {
  const keys = useSyncExternalStore(listen, () => JSON.stringify(keptKeys()));
  return (JSON.parse(keys) as string[]).map(placeOf);
}

/** Deletes the kept input of all accounts except the owner; without an owner, of all accounts. */
export function forgetInputOfOthers(owner?: string): void {
  for (const place of keptPlaces()) if (place.owner !== owner) forgetInput(place);
}

function keptKeys(): string[] {
  const keys = ignoringFailure(() => Object.keys(sessionStorage)) ?? [];
  return keys.filter((key) => key.startsWith(PREFIX));
}

/** Storage may be disabled or full. Then nothing is kept. */
function ignoringFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
