import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/**
 * Debian's Chromium without windows; no other is ever downloaded. The one with windows takes a quarter more of a
 * suite's time, and once drew no frame any more, so that a click waited for ever.
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

/** The browser of all journeys that this process runs. It ends with the process. */
export async function openBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  return launched;
}

/** Ends the visits of a file of journeys. */
export async function endVisits(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map(async (context) => context.close()));
}

/** A person at a screen, and what their browser had to complain about. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console and of scripts, but for answers that a journey provokes. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** A new person: no cookies, Norwegian, and without animations, which only cost time here. */
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
  page.on('console', (message) => {
    // Chromium itself notes every answer that is no success; the screens decide what it means.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints, close: async () => context.close() };
}
