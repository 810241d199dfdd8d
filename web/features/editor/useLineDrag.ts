import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type CSSProperties,
  type PointerEvent,
  type RefObject,
} from 'react';

import { placeOf, shiftOf, type Box, type Drag } from './line-drag.ts';

/** Auto-scroll zone and step, in pixels. */
const EDGE = 64;
const SCROLL = 16;

interface Start {
  readonly pageY: number;
  /** The position of each item when the drag began. */
  readonly boxes: readonly Box[];
}

/**
 * Reorders the items of a list by dragging. The order changes only when the item is dropped; Escape cancels the drag.
 */
export function useLineDrag(
  list: RefObject<HTMLElement | null>,
  onPut: (from: number, to: number) => void,
) {
  const start = useRef<Start>(undefined);
  const [drag, setDrag] = useState<Drag>();
  const isDragging = drag !== undefined;
  const end = () => {
    start.current = undefined;
    setDrag(undefined);
  };
  useEscape(isDragging, end);
  const begin = (from: number) => (event: PointerEvent) => {
    if (event.button !== 0 || !list.current) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { pageY: event.pageY, boxes: [...list.current.children].map(boxOf) };
    setDrag({ from, to: from, offset: 0, height: start.current.boxes[from]?.height ?? 0 });
  };
  const go = (event: PointerEvent) => {
    if (!start.current || !drag) return;
    scrollAtEdge(event.clientY);
    const offset = event.pageY - start.current.pageY;
    setDrag({ ...drag, offset, to: placeOf(drag.from, offset, start.current.boxes) });
  };
  const put = () => {
    if (drag) onPut(drag.from, drag.to);
    end();
  };
  return {
    isDragging,
    isDragged: (index: number) => drag?.from === index,
    /** Event handlers for an item's drag handle. */
    handle: (index: number) => ({
      onPointerDown: begin(index),
      onPointerMove: go,
      onPointerUp: put,
      onPointerCancel: end,
    }),
    styleOf: (index: number): CSSProperties | undefined =>
      drag && { transform: `translateY(${shiftOf(index, drag)}px)` },
  };
}

function useEscape(isActive: boolean, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') escape();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isActive]);
}

function boxOf(element: Element): Box {
  const { top, height } = element.getBoundingClientRect();
  return { top: top + scrollY, height };
}

function scrollAtEdge(clientY: number): void {
  if (clientY < EDGE) scrollBy(0, -SCROLL);
  else if (clientY > innerHeight - EDGE) scrollBy(0, SCROLL);
}
