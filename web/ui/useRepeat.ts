import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

const HOLD_MS = 300;
const REPEAT_MS = 50;

/**
 * Props of a button that acts when pressed and, while held, again after 300 ms and then every 50 ms
 * (WEB-18).
 *
 * @param begin called on each press; returns the action, which returns whether to repeat
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
    // Keeps the focus in the field, so that a phone's keyboard stays open.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    // A click without a pointer, for example by voice control.
    onClick: (event: MouseEvent) => {
      if (event.detail === 0) begin(event)();
    },
  };
}
