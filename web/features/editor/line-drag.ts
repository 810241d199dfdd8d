/** Between two lines, in pixels, as the style sheet has it. */
const GAP = 12;

/** Where an item is on the page, in pixels. */
export interface Box {
  readonly top: number;
  readonly height: number;
}

/** An item that is being dragged. */
export interface Drag {
  readonly from: number;
  /** Where it would be put down. */
  readonly to: number;
  /** How far it was dragged, and how high it is, in pixels. */
  readonly offset: number;
  readonly height: number;
}

/** The place of an item that was dragged so far: it has passed those whose middles its own middle has. */
export function placeOf(from: number, offset: number, boxes: readonly Box[]): number {
  const middles = boxes.map(({ top, height }) => top + height / 2);
  const here = (middles[from] ?? 0) + offset;
  return middles.filter((middle, index) => index !== from && middle < here).length;
}

/** How far an item stands from its place while one is dragged, in pixels. */
export function shiftOf(index: number, { from, to, offset, height }: Drag): number {
  if (index === from) return offset;
  if (index > from && index <= to) return -height - GAP;
  return index < from && index >= to ? height + GAP : 0;
}
