import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { DESKTOP, PHONE } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = path.resolve(import.meta.dirname, '../../test-results/screens');

/**
 * Inspects a screen at the sizes of a desktop and a phone: axe finds no fault, nothing is wider than the window,
 * and nothing in a column is given a height.
 * With PICTURES=yes in the environment it saves a picture of each.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await expectAccessible(page, name);
    await expectFits(page, name, size.width);
    await expectOwnHeights(page, name, size.width);
    await takePicture(page, `${name}-${size.width}`);
  }
  await page.setViewportSize(before);
}

/** Saves a picture of the whole screen if PICTURES is set. Pictures take a tenth of a test's time. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'] !== 'yes') return;
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
}

/** The cumulative layout shift of a reload, as browsers measure it. */
export async function shiftOnLoad(page: Page): Promise<number> {
  await page.reload({ waitUntil: 'networkidle' });
  return page.evaluate(
    async () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const shift of list.getEntries())
            sum += (shift as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 200);
      }),
  );
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // axe sees no dialog whose opening still begins with an opacity of 0.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
  // Results other than violations, and selectors of elements, would take half of the time.
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof Axe };
    const { violations } = await axe.run({ resultTypes: ['violations'], selectors: false });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`,
    );
  });
  expect(found, `axe on ${name}`).toEqual([]);
}

async function expectFits(page: Page, name: string, width: number): Promise<void> {
  const tooWide = await page.evaluate(() => {
    // Elements for screen readers alone are clipped to nothing, whatever their box.
    const isClipped = (element: Element | null): boolean =>
      element !== null &&
      (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
      .filter((element) => element.checkVisibility() && !element.closest('svg'))
      .filter((element) => !isClipped(element))
      .map((element) => element.outerHTML.slice(0, 120));
  });
  expect(tooWide, `${name} at ${width}`).toEqual([]);
}

/** The width of an item of a row would be the height of an item of a column. */
async function expectOwnHeights(page: Page, name: string, width: number): Promise<void> {
  const found = await page.evaluate(() =>
    [...document.querySelectorAll('.stack > *')]
      .filter((element) => getComputedStyle(element).flexBasis.endsWith('px'))
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  expect(found, `${name} at ${width}`).toEqual([]);
}
