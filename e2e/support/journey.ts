import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

import { openBrowser } from './browser.ts';
import { startFaktur, type Faktur } from './faktur.ts';

/** Longer than the server itself is waited for. */
const START_TIMEOUT_MS = 90_000;

/** The server and the browser that the journeys of one file share. */
export interface Stage {
  faktur: Faktur;
  browser: Browser;
}

/**
 * A server and a browser for a file of journeys, ended after it.
 *
 * @param settings of the server, read when it starts
 */
export function stage(settings: () => NodeJS.ProcessEnv = () => ({})): Stage {
  const shared: Partial<Stage> = {};
  beforeAll(async () => {
    shared.browser = await openBrowser();
    shared.faktur = await startFaktur(settings());
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await shared.browser?.close();
    await shared.faktur?.close();
  });
  // The hooks have run before any journey looks at it.
  return shared as Stage;
}
