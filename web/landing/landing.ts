import '@fontsource-variable/space-grotesk/index.css';
import '../app/global.css';
import '../app/site.css';
import './landing.css';
import { laterCode } from '../lib/later-code.ts';

const form = laterCode(async () => import('./landing-form.tsx'));

let opened: Promise<() => Promise<void>> | undefined;

// The page is to be read, and its links work, without any code. That of its form, which the app shares,
// is fetched at the first sign of somebody.
for (const sign of ['pointerover', 'focusin']) {
  addEventListener(sign, () => void openForm().catch(() => undefined), { once: true });
}
document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  void openForm().then(async (send) => send(), tellOfNoContact);
});

// Nobody asks here who is logged in; what another tab tells of it is shown (web/features/session/other-tabs.ts).
const bar = document.querySelector('.site-bar');
new BroadcastChannel('faktur.session').addEventListener('message', ({ data }) => {
  bar?.setAttribute('data-logged-in', String(data !== null));
});

async function openForm(): Promise<() => Promise<void>> {
  opened ??= form.load().then((code) => code.openForm());
  try {
    return await opened;
  } catch (error) {
    // The next try fetches it anew.
    opened = undefined;
    throw error;
  }
}

function tellOfNoContact(): void {
  const fault = document.querySelector('.newsletter-fault');
  // It is read out as well when the field had the focus before.
  fault?.setAttribute('role', 'alert');
  fault?.replaceChildren('Får ikke kontakt med Faktur. Last siden på nytt og prøv igjen.');
  document.querySelector<HTMLElement>('.newsletter-input')?.focus();
}
