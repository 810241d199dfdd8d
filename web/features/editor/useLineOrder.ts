import { useState, type RefObject } from 'react';

import { useLineDrag } from './useLineDrag.ts';

/**
 * Lets lines be put into another order, by buttons and by dragging, and says so.
 *
 * @param move puts one line in another's place
 */
export function useLineOrder(
  list: RefObject<HTMLElement | null>,
  count: number,
  move: (from: number, to: number) => void,
) {
  const [said, setSaid] = useState('');
  const moveTo = (from: number, to: number) => {
    if (from === to) return;
    move(from, to);
    setSaid(`Linje ${from + 1} er nå linje ${to + 1} av ${count}.`);
  };
  const drag = useLineDrag(list, moveTo);
  /** By a button, which keeps the focus where the line has gone. */
  const step = (from: number, by: 1 | -1) => {
    moveTo(from, from + by);
    requestAnimationFrame(() => focusMove(list.current?.children[from + by], by));
  };
  return { ...drag, said, step };
}

export type LineOrder = ReturnType<typeof useLineOrder>;

/** The button of the same direction, or at the end of the list the other. */
function focusMove(line: Element | undefined, by: 1 | -1): void {
  const button = (direction: number) =>
    line?.querySelector<HTMLButtonElement>(`[data-move="${direction}"]:not(:disabled)`);
  (button(by) ?? button(-by))?.focus();
}
