import path from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { DESKTOP, PHONE } from './browser.ts';

const PICTURES = path.resolve(import.meta.dirname, '../../test-results/screens');

/**
 * Inspects a screen at the sizes of a desktop and a phone: axe finds no fault, and nothing is wider than the window.
 * With PICTURES=yes in the environment it saves a picture of each.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await expectAccessible(page, name);
    await expectFits(page, name, size.width);
    await takePicture(page, `${name}-${size.width}`);
  }
  await page.setViewportSize(before);
}

/** Saves a picture of the whole screen if PICTURES is set. Pictures take a tenth of a test's time. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'] !== 'yes') return;
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  // Legacy mode avoids a second page for each inspection. Only frames would need the other mode.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n  ')}`,
  );
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
