import path from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { DESKTOP, PHONE } from './browser.ts';

const PICTURES = path.resolve(import.meta.dirname, '../../test-results/screens');

/**
 * Looks a screen over on a desk and on a phone: axe finds nothing, nothing is wider than the
 * window, and a picture is kept for whoever wants to see it.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await expectAccessible(page, name);
    await expectFits(page, name, size.width);
    const file = path.join(PICTURES, `${name}-${size.width}.png`);
    await page.screenshot({ path: file, fullPage: true });
  }
  await page.setViewportSize(before);
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  // Legacy mode spares a second page for every look; there are no frames that would need it.
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
