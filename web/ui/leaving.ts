/** Somebody who holds what is not saved yet: a form. */
interface Holder {
  readonly isUnsaved: () => boolean;
  /** Shows the question. */
  readonly ask: () => void;
  readonly discard: () => void;
}

const holders = new Set<Holder>();
/** What goes on once the answer is yes. */
let waiting: (() => void) | undefined;

/** Has a holder asked before its screen is left. Returns what ends that. */
export function askOnLeaving(holder: Holder): () => void {
  if (holders.size === 0) addEventListener('beforeunload', warn);
  holders.add(holder);
  return () => {
    holders.delete(holder);
    // No browser keeps a page that listens to this for its back button.
    if (holders.size === 0) removeEventListener('beforeunload', warn);
  };
}

/** The browser asks in its own words, when the tab is closed or loaded anew. */
function warn(event: BeforeUnloadEvent): void {
  if (somebodyUnsaved()) event.preventDefault();
}

/** Whether leaving would lose something. */
export function somebodyUnsaved(): Holder | undefined {
  return [...holders].find((holder) => holder.isUnsaved());
}

/** Goes on at once where nothing would be lost, and otherwise when the answer is to discard it. */
export function leave(goOn: () => void): void {
  const holder = somebodyUnsaved();
  if (!holder) {
    goOn();
    return;
  }
  waiting = goOn;
  holder.ask();
}

/** The answer is yes, or what was edited is gone: nothing of what was typed is kept. */
export function discardUnsaved(): void {
  for (const holder of holders) holder.discard();
}

/** The answer to the question. */
export function answerLeaving(isLeft: boolean): void {
  const goOn = waiting;
  waiting = undefined;
  if (!isLeft) return;
  discardUnsaved();
  goOn?.();
}
