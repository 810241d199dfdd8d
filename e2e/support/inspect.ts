import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { DESKTOP, PHONE } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PICTURES = path.resolve(import.meta.dirname, '../../test-results/screens');

/** Hashes of the screens and texts that axe has judged in this process (`Survey`), so that it judges none twice. */
const judged = { screens: new Set<number>(), texts: new Set<number>() };

/**
 * Inspects a screen at the sizes of a desktop and a phone: axe finds no fault, nothing is wider than the window,
 * and nothing in a column is given a height.
 *
 * axe takes half a second of a processor, so it judges a screen in the same state once, at the size of a desktop, and
 * the contrast of a text once wherever it stands in the same elements. On a phone it judges the size of targets, which it
 * leaves out by default, and texts that only a phone shows.
 *
 * With PICTURES=yes in the environment it saves a picture of each.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  await inspectBy(page, name, expectAccessible);
}

/** Inspects without axe whether a screen fits, where only its content is other than on a screen that is inspected. */
export async function inspectFit(page: Page, name: string): Promise<void> {
  await inspectBy(page, name, async () => undefined);
}

async function inspectBy(page: Page, name: string, judge: typeof expectAccessible): Promise<void> {
  const before = page.viewportSize() ?? DESKTOP;
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    await judge(page, `${name} at ${size.width}`, size.width);
    await expectFits(page, name, size.width);
    await expectOwnHeights(page, name, size.width);
    await expectWholeNumbers(page, name, size.width);
    await takePicture(page, `${name}-${size.width}`);
  }
  await page.setViewportSize(before);
}

/** Saves a picture of the whole screen if PICTURES is set. Pictures take a tenth of a test's time. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'] !== 'yes') return;
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
}

/** The cumulative layout shift while an address is loaded, as browsers measure it. */
export async function shiftOnLoad(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'networkidle' });
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

async function expectAccessible(page: Page, name: string, width: number): Promise<void> {
  // axe sees no dialog whose opening still begins with an opacity of 0.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
  const survey = await page.evaluateHandle(surveyScreen, width);
  const { screen, texts } = await survey.evaluate((made) => ({
    screen: made.screen,
    texts: made.texts,
  }));
  const newTexts = texts.flatMap((text, index) => (judged.texts.has(text) ? [] : [index]));
  const isNew = !judged.screens.has(screen);
  if (isNew || newTexts.length > 0) {
    if (!(await page.evaluate(() => 'axe' in window))) await loadAxe(page);
    const rules = isNew ? (width === PHONE.width ? 'target-size' : 'all') : 'none';
    const found = await survey.evaluate(runAxe, { rules, newTexts } as const);
    if (found === 'CHANGED') {
      await survey.dispose();
      return expectAccessible(page, name, width);
    }
    expect(found, `axe on ${name}`).toEqual([]);
    judged.screens.add(screen);
    for (const index of newTexts) judged.texts.add(texts[index] ?? 0);
  }
  await survey.dispose();
}

/**
 * The browser keeps what it made of a script that the protocol gives it, for the next page of the same process, but not of
 * one that `page.evaluate` wraps: 0.07 seconds of a processor in place of 0.18.
 */
async function loadAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: AXE });
  await session.detach();
}

/** A screen as axe sees it, without what people wrote. */
interface Survey {
  /** A hash of its address without numbers, its elements, their classes and their states, at this width. */
  readonly screen: number;
  /** The visible elements with text of their own. */
  readonly elements: readonly Element[];
  /** For each of these a hash of itself and all that it stands in. */
  readonly texts: readonly number[];
}

