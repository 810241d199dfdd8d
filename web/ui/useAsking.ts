import { useEffectEvent, useLayoutEffect, useState } from 'react';

import { askOnLeaving } from './leaving.ts';

/** Asks before a screen with unsaved input is left. What it answers is for a `LeaveDialog`. */
export function useAsking(
  isUnsaved: () => boolean,
  discard: () => void,
  isSaving: () => boolean = () => false,
) {
  const [isAsking, setAsking] = useState(false);
  const wantsAsking = useEffectEvent(isUnsaved);
  const isAtWork = useEffectEvent(isSaving);
  const dropped = useEffectEvent(discard);
  useLayoutEffect(
    () =>
      askOnLeaving({
        isUnsaved: () => wantsAsking(),
        isSaving: () => isAtWork(),
        ask: () => setAsking(true),
        discard: () => dropped(),
      }),
    [],
  );
  return { isAsking, endAsking: () => setAsking(false) };
}
