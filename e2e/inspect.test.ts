import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';

import { endVisits, openBrowser, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';

afterEach(async () => endVisits(await openBrowser()));

async function show(page: Page, content: string): Promise<void> {
  const style = `
    @media (width < 40em) { .desktop { display: none } }
    @media (width >= 40em) { .phone { display: none } }
    button { width: 10px; height: 10px; padding: 0; border: 0; overflow: hidden }
    .pale { color: #ccc }`;
  await page.setContent(
    `<!doctype html><html lang="nb"><head><title>Skjerm</title><style>${style}</style></head>
    <body><main><h1>Skjerm</h1>${content}</main></body></html>`,
  );
}

const SMALL = '<button>a</button><button>b</button>';

// WEB-21
test.each([
  ['a pale text', '<p class="pale">Lys</p>', /1440.*color-contrast/s],
  ['a field without label', '<input>', /1440.*label/s],
  ['small targets', SMALL, /360.*target-size/s],
  ['a wide text', '<p style="width: 2000px">Lang</p>', /1440/],
  ['a pale text of phones', '<p class="phone pale">Lys</p>', /360.*color-contrast/s],
  ['small targets of phones', `<div class="phone">${SMALL}</div>`, /360.*target-size/s],
  [
    'a number in two',
    '<p class="numeric" style="width: 1ch; overflow-wrap: anywhere">148</p>',
    /1440/,
  ],
  ['a text that is wide on phones', '<p style="width: 700px">Lang</p>', /360/],
])('a screen that was found good is judged again with %s', async (_, fault, complaint) => {
  const { page } = await visit(await openBrowser(), 'http://localhost', { alone: true });
  await show(page, '<p>Godt</p>');
  await inspect(page, 'good');
  await show(page, `<p>Bedre</p>${fault}`);
  const error: unknown = await inspect(page, 'bad').then(
    () => null,
    (found: unknown) => found,
  );
  const { message, actual } = error as { message: string; actual: unknown };
  expect(`${message} ${JSON.stringify(actual)}`).toMatch(complaint);
});
