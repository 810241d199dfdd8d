import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

const HOLD_MS = 300;
const REPEAT_MS = 50;

/**
 * Props of a button that acts when pressed and, while held, again after 300 ms and then every 50 ms
 * (WEB-18).
 *
 * @param begin called when it is pressed; the function it returns acts, and says whether to go on
 */
export function useRepeat(begin: (pressed: MouseEvent) => () => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const act = begin(event);
      const repeat = (delay: number) => {
        if (act()) timer.current = setTimeout(repeat, delay, REPEAT_MS);
      };
      repeat(HOLD_MS);
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    // The field keeps the focus, and a phone's keyboard stays open.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    // Pressed without a pointer, by voice control for instance.
    onClick: (event: MouseEvent) => {
      if (event.detail === 0) begin(event)();
    },
  };
}
