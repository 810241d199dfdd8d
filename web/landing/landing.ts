import '@fontsource-variable/space-grotesk/index.css';
import '../app/global.css';
import '../app/layout.css';
import '../app/site.css';
import './landing.css';
import { laterCode } from '../lib/later-code.ts';

const form = laterCode(async () => import('./landing-form.tsx'));

let opened: Promise<() => Promise<void>> | undefined;

// The page can be read and its links work without any code. The form's code, which is shared with the app, is
// loaded at the first pointer or focus event.
for (const sign of ['pointerover', 'focusin']) {
  addEventListener(sign, () => void openForm().catch(() => undefined), { once: true });
}
document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void openForm().then(async (send) => send(), showNoContact);
});

// This page does not request the session. It shows the state that another tab broadcasts
// (web/features/session/session.api.ts).
const bar = document.querySelector('.site-bar');
new BroadcastChannel('faktur.session').addEventListener('message', ({ data }) => {
  bar?.setAttribute('data-logged-in', String(data !== null));
});

async function openForm(): Promise<() => Promise<void>> {
  opened ??= form.load().then((code) => code.openForm());
  try {
    return await opened;
  } catch (error) {
    // Lets the next attempt load the code again.
    opened = undefined;
    throw error;
  }
}

function showNoContact(): void {
  const fault = document.querySelector('.newsletter-fault');
  // An alert is announced even if the field already had the focus.
  fault?.setAttribute('role', 'alert');
  fault?.replaceChildren('Får ikke kontakt med Faktur. Last siden på nytt og prøv igjen.');
  document.querySelector<HTMLElement>('.newsletter-input')?.focus();
}
