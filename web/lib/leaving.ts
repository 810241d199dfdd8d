/** A form whose input may be unsaved. */
export interface Holder {
  readonly isUnsaved: () => boolean;
  /** Whether it is being saved, which goes on when the screen is left, and ends with the tab. */
  readonly isSaving: () => boolean;
  /** Shows the question. */
  readonly ask: () => void;
  readonly discard: () => void;
}

const holders = new Set<Holder>();
/** What the person wanted to do, while they are asked. */
let waiting: (() => void) | undefined;

/** Asks before the form's screen is left. Returns what ends that. */
export function askOnLeaving(holder: Holder): () => void {
  if (holders.size === 0) addEventListener('beforeunload', warn);
  holders.add(holder);
  return () => {
    holders.delete(holder);
    // With this listener browsers do not keep the page for the back button.
    if (holders.size === 0) removeEventListener('beforeunload', warn);
  };
}

/** The browser's own question, when the tab is closed or reloaded. */
function warn(event: BeforeUnloadEvent): void {
  if ([...holders].some((holder) => holder.isUnsaved() || holder.isSaving()))
    event.preventDefault();
}

/** A form with unsaved input, if any. */
export function somebodyUnsaved(): Holder | undefined {
  return [...holders].find((holder) => holder.isUnsaved());
}

/** Goes on at once when nothing is unsaved, otherwise when the person chooses to discard it. */
export function leave(goOn: () => void): void {
  const holder = somebodyUnsaved();
  if (!holder) {
    goOn();
    return;
  }
  waiting = goOn;
  holder.ask();
}

/**
 * The person discards the input, or has deleted or saved what it was about.
 *
 * @param saved keeps its input
 */
export function discardUnsaved(saved?: Holder | null): void {
  for (const holder of holders) if (holder !== saved) holder.discard();
}

/** The answer to the question. */
export function answerLeaving(isLeft: boolean): void {
  const goOn = waiting;
  waiting = undefined;
  if (!isLeft) return;
  discardUnsaved();
  goOn?.();
}
