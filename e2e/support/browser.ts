import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

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
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String);
    process.stderr.write(`When the test failed, ${page.url()} showed:\n${text}\n`);
  }
}

/** Closes the visits of a test. */
export async function endVisits(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map(async (context) => context.close()));
}

/** A user at a screen, and the complaints of the browser. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console and of scripts, except for responses that a test provokes. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** A new user: no cookies, Norwegian, and without animations, to save time. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: DESKTOP,
    locale: 'nb-NO',
    timezoneId: 'Europe/Oslo',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  hear(page, complaints);
  return { page, complaints, close: async () => context.close() };
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
