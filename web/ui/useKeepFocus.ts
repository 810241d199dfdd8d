import { useLayoutEffect, useRef, type FocusEvent } from 'react';

import { focusOrHeading } from './focus.ts';

/** Long enough for a screen or a dialog to take the focus itself. */
const WAIT_MS = 100;
const CONTROLS = ':is(button:not(:disabled), a[href]):not([tabindex="-1"])';

/**
 * For a button that may be taken away or disabled while it has the focus: the line that it removes, the
 * last page's 'Neste'. The browser would give the focus to the page, and whoever uses the keyboard would
 * begin at its top. It goes to the next button or link nearby, and to none that opens a keyboard.
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
    // React tells of no blur while it draws, when a disabled button may have lost the focus already. While the window is
    // in the background its button is blurred, and still has the page's focus.
    onBlur: (event: FocusEvent) => {
      if (document.activeElement !== event.currentTarget) button.current = null;
    },
  };
}

let waiting: number | undefined;

/** Called while the button still stands where it stood. */
function passOn(button: Element): void {
  const controls = [...document.querySelectorAll<HTMLElement>(CONTROLS)];
  // The button itself is none of them any more when it was disabled.
  const isAfter = (control: Element) =>
    (button.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const after = controls.filter(isAfter);
  const before = controls.filter((control) => control !== button && !isAfter(control));
  const order = [...after, ...before.toReversed()];
  const around = ancestorsOf(button);
  // Only of the last button that went: one that went just before it has nothing to say any more.
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    const held = document.activeElement;
    // A browser that is busy takes the focus from a disabled button later than this.
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

/** The nearest first, as far as the screen or the dialog. */
function ancestorsOf(element: Element): Element[] {
  const parent = element.parentElement;
  if (!parent || parent === document.body) return [];
  return parent.matches('main, [role$=dialog]') ? [parent] : [parent, ...ancestorsOf(parent)];
}
