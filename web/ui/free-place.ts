import { useLayoutEffect, type RefObject } from 'react';

const LOOK_EVERY_MS = 300;
const BUTTONS = 'button, a[href]';
const FIELDS = 'input, select, textarea';
/** What has just been said on the page itself. */
const NOTICES = '[role=status], [role=alert]';

/** A place in the window, in pixels from its left and upper edge. */
interface Place {
  readonly left: number;
  readonly bottom: number;
}

/**
 * Keeps an element over no button or link, and where there is room elsewhere over no notice or field: as
 * far down as it can be, to the right rather than to the left.
 *
 * @param content looked at anew when it changes; while it is empty, the element has no place
 */
export function useFreePlace(
  element: RefObject<HTMLElement | null>,
  content: readonly unknown[],
): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    if (content.length === 0) {
      forgetPlace(current);
      return undefined;
    }
    const look = () => moveToFreePlace(current);
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [element, content]);
}

function moveToFreePlace(element: HTMLElement): void {
  const at = element.getBoundingClientRect();
  const { width, height } = at;
  // Behind a dialog the page has no scroll bar, and the window is wider than it.
  const spare = Math.max(0, document.documentElement.clientWidth - width);
  const lowest = window.innerHeight;
  const buttons = boxesOf(BUTTONS, element);
  const fields = boxesOf(FIELDS, element);
  const notices = boxesOf(NOTICES, element);
  const isFreeOf =
    (boxes: readonly DOMRect[]) =>
    ({ left, bottom }: Place) =>
      bottom >= height &&
      boxes.every(
        (box) =>
          box.top >= bottom ||
          box.bottom <= bottom - height ||
          box.left >= left + width ||
          box.right <= left,
      );
  const all = [...buttons, ...fields, ...notices];
  const isInside = at.left >= 0 && at.left <= spare && at.bottom <= lowest;
  if (element.style.bottom !== '' && isInside && isFreeOf(all)(at)) return;
  const heights = [lowest, ...all.map(({ top }) => top).filter((top) => top < lowest)];
  const places = heights
    .toSorted((one, other) => other - one)
    .flatMap((bottom) => [spare, spare / 2, 0].map((left) => ({ left, bottom })));
  const place = places.find(isFreeOf(all)) ??
    places.find(isFreeOf([...buttons, ...notices])) ??
    places.find(isFreeOf(buttons)) ?? { left: spare, bottom: lowest };
  element.style.left = `${place.left}px`;
  element.style.bottom = `${lowest - place.bottom}px`;
}

/** The window may be narrower when there is something to show again. */
function forgetPlace(element: HTMLElement): void {
  element.style.left = '';
  element.style.bottom = '';
}

/** Where on the window the elements are that can be seen, but for those inside one. */
function boxesOf(selector: string, outside: Element): DOMRect[] {
  return [...document.querySelectorAll(selector)]
    .filter((element) => !outside.contains(element) && element.checkVisibility())
    .map((element) => element.getBoundingClientRect())
    .filter(({ height }) => height > 0);
}
