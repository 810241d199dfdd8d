import { useLayoutEffect, type RefObject } from 'react';

const LOOK_EVERY_MS = 300;
const CONTROLS = 'button, a[href], input, select, textarea';
/** What has just been said on the page itself. */
const NOTICES = '[role=status], [role=alert]';

/** A place in the window, in pixels from its left and upper edge. */
interface Place {
  readonly left: number;
  readonly bottom: number;
}

/**
 * Keeps an element over no button, link or field, and over no notice where there is room elsewhere: as
 * far down as it can be, to the right rather than to the left. It moves only when something comes to
 * lie under it.
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
      // The window may be narrower when there is something to show again.
      current.style.left = '';
      current.style.bottom = '';
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
  const controls = boxesOf(CONTROLS, element);
  const all = [...controls, ...boxesOf(NOTICES, element)];
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
  const isInside = at.left >= 0 && at.left <= spare && at.bottom <= lowest;
  if (element.style.bottom !== '' && isInside && isFreeOf(all)(at)) return;
  const heights = [lowest, ...all.map(({ top }) => top).filter((top) => top < lowest)];
  const places = heights
    .toSorted((one, other) => other - one)
    .flatMap((bottom) => [spare, spare / 2, 0].map((left) => ({ left, bottom })));
  const place = places.find(isFreeOf(all)) ??
    places.find(isFreeOf(controls)) ?? { left: spare, bottom: lowest };
  element.style.left = `${place.left}px`;
  element.style.bottom = `${lowest - place.bottom}px`;
}

/** Where on the window the elements are that can be seen, but for those inside one. */
function boxesOf(selector: string, outside: Element): DOMRect[] {
  return [...document.querySelectorAll(selector)]
    .filter((element) => !outside.contains(element) && element.checkVisibility())
    .map((element) => element.getBoundingClientRect())
    .filter(({ height }) => height > 0);
}
