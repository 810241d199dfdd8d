/** A form whose input may be unsaved. */
export interface TrackedForm {
  readonly isUnsaved: () => boolean;
  /** Whether a save is running. It continues when the screen is left, but stops when the tab is closed. */
  readonly isSaving: () => boolean;
  /** Shows the dialog that asks whether to discard the input. */
  readonly ask: () => void;
  readonly discard: () => void;
}

const forms = new Set<TrackedForm>();
/** The navigation that waits for the user's answer. */
let waiting: (() => void) | undefined;

/** Registers a form, so that leaving its screen asks first. Returns the function that unregisters it. */
export function askOnLeaving(form: TrackedForm): () => void {
  if (forms.size === 0) addEventListener('beforeunload', warn);
  forms.add(form);
  return () => {
    forms.delete(form);
    // A page with this listener is not kept in the back/forward cache.
    if (forms.size === 0) removeEventListener('beforeunload', warn);
  };
}

/** Triggers the browser's own question when the tab is closed or reloaded. */
function warn(event: BeforeUnloadEvent): void {
  if ([...forms].some((form) => form.isUnsaved() || form.isSaving())) event.preventDefault();
}

/** The first form with unsaved input, if any. */
export function findDirtyForm(): TrackedForm | undefined {
  return [...forms].find((form) => form.isUnsaved());
}

/** Calls `goOn` at once when nothing is unsaved; otherwise after the user has chosen to discard the input. */
export function leave(goOn: () => void): void {
  const form = findDirtyForm();
  if (!form) {
    goOn();
    return;
  }
  waiting = goOn;
  form.ask();
}

/**
 * Discards the input of all forms: the user chose that, or has deleted or saved the record.
 *
 * @param saved the form that keeps its input
 */
export function discardUnsaved(saved?: TrackedForm | null): void {
  for (const form of forms) if (form !== saved) form.discard();
}

/** Handles the user's answer to the dialog. */
export function answerLeaving(isLeft: boolean): void {
  const goOn = waiting;
  waiting = undefined;
  if (!isLeft) return;
  discardUnsaved();
  goOn?.();
}
