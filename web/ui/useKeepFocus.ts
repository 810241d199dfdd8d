import { useLayoutEffect, useRef, type FocusEvent } from 'react';

import { focusOrHeading } from './focus.ts';

/** Lets a new screen or dialog take the focus first. */
const WAIT_MS = 100;
const CONTROLS = ':is(button:not(:disabled), a[href]):not([tabindex="-1"])';

/**
 * Props for a button that may be removed or disabled while it has the focus, such as a line's remove button, or
 * 'Neste' on the last page. The browser would move the focus to the page, and keyboard users would start again
 * at the top. Instead the focus moves to the nearest button or link, never to a field: that would open a
 * phone's keyboard.
 */
export function useKeepFocus(isDisabled = false) {
  const button = useRef<Element>(null);
  useLayoutEffect(() => {
    if (isDisabled) return undefined;
    return () => {
      if (button.current) passOn(button.current);
    };
  }, [isDisabled]);
  return {
    onFocus: (event: FocusEvent) => {
      button.current = event.currentTarget;
    },
    // React reports no blur during a render, so a disabled button may have lost the focus unnoticed. A button in a
    // background window is blurred, but is still the active element.
    onBlur: (event: FocusEvent) => {
      if (document.activeElement !== event.currentTarget) button.current = null;
    },
  };
}

let waiting: number | undefined;

/** Moves the focus to a control near the button. Call it while the button is still in the document. */
function passOn(button: Element): void {
  const controls = [...document.querySelectorAll<HTMLElement>(CONTROLS)];
  // `controls` does not contain the button itself if it is disabled.
  const isAfter = (control: Element) =>
    (button.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const after = controls.filter(isAfter);
  const before = controls.filter((control) => control !== button && !isAfter(control));
  const order = [...after, ...before.toReversed()];
  const around = ancestorsOf(button);
  // Only the button that was removed last moves the focus.
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    const held = document.activeElement;
    // A busy browser may take the focus from a disabled button only after this point.
    const isLost = held === document.body || (held === button && !button.matches(CONTROLS));
    if (!isLost) return;
    const usable = order.filter(
      (control) => control.matches(CONTROLS) && control.checkVisibility(),
    );
    const next = around
      .map((ancestor) => usable.find((control) => ancestor.contains(control)))
      .find((control) => control !== undefined);
    focusOrHeading(next ?? null);
  }, WAIT_MS);
}

/** The element's ancestors up to the screen or the dialog, nearest first. */
function ancestorsOf(element: Element): Element[] {
  const parent = element.parentElement;
  if (!parent || parent === document.body) return [];
  return parent.matches('main, [role$=dialog]') ? [parent] : [parent, ...ancestorsOf(parent)];
}
