/** The gap between two lines, in pixels; must equal the one in the style sheet. */
const GAP = 12;

/** An item's position on the page, in pixels. */
export interface Box {
  readonly top: number;
  readonly height: number;
}

/** An item that is being dragged. */
export interface Drag {
  readonly from: number;
  /** The index at which it would be dropped. */
  readonly to: number;
  /** The distance dragged and, below, the item's height, in pixels. */
  readonly offset: number;
  readonly height: number;
}

/** The index of a dragged item: it passes another item when its middle passes that item's middle. */
export function placeOf(from: number, offset: number, boxes: readonly Box[]): number {
  const middles = boxes.map(({ top, height }) => top + height / 2);
  const here = (middles[from] ?? 0) + offset;
  return middles.filter((middle, index) => index !== from && middle < here).length;
}

/** The vertical shift of an item during a drag, in pixels. */
export function shiftOf(index: number, { from, to, offset, height }: Drag): number {
  if (index === from) return offset;
  if (index > from && index <= to) return -height - GAP;
  return index < from && index >= to ? height + GAP : 0;
}
