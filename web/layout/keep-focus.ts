/** Long enough for a screen or a dialog to take the focus itself. */
const WAIT_MS = 100;
const CONTROLS = ':is(button:not(:disabled), a[href]):not([tabindex="-1"])';

/**
 * Takes the focus on when what had it is gone or can no longer be used: the button of a removed line,
 * the last page's 'Neste'. The browser would give it to the page, and whoever uses the keyboard would
 * begin at its top. It goes to the next button or link nearby, and to none that opens a keyboard.
 */
export function keepFocus(): void {
  let last: Element | null = null;
  let around: Element[] = [];
  let controls: Element[] = [];
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    around = ancestorsOf(target);
    controls = inOrder(new Set([...document.querySelectorAll(CONTROLS), target]));
  });
  // Whoever presses outside every control gives the focus up on purpose.
  addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest('button, a, input, select, label'))
      last = null;
  });
  const takeOn = () => {
    if (!last || isUsable(last) || !isNowhere()) return;
    const at = controls.indexOf(last);
    const order = [...controls.slice(at + 1), ...controls.slice(0, at).toReversed()];
    const usable = order.filter(isUsable);
    const next = around
      .filter((ancestor) => ancestor.isConnected)
      .map((ancestor) => usable.find((control) => ancestor.contains(control)))
      .find((control) => control !== undefined);
    const place = next ?? document.querySelector('main h1');
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  };
  let timer: ReturnType<typeof setTimeout>;
  new MutationObserver(() => {
    if (!last || isUsable(last)) return;
    clearTimeout(timer);
    timer = setTimeout(takeOn, WAIT_MS);
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden'],
  });
}

/** The nearest first, as far as the screen or the dialog. */
function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = [];
  let parent = element.parentElement;
  while (parent && parent.id !== 'root' && parent !== document.body) {
    ancestors.push(parent);
    if (parent.matches('main, [role$=dialog]')) break;
    parent = parent.parentElement;
  }
  return ancestors;
}

function inOrder(elements: ReadonlySet<Element>): Element[] {
  return [...elements].toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
}

function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled') && element.checkVisibility();
}

/** Whether the focus is with the page, or with what can no longer be used. */
function isNowhere(): boolean {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body || !isUsable(activeElement);
}
