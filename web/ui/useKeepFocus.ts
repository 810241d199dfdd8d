import { useLayoutEffect, useRef, type FocusEvent } from 'react';

import { focusOrHeading } from './focus.ts';

const CONTROLS = ':is(button, a[href]):not(:disabled, [aria-disabled=true], [tabindex="-1"])';

/**
 * Props for a button that may be removed while it has the focus, such as a line's remove button. The browser would
 * move the focus to the page, and keyboard users would start again at the top. Instead the focus moves to the nearest
 * button or link, never to a field: that would open a phone's keyboard.
 */
export function useKeepFocus() {
  const button = useRef<Element>(null);
  useLayoutEffect(
    () => () => {
      // React calls this before it removes the button from the document.
      if (button.current && button.current === document.activeElement) passOn(button.current);
    },
    [],
  );
  return {
    onFocus: (event: FocusEvent) => {
      button.current = event.currentTarget;
    },
  };
}

const PARTS = 'section, [role$=dialog]';

/**
 * Moves the focus to a control near the button. Call it while the button is still in the document. In other parts of the
 * screen only links are near: a second Enter must not start another part's action.
 */
function passOn(button: Element): void {
  const isInPart = button.closest(PARTS) !== null;
  const controls = [...document.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => {
    const part = control.closest(PARTS);
    return part ? part.contains(button) || control.matches('a') : !isInPart;
  });
  const isAfter = (control: Element) =>
    (button.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const before = controls.filter((control) => control !== button && !isAfter(control));
  const order = [...controls.filter(isAfter), ...before.toReversed()];
  const around = ancestorsOf(button);
  // After the removal. What React adds in its place may have taken the focus.
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return;
    const usable = order.filter(
      (control) => control.matches(CONTROLS) && control.checkVisibility(),
    );
    const next = around
      .map((ancestor) => usable.find((control) => ancestor.contains(control)))
      .find((control) => control !== undefined);
    // A dialog that loses its buttons closes, and returns the focus by itself.
    if (next || around.at(-1)?.matches('main')) focusOrHeading(next ?? null);
  });
}

/** The element's ancestors up to the screen or the dialog, nearest first. */
function ancestorsOf(element: Element): Element[] {
  const parent = element.parentElement;
  if (!parent || parent === document.body) return [];
  return parent.matches('main, [role$=dialog]') ? [parent] : [parent, ...ancestorsOf(parent)];
}
