import { useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';

import {
  forgetInput,
  InputOwner,
  keepInput,
  takeInput,
  type FormPlace,
  type KeptInput,
} from './kept-input.ts';

interface Keeping<I, B> {
  /** Returns the input to keep; undefined when nothing is unsaved. */
  readonly read: () => KeptInput<I, B> | undefined;
  /** Puts kept input back into the form. */
  readonly restore: (kept: KeptInput<I, B>) => void;
}

/**
 * Keeps a form's input when the form disappears without the user's choice: the session expires, the screen
 * crashes, or the browser discards a hidden page. The input is restored when the form is shown again.
 *
 * @param form unique among the forms of the screen
 * @returns `keep` stores the current input; `forget` deletes the stored input
 */
export function useKeptInput<I, B>(form: string, { read, restore }: Keeping<I, B>) {
  const place = usePlace(form);
  const putBack = useEffectEvent((from: FormPlace) => {
    const kept = takeInput<I, B>(from);
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
  const drop = useEffectEvent(forget);
  useLayoutEffect(() => () => keepNow(), []);
  useEffect(() => {
    let isClosing = false;
    const change = () => {
      if (document.visibilityState === 'visible') drop();
      else if (!isClosing) keepNow();
    };
    // The browser has asked the user by now (`beforeunload`), so the input was discarded on purpose.
    const close = () => {
      isClosing = true;
      drop();
    };
    const open = () => {
      isClosing = false;
    };
    document.addEventListener('visibilitychange', change);
    addEventListener('pagehide', close);
    addEventListener('pageshow', open);
    return () => {
      document.removeEventListener('visibilitychange', change);
      removeEventListener('pagehide', close);
      removeEventListener('pageshow', open);
    };
  }, []);
  return { keep, forget };
}

/** Undefined until the session is known. The owner then never changes, even if another user logs in. */
function usePlace(form: string): FormPlace | undefined {
  const owner = useContext(InputOwner);
  const { pathname } = useLocation();
  const [place, setPlace] = useState<FormPlace>();
  if (owner !== undefined && place === undefined) setPlace({ owner, pathname, form });
  return place;
}
