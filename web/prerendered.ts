/** Marks #root where the page came with its screen already in it (prerender.tsx). */
export const PRERENDERED = 'data-prerendered';

/** What somebody has typed into such a screen before the app was there to take it. */
export function typedSoFar(name: string): string {
  if (typeof document === 'undefined') return '';
  const input = document.querySelector<HTMLInputElement>(`[${PRERENDERED}] [name="${name}"]`);
  return input?.value ?? '';
}
