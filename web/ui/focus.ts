/** Focuses an element, or the screen's heading when the element has been removed. */
export function focusOrHeading(element: Element | null): void {
  focusable(element)?.focus({ preventScroll: true });
}

/** The element if it is still there; otherwise the screen's heading. */
export function focusable(element: Element | null): HTMLElement | null {
  const place = element?.isConnected ? element : document.querySelector('main h1');
  return place instanceof HTMLElement ? place : null;
}

/**
 * Acts after the mouse button is released. A hint that appears earlier would move the pressed button away from
 * the pointer.
 */
export function afterPress(act: () => void): void {
  if (document.querySelector(':active')) {
    addEventListener('mouseup', () => setTimeout(act), { once: true });
  } else {
    act();
  }
}

let latestClick: MouseEvent | undefined;
// On the window, so that components handle a click before it is the latest.
if (typeof window !== 'undefined') {
  window.addEventListener('click', (click) => {
    latestClick = click;
  });
}

/** Whether a pointer clicks in a part of the screen where it has just clicked on something else, as a double tap does. */
export function isDoubleTap({ detail, clientX, clientY }: MouseEvent, part: Element): boolean {
  // Enter and Space click without a place.
  if (!latestClick || detail === 0) return false;
  // An answer to an earlier question is no opener.
  const { target } = latestClick;
  if (!(target instanceof Node) || !target.isConnected || part.contains(target)) return false;
  return Math.hypot(clientX - latestClick.clientX, clientY - latestClick.clientY) < 40;
}
