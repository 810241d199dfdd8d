import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

const HOLD_MS = 300;
const REPEAT_MS = 50;

/**
 * What to give a button that acts when it is pressed, and again and again while it is held, after
 * 300 ms and then every 50 ms (specification § 9).
 *
 * @param begin called as it is pressed; what it returns acts, and says whether there is more to do
 */
export function useRepeat(begin: () => () => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown: ({ button }: PointerEvent) => {
      if (button !== 0) return;
      const act = begin();
      const repeat = (delay: number) => {
        if (act()) timer.current = setTimeout(repeat, delay, REPEAT_MS);
      };
      repeat(HOLD_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // The field beside it keeps the focus, and a phone's keyboard stays as it is.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    // Pressed by something that has no pointer, such as a voice.
    onClick: ({ detail }: MouseEvent) => {
      if (detail === 0) begin()();
    },
  };
}
