import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

import { askOnLeaving, discardUnsaved, type Holder } from '../lib/leaving.ts';

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
  const holder = useRef<Holder>(null);
  useLayoutEffect(() => {
    holder.current = {
      isUnsaved: () => wantsAsking(),
      isSaving: () => isAtWork(),
      ask: () => setAsking(true),
      discard: () => dropped(),
    };
    return askOnLeaving(holder.current);
  }, []);
  return {
    isAsking,
    endAsking: () => setAsking(false),
    discardOthers: () => discardUnsaved(holder.current),
  };
}
