import '@fontsource-variable/space-grotesk/index.css';
import './ui/global.css';

import { PRERENDERED } from './prerendered.ts';
import { preloadScreen } from './screens.ts';

/** The first sign that somebody is there, who may want something of the page. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'wheel', 'scroll'] as const;

function start(): void {
  for (const sign of SIGNS) removeEventListener(sign, start);
  void run();
}

async function run(): Promise<void> {
  // Beside the app and not after it; the landing page has no code of its own.
  void preloadScreen(location.pathname);
  const { started } = await import('./main.tsx');
  await started;
  removeEventListener('submit', keep);
  // A click, which React waits for with what it has not taken over yet; with a submit it does not.
  pressed?.click();
}

let pressed: HTMLElement | null = null;

/** A form that is sent before the app is there is sent again once it is. */
function keep(event: SubmitEvent): void {
  pressed = event.submitter;
}

if (document.querySelector(`[${PRERENDERED}]`)) {
  // All of the screen is there to be read, and its links work: the code has been fetched, and is run
  // when it is needed.
  for (const sign of SIGNS) addEventListener(sign, start, { passive: true });
  addEventListener('submit', keep);
} else {
  // The bar in index.html is painted before the app is run, whose running would hold it up.
  requestAnimationFrame(() => {
    setTimeout(start);
  });
}
