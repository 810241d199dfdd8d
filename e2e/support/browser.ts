import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Page,
  type ViewportSize,
} from 'playwright-core';

/**
 * Debian's headless Chromium; no browser is downloaded. With windows a suite takes a quarter longer, and once the
 * browser stopped drawing, so that a click waited forever.
 */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A twentieth of the processor time: no process beside the browser that draws.
  '--in-process-gpu',
  // A tenth: what is shown once is not worth compiling.
  '--js-flags=--jitless',
];

export const DESKTOP = { width: 1440, height: 900 } as const;
export const PHONE = { width: 360, height: 740 } as const;

let launched: Promise<Browser> | undefined;

/** The browser of all tests in this process. It ends with the process. */
export async function openBrowser(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: CHROMIUM,
    args: FLAGS,
    // Chromium writes the names of files in the character set of its environment; where that is ASCII, it saves a file
    // with 'å' in its name as 'download'. LC_ALL of the caller would win over LANG.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  return launched;
}

/** Prints what a user sees on each open page, so that a failure on another machine can be understood. */
export async function tellPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    if (idle.some((one) => one.page === page)) continue;
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String);
    process.stderr.write(`When the test failed, ${page.url()} showed:\n${text}\n`);
  }
}

/** A page that one user after the other may have: a new one costs a second of a processor before it shows anything. */
interface Seat {
  /** The server and the options of its context. */
  readonly key: string;
  readonly page: Page;
  readonly viewport: ViewportSize | null | undefined;
}

/** Pages of other servers than the last ones are closed, because each is a process. */
const MOST_IDLE = 6;

let taken: Seat[] = [];
const idle: Seat[] = [];

/** Ends the visits of a test. Its pages are kept for the next, unless it failed. */
export async function endVisits(browser: Browser, hasFailed = false): Promise<void> {
  if (!hasFailed) await Promise.all(taken.map(leave));
  taken = [];
  const kept = new Set(idle.map(({ page }) => page.context()));
  const others = browser.contexts().filter((context) => !kept.has(context));
  await Promise.all(others.map(async (context) => context.close()));
}

/** Leaves nothing of a user on a page. Where that fails, as when the server has ended, the page is closed. */
async function leave(seat: Seat): Promise<void> {
  taken = taken.filter((one) => one !== seat);
  try {
    await cleanUp(seat);
    idle.push(seat);
    if (idle.length > MOST_IDLE) await idle.shift()?.page.context().close();
  } catch {
    await seat.page.context().close();
  }
}

async function cleanUp({ page, viewport }: Seat): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  // A form with input asks before it is left.
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  await Promise.all([
    ...context.pages().map(async (other) => (other === page ? undefined : other.close())),
    page.unrouteAll({ behavior: 'ignoreErrors' }),
    context.unrouteAll({ behavior: 'ignoreErrors' }),
    context.setOffline(false),
    context.clearPermissions(),
    page.emulateMedia({ media: null }),
  ]);
  // No screen runs there that would write anything more.
  await page.goto('/favicon.svg', { timeout: 10_000 });
  await context.clearCookies();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  if (viewport) await page.setViewportSize(viewport);
  const session = await context.newCDPSession(page);
  await session.send('Page.resetNavigationHistory');
  await session.detach();
  page.removeAllListeners();
}

/** A user at a screen, and the complaints of the browser. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console and of scripts, except for responses that a test provokes. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Opens a page for this visit alone, where it changes what cannot be changed back, such as the clock or scripts of each page. */
  readonly alone?: boolean;
}

/** A new user: no cookies, Norwegian, and without animations, to save time. */
export async function visit(
  browser: Browser,
  url: string,
  { alone = false, ...changes }: VisitOptions = {},
): Promise<Visit> {
  const options = {
    baseURL: url,
    viewport: DESKTOP,
    locale: 'nb-NO',
    timezoneId: 'Europe/Oslo',
    reducedMotion: 'reduce',
    ...changes,
  } as const;
  const key = JSON.stringify(options);
  const at = alone
    ? -1
    : idle.findLastIndex((one) => one.key === key && one.page.context().browser() === browser);
  const [found] = at < 0 ? [] : idle.splice(at, 1);
  const page = found?.page ?? (await (await browser.newContext(options)).newPage());
  page.context().setDefaultTimeout(60_000);
  const seat = found ?? { key, page, viewport: options.viewport };
  if (!alone) {
    taken.push(seat);
    page.addInitScript = async () => {
      throw new Error('Scripts of each page stay with it: ask for a page for this visit `alone`.');
    };
  }
  const complaints: string[] = [];
  hear(page, complaints);
  const close = async () => (alone ? page.context().close() : leave(seat));
  return { page, complaints, close };
}

/**
 * Goes to an address without loading the app anew, as a link does: a third of the processor time. The new screen is there
 * when its heading, or the field where one begins, has the focus. Answers that the app got within the last five seconds
 * are not asked for again, so load a screen whose data a call has changed meanwhile. After saving, wait for where that
 * leads (`waitForURL`): its message comes earlier.
 */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    history.pushState({ key: crypto.randomUUID() }, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
    scrollTo(0, 0);
  }, address);
  await page.locator('h1:focus, main input:focus').waitFor();
}

/** Notes what the browser complains of on a page. */
export function hear(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    // Chromium logs every unsuccessful response, but the screens handle these.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
}
