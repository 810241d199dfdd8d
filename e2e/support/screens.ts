import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll } from 'vitest';

import type { Customer } from '../../domain/customer/customer.schema.ts';
import { getSession } from '../../domain/session/session.endpoints.ts';
import { AppError } from '../../server/errors.ts';
import { DESKTOP, hear, openBrowser, tellPages, visit } from './browser.ts';
import { startFakeApi, type FakeApi } from './fake-api.ts';
import { customerOf, type Company } from './usual-answers.ts';

/** A screen of the built web app, whose calls the test answers. */
export interface Screen {
  readonly page: Page;
  readonly api: FakeApi;
  readonly company: Company;
  /** Complaints of the browser, and calls without an answer. */
  readonly complaints: readonly string[];
}

interface Opening {
  /** As the setting FEATURES. Nothing is on unless it says so. */
  readonly features?: '' | 'all';
  readonly options?: BrowserContextOptions;
  /** Opens a browser context for this test alone, where it changes what cannot be changed back, such as the clock. */
  readonly alone?: true;
  /** As of `page.goto`. */
  readonly waitUntil?: 'commit';
  /** Nobody is logged in. */
  readonly isVisitor?: true;
  /** The company's customers, numbered from 1. */
  readonly customers?: readonly Partial<Customer>[];
  /** Answers calls, or changes the page, before the screen is opened. */
  readonly prepare?: (screen: Screen) => unknown;
}

export interface Screens {
  /** Opens an address. */
  open(path: string, opening?: Opening): Promise<Screen>;
}

const apis = new Map<string, Promise<FakeApi>>();
/** The pages that the tests of a process use one after the other: a new page costs a second of a processor. */
const pages = new Map<string, Page>();

/**
 * For tests of a screen, a form or a control alone: the built web app in the browser, on the product's own HTTP server
 * with nothing behind it. A test costs a fraction of a journey's time.
 */
export function screens(): Screens {
  let browser: Browser;
  const visits: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await tellPages(browser);
    await Promise.all(visits.splice(0).map(async (visited) => visited.close()));
  });
  return {
    open: async (path, { features = '', options = {}, customers = [], ...opening } = {}) => {
      const { alone, isVisitor, waitUntil, prepare } = opening;
      const api = await apis.getOrInsertComputed(features, startFakeApi);
      const key = JSON.stringify([api.url, options]);
      let page = alone ? undefined : pages.get(key);
      if (!page || page.isClosed()) {
        const visited = await visit(browser, api.url, { ...options, alone });
        ({ page } = visited);
        if (alone) visits.push(visited);
        else pages.set(key, page);
      } else await cleanUp(page, options);
      await leaveScreens([...pages.values()].filter((other) => other !== page));
      const complaints: string[] = [];
      page.removeAllListeners();
      hear(page, complaints);
      const company = api.begin(complaints);
      company.customers = customers.map((fields, index) => customerOf(index + 1, fields));
      if (isVisitor) {
        api.answer(getSession, () => {
          throw new AppError('not_logged_in');
        });
      }
      const screen = { page, api, company, complaints };
      await prepare?.(screen);
      await page.goto(path, { waitUntil });
      return screen;
    },
  };
}

/** A screen may go on asking, as for a run that is under way, and its API belongs to another test now. */
async function leaveScreens(others: readonly Page[]): Promise<void> {
  for (const page of others) {
    const nowhere = new URL('/favicon.svg', page.url()).href;
    if (page.url() !== nowhere && !page.isClosed()) await page.goto(nowhere);
  }
}

/** Leaves nothing on a page of what the test before did there. */
async function cleanUp(page: Page, { viewport }: BrowserContextOptions): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
  await page.setViewportSize(viewport ?? DESKTOP);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
}
