import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

import { askOnLeaving, discardUnsaved, type TrackedForm } from '../lib/leaving.ts';

/** Asks before a screen with unsaved input is left. The result controls a `LeaveDialog`. */
export function useAsking(
  isUnsaved: () => boolean,
  discard: () => void,
  isSaving: () => boolean = () => false,
) {
  const [isAsking, setAsking] = useState(false);
  const isUnsavedNow = useEffectEvent(isUnsaved);
  const isSavingNow = useEffectEvent(isSaving);
  const discardNow = useEffectEvent(discard);
  const form = useRef<TrackedForm>(null);
  useLayoutEffect(() => {
    form.current = {
      isUnsaved: () => isUnsavedNow(),
      isSaving: () => isSavingNow(),
      ask: () => setAsking(true),
      discard: () => discardNow(),
    };
    return askOnLeaving(form.current);
  }, []);
  return {
    isAsking,
    endAsking: () => setAsking(false),
    discardOthers: () => discardUnsaved(form.current),
  };
}
