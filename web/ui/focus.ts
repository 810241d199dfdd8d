/** Gives the focus to an element, or to the screen's heading when it is no longer there to take it. */
export function focusOrHeading(element: Element | null): void {
  focusable(element)?.focus({ preventScroll: true });
}

/** The element if it can have the focus; otherwise the screen's heading. */
export function focusable(element: Element | null): HTMLElement | null {
  const place =
    element?.isConnected && !element.matches(':disabled')
      ? element
      : document.querySelector('main h1');
  return place instanceof HTMLElement ? place : null;
}

/** Acts when the mouse that took the focus is up: a hint that appears before that moves what it presses away. */
export function afterPress(act: () => void): void {
  if (document.querySelector(':active')) {
    addEventListener('mouseup', () => setTimeout(act), { once: true });
  } else {
    act();
  }
}
