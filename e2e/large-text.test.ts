import { chromium, type Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { ocrFile } from '../server/testing/bank-files/ocr-file.ts';
import { CHROMIUM, visit } from './support/browser.ts';
import { stage, WITH_ALL } from './support/faktur.ts';
import {
  addCustomer,
  addDraft,
  completeProfile,
  createAccount,
  register,
} from './support/person.ts';

const here = stage(WITH_ALL);

const SCREENS = ['/invoices/', '/invoices/create/', '/payments/', '/customers/', '/profile/'];
const SIZES = [1024, 1200, 1440].map((width) => ({ width, height: 768 }));

/** A company with an invoice and a bank file. */
async function open(page: Page, email: string): Promise<void> {
  await createAccount(page, here.faktur, email);
  await completeProfile(page);
  const { customer_number: customer } = await addCustomer(page, 'Nordnes Kaffebar');
  await register(page, await addDraft(page, customer));
  await page.goto('/payments/');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Velg fil' }).click();
  await (
    await chooser
  ).setFiles({
    name: 'OCR.D261126 fra banken.txt',
    mimeType: 'text/plain',
    buffer: ocrFile([
      {
        number: 1,
        assignments: [
          {
            payments: [
              { kid: '12345674', amount: 123_456_789, bankDate: '011126' },
              { kid: '12345674', amount: 123_456_789, bankDate: '251126' },
            ],
          },
        ],
      },
    ]),
  });
  await page.waitForURL('**/payments/files/**');
}

/** The elements with content that is cut off at the right: the body, and elements that neither show it nor scroll. */
function cutOff(): string[] {
  const boxes = [...document.querySelectorAll('body, body *')].filter((box) =>
    box.querySelector('table, form'),
  );
  return boxes
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .filter(
      (box) =>
        ['hidden', 'clip'].includes(getComputedStyle(box).overflowX) || box === document.body,
    )
    .map((box) => `${location.pathname} ${innerWidth}: ${box.outerHTML.slice(0, 80)}`);
}

async function expectWhole(page: Page): Promise<void> {
  for (const path of SCREENS) {
    await page.goto(path, { waitUntil: 'networkidle' });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      expect(await page.evaluate(cutOff)).toEqual([]);
    }
  }
}

// WEB-21
test('a browser with text of 150 % shows whole tables, as cards where there is no room', async () => {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--blink-settings=defaultFontSize=24'],
  });
  try {
    const { page, complaints } = await visit(browser, here.faktur.url, { alone: true });
    await open(page, 'stor-skrift@fjordlys.no');
    await expectWhole(page);
    await page.goto('/payments/');
    await page.setViewportSize({ width: 1024, height: 768 });
    const row = page.getByRole('row', { name: /^OCR\.D261126/ });
    expect(await row.evaluate((shown) => getComputedStyle(shown).display)).toBe('grid');
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
});

/** Whether a list's chosen option is shown whole. */
function isReadable(list: SVGElement | HTMLElement): boolean {
  const { font, paddingLeft, paddingRight } = getComputedStyle(list);
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) throw new Error('The text cannot be measured');
  pen.font = font;
  const { width } = pen.measureText((list as HTMLSelectElement).selectedOptions[0]?.text ?? '');
  return width <= list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}

test('tables scroll where text is larger than the window has room for', async () => {
  const { page } = await visit(here.browser, here.faktur.url, { alone: true });
  await open(page, 'forstorret@fjordlys.no');
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '150%';
    }),
  );
  await expectWhole(page);
  await page.goto('/invoices/create/');
  const rate = page.getByLabel('Mva.', { exact: true });
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await rate.evaluate(isReadable)).toBe(true);
  await page.setViewportSize({ width: 320, height: 740 });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '';
  });
  expect(await rate.evaluate(isReadable)).toBe(true);
  await page.goto('/payments/');
  await page.setViewportSize({ width: 1024, height: 768 });
  const table = page.getByRole('table', { name: 'Filer fra banken' });
  const { inside, room } = await table.evaluate(({ parentElement: frame }) => ({
    inside: frame?.scrollWidth ?? 0,
    room: frame?.clientWidth ?? 0,
  }));
  expect(inside).toBeGreaterThan(room);
});
