import { useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';

import { forgetInput, InputOwner, keepInput, takeInput, type FormPlace } from '../lib/leaving.ts';

interface Keeping<Input> {
  /** Returns the input to keep; undefined when nothing is unsaved. */
  readonly read: () => Input | undefined;
  /** Puts kept input back into the form. */
  readonly restore: (kept: Input) => void;
}

/**
 * Keeps a form's input when the form disappears without the user's choice: the session expires, the screen
 * crashes, or the browser discards a hidden page. The input is restored when the form is shown again.
 *
 * @returns `keep` stores the current input; `forget` deletes the stored input
 */
export function useKeptInput<Input>(form: string, { read, restore }: Keeping<Input>) {
  const owner = useContext(InputOwner);
  const { pathname } = useLocation();
  // Undefined until the session is known. The owner then never changes, even if another user logs in.
  const [place, setPlace] = useState<FormPlace>();
  if (owner !== undefined && place === undefined) setPlace({ owner, pathname, form });
  const putBack = useEffectEvent((from: FormPlace) => {
    const kept = takeInput(from) as Input | undefined;
    if (kept) restore(kept);
  });
  useEffect(() => {
    if (place) putBack(place);
  }, [place]);
  const keep = () => {
    const input = read();
    if (place && input) keepInput(place, input);
  };
  const forget = () => {
    if (place) forgetInput(place);
  };
  const keepNow = useEffectEvent(keep);
  const forgetNow = useEffectEvent(forget);
  useLayoutEffect(() => () => keepNow(), []);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let isClosing = false;
    const onVisibility = () => {
      if (document.visibilityState === 'hidden' && !isClosing) keepNow();
      if (document.visibilityState === 'hidden') return;
      isClosing = false;
      forgetNow();
    };
    // The browser has asked the user by now (`beforeunload`), so the input was discarded on purpose.
    const onClose = () => {
      isClosing = true;
      forgetNow();
    };
    document.addEventListener('visibilitychange', onVisibility, { signal });
    addEventListener('pagehide', onClose, { signal });
    return () => listening.abort();
  }, []);
  return { keep, forget };
}
