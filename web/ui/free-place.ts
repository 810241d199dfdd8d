import { useLayoutEffect, type RefObject } from 'react';

const LOOK_EVERY_MS = 300;
const CONTROLS = 'button, a[href], input, select, textarea';

/** A place in the window, in pixels from its left and upper edge. */
interface Place {
  readonly left: number;
  readonly bottom: number;
}

/**
 * Keeps an element over no button, link or field: as far down as there is room for it, to the right
 * rather than to the left. It moves only when something comes to lie under it.
 *
 * @param content looked at anew when it changes; nothing is done while it is empty
 */
export function useFreePlace(
  element: RefObject<HTMLElement | null>,
  content: readonly unknown[],
): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (!current || content.length === 0) return undefined;
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
  const { width, height } = element.getBoundingClientRect();
  const spare = document.documentElement.clientWidth - width;
  const controls = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !element.contains(control) && control.checkVisibility())
    .map((control) => control.getBoundingClientRect());
  const isFree = ({ left, bottom }: Place) =>
    bottom >= height &&
    controls.every(
      (control) =>
        control.top >= bottom ||
        control.bottom <= bottom - height ||
        control.left >= left + width ||
        control.right <= left,
    );
  const at = element.getBoundingClientRect();
  const isInside = at.left <= spare && at.bottom <= window.innerHeight;
  if (element.style.bottom !== '' && isInside && isFree({ left: at.left, bottom: at.bottom }))
    return;
  const lowest = window.innerHeight;
  const heights = [lowest, ...controls.map(({ top }) => top).filter((top) => top < lowest)];
  const places = heights
    .toSorted((one, other) => other - one)
    .flatMap((bottom) => [spare, spare / 2, 0].map((left) => ({ left, bottom })));
  const place = places.find(isFree) ?? { left: spare, bottom: lowest };
  element.style.left = `${place.left}px`;
  element.style.bottom = `${lowest - place.bottom}px`;
}
