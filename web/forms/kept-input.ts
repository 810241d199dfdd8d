import { createContext, useSyncExternalStore } from 'react';

/** Whose form it is: the e-mail of who is logged in, undefined while it is not known. */
export const InputOwner = createContext<string | undefined>(undefined);

/** What was typed into a form that disappeared before it was saved. */
export interface KeptInput<I, B> {
  readonly values: I;
  /** The values before the typing, and their version. */
  readonly base: I;
  readonly version: number | null;
  /** State of the form that is not a field. */
  readonly extra: B | undefined;
}

/** A form on a screen: the same when the screen is opened again. */
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

// In sessionStorage: it is deleted when the tab is closed.
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

/** What was kept of a form. It is removed, since the form has it again. */
export function takeInput<I, B>(place: FormPlace): KeptInput<I, B> | undefined {
  const kept = ignoringFailure(() => {
    const text = sessionStorage.getItem(keyOf(place));
    return text === null ? undefined : (JSON.parse(text) as KeptInput<I, B>);
  });
  forgetInput(place);
  return kept;
}

/** Every form of which something is kept. */
export function keptPlaces(): FormPlace[] {
  return keptKeys().map(placeOf);
}

/** As `keptPlaces`, and again when something is kept or no longer is. */
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

/** Forgets what anybody but this account has typed; without one, what everybody has. */
export function forgetInputOfOthers(owner?: string): void {
  for (const place of keptPlaces()) if (place.owner !== owner) forgetInput(place);
}

/** Storage may be switched off, or full: then nothing is kept. */
function ignoringFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
