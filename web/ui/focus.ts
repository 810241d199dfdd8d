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
