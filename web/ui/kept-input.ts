import { createContext } from 'react';

/** Whose form it is: the e-mail of who is logged in, undefined while it is not known. */
export const InputOwner = createContext<string | undefined>(undefined);

/** What somebody had typed into a form when the form went away under their hands. */
export interface KeptInput<I, B> {
  readonly values: I;
  /** What stood in the form before, and of which version that was. */
  readonly base: I;
  readonly version: number | null;
  /** What belongs to the form beside its fields. */
  readonly beside: B | undefined;
}

/** A form on a screen: the same again when the screen is opened anew. */
export interface FormPlace {
  readonly owner: string;
  readonly pathname: string;
  readonly form: string;
}

const PREFIX = 'faktur.typed:';

// In the tab's own storage: nothing of it is left when the tab is closed.
function keyOf({ owner, pathname, form }: FormPlace): string {
  return `${PREFIX}${JSON.stringify([owner, pathname, form])}`;
}

function placeOf(key: string): FormPlace {
  const [owner = '', pathname = '', form = ''] = JSON.parse(key.slice(PREFIX.length)) as string[];
  return { owner, pathname, form };
}

export function keepInput<I, B>(place: FormPlace, input: KeptInput<I, B>): void {
  ignoringFailure(() => sessionStorage.setItem(keyOf(place), JSON.stringify(input)));
}

export function forgetInput(place: FormPlace): void {
  ignoringFailure(() => sessionStorage.removeItem(keyOf(place)));
}

/** What was kept of a form, once: it is in the form again then. */
export function takeInput<I, B>(place: FormPlace): KeptInput<I, B> | undefined {
  return ignoringFailure(() => {
    const text = sessionStorage.getItem(keyOf(place));
    sessionStorage.removeItem(keyOf(place));
    return text === null ? undefined : (JSON.parse(text) as KeptInput<I, B>);
  });
}

/** Every form of which something is kept. */
export function keptPlaces(): FormPlace[] {
  return (
    ignoringFailure(() =>
      Object.keys(sessionStorage)
        .filter((key) => key.startsWith(PREFIX))
        .map(placeOf),
    ) ?? []
  );
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
