import { useState, type RefObject } from 'react';

import { useLineDrag } from './useLineDrag.ts';

/**
 * Reorders lines by buttons and by dragging, and announces the new order to screen readers.
 *
 * @param move moves a line from one index to another
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
  /** Moves by a button. The focus follows the line. */
  const step = (from: number, by: 1 | -1) => {
    moveTo(from, from + by);
    requestAnimationFrame(() => focusMove(list.current?.children[from + by], by));
  };
  return { ...drag, said, step };
}

export type LineOrder = ReturnType<typeof useLineOrder>;

/** Focuses the button of the same direction; at the end of the list, that of the other direction. */
function focusMove(line: Element | undefined, by: 1 | -1): void {
  const button = (direction: number) =>
    line?.querySelector<HTMLButtonElement>(`[data-move="${direction}"]:not(:disabled)`);
  (button(by) ?? button(-by))?.focus();
}
