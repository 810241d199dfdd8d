import { createContext, useSyncExternalStore } from 'react';

/** The e-mail of the logged-in user, who owns the input; undefined until the session is known. */
export const InputOwner = createContext<string | undefined>(undefined);

/** The input of a form that disappeared before it was saved. */
export interface KeptInput<I, B> {
  readonly values: I;
  /** The values before the typing, and their version. */
  readonly base: I;
  readonly version: number | null;
  /** State of the form outside its fields. */
  readonly extra: B | undefined;
}

/** Identifies a form on a screen. Stays the same when the screen is opened again. */
export interface FormPlace {
  readonly owner: string;
  readonly pathname: string;
  readonly form: string;
}

const PREFIX = 'faktur.typed:';

const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

// sessionStorage is deleted when the tab is closed.
function keyOf({ owner, pathname, form }: FormPlace): string {
  return `${PREFIX}${JSON.stringify([owner, pathname, form])}`;
}

function placeOf(key: string): FormPlace {
  const [owner = '', pathname = '', form = ''] = JSON.parse(key.slice(PREFIX.length)) as string[];
  return { owner, pathname, form };
}

export function keepInput<I, B>(place: FormPlace, input: KeptInput<I, B>): void {
  ignoringFailure(() => sessionStorage.setItem(keyOf(place), JSON.stringify(input)));
  changed();
}

export function forgetInput(place: FormPlace): void {
  ignoringFailure(() => sessionStorage.removeItem(keyOf(place)));
  changed();
}

/** Returns the kept input of a form and removes it from storage. */
export function takeInput<I, B>(place: FormPlace): KeptInput<I, B> | undefined {
  const kept = ignoringFailure(() => {
    const text = sessionStorage.getItem(keyOf(place));
    return text === null ? undefined : (JSON.parse(text) as KeptInput<I, B>);
  });
  forgetInput(place);
  return kept;
}

/** All forms with kept input. */
export function keptPlaces(): FormPlace[] {
  return keptKeys().map(placeOf);
}

/** `keptPlaces` as a hook: renders again when the list changes. */
export function useKeptPlaces(): FormPlace[] {
  const keys = useSyncExternalStore(listen, () => JSON.stringify(keptKeys()));
  return (JSON.parse(keys) as string[]).map(placeOf);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keptKeys(): string[] {
  const keys = ignoringFailure(() => Object.keys(sessionStorage)) ?? [];
  return keys.filter((key) => key.startsWith(PREFIX));
}

/** Deletes the kept input of all accounts except the owner; without an owner, of all accounts. */
export function forgetInputOfOthers(owner?: string): void {
  for (const place of keptPlaces()) if (place.owner !== owner) forgetInput(place);
}

/** Storage may be disabled or full. Then nothing is kept. */
function ignoringFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