/** Runs in the browser. Equal siblings count as one: a list is the same list with another row. */
function surveyScreen(width: number): Survey {
  // Attributes with words and references of the record that is shown; whether there is one counts all the same.
  const isContent =
    /^(?:id|for|name|href|src|alt|title|value|placeholder|style|d|points|aria-(?:label|valuetext|valuenow|.*by|controls|owns|activedescendant))$/;
  // FNV-1a.
  const hash = (text: string, start = 2_166_136_261) => {
    let value = start;
    for (let at = 0; at < text.length; at++) {
      value = Math.imul(value ^ text.charCodeAt(at), 16_777_619);
    }
    return value;
  };
  const ownText = (element: Element) =>
    element.matches('input, textarea, select') ||
    [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
    );
  const describe = (element: Element) =>
    [
      element.tagName,
      ...[...element.attributes].map(({ name, value }) =>
        isContent.test(name) ? `${name}${value === '' ? '' : '+'}` : `${name}=${value}`,
      ),
      ...[':checked', ':disabled', ':focus', ':placeholder-shown'].filter((state) =>
        element.matches(state),
      ),
      ownText(element) ? 'text' : '',
    ].join(' ');
  const elements: Element[] = [];
  const texts: number[] = [];
  const walk = (element: Element, above: number): number => {
    const own = describe(element);
    const chain = hash(own, above);
    if (ownText(element) && element.checkVisibility({ visibilityProperty: true })) {
      elements.push(element);
      texts.push(chain);
    }
    const inside = [...element.children].map((child) => walk(child, chain));
    return hash(inside.filter((child, index) => child !== inside[index - 1]).join(), hash(own));
  };
  const address = location.pathname.replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d+/g, '#');
  const screen = hash(`${address} ${width}`, walk(document.documentElement, 0));
  return { screen, elements, texts };
}

/**
 * Runs in the browser. Returns the faults: those of the whole screen by some rules, and the contrast of some texts.
 * CHANGED when one of these is gone since the survey.
 */
async function runAxe(
  { elements }: Survey,
  {
    rules,
    newTexts,
  }: { readonly rules: 'all' | 'target-size' | 'none'; readonly newTexts: readonly number[] },
): Promise<string[] | 'CHANGED'> {
  const { axe } = window as unknown as { axe: typeof Axe };
  // Results other than violations, and selectors of elements, would take half of the time; contrast takes two thirds of
  // the rest.
  const faults: Axe.Result[] = [];
  const run = async (context: Axe.ElementContext, change: Axe.RunOptions) => {
    const options: Axe.RunOptions = {
      resultTypes: ['violations'],
      selectors: false,
      preload: false,
      ...change,
    };
    const { violations } = await axe.run(context, options);
    faults.push(...violations);
  };
  if (rules === 'all') await run(document, { rules: { 'color-contrast': { enabled: false } } });
  if (rules === 'target-size') await run(document, { runOnly: ['target-size'] });
  const include = newTexts.map((index) => elements[index] as Element as Node);
  if (!include.every((element) => element.isConnected)) return 'CHANGED';
  if (include.length > 0) await run({ include }, { runOnly: ['color-contrast'] });
  // The bar at the foot of a list covers a part of the row that has been scrolled below it.
  const isCovered = ({ any }: Axe.NodeResult) =>
    any.some(({ data }) => /obscured/i.test((data as { messageKey?: string })?.messageKey ?? ''));
  return faults.flatMap(({ id, nodes }) => {
    const faulty = nodes.filter((node) => id !== 'target-size' || !isCovered(node));
    return faulty.length === 0 ? [] : `${id}: ${faulty.map(({ html }) => html).join('\n  ')}`;
  });
}

async function expectFits(page: Page, name: string, width: number): Promise<void> {
  const tooWide = await page.evaluate(() => {
    // Elements for screen readers alone are clipped to nothing, whatever their box, and a row without a
    // scrollbar is meant to be wider.
    const isClipped = (element: Element | null): boolean => {
      if (element === null) return false;
      const { clipPath, scrollbarWidth } = getComputedStyle(element);
      return clipPath !== 'none' || scrollbarWidth === 'none' || isClipped(element.parentElement);
    };
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

/** Where room is short, a number goes to the next line whole: 148 is no 14 and 8. */
async function expectWholeNumbers(page: Page, name: string, width: number): Promise<void> {
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('.numeric')].flatMap((element) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      while (texts.nextNode()) {
        const node = texts.currentNode;
        for (const { index, 0: digits } of (node.textContent ?? '').matchAll(/\b\d{2,}\b/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + digits.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
            found.push(digits);
        }
      }
      return found;
    }),
  );
  expect(broken, `numbers broken in two on ${name} at ${width}`).toEqual([]);
}
