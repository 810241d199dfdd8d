import sharp from 'sharp';
import { expect, test } from 'vitest';

import { visit } from './support/browser.ts';
import { stage } from './support/faktur.ts';

const here = stage();

test.each(['/', '/auth/login/'])(
  'Faktur can be added to a home screen from %s',
  async (address) => {
    const { page, complaints } = await visit(here.browser, here.faktur.url);
    await page.goto(address);
    const browser = await page.context().newCDPSession(page);
    const { url, errors, data = '' } = await browser.send('Page.getAppManifest');
    expect([url, errors]).toEqual([`${here.faktur.url}/app.webmanifest`, []]);
    const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
    await browser.detach();
    // Visits of the tests are in private browsing mode.
    const obstacles = installabilityErrors.map(({ errorId }) => errorId);
    expect(obstacles.filter((obstacle) => obstacle !== 'in-incognito')).toEqual([]);

    const { start_url: start, icons } = JSON.parse(data);
    expect((await page.request.get(start)).status()).toBe(200);
    const apple = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href');
    const wanted = [...icons, { src: apple, sizes: '180x180' }].filter(
      ({ sizes }) => sizes !== 'any',
    );
    const drawn = wanted.map(async ({ src }) => {
      const answer = await page.request.get(src);
      const { width, height, format, hasAlpha } = await sharp(await answer.body()).metadata();
      return { src, is: `${format} ${width}x${height}`, hasAlpha };
    });
    expect(await Promise.all(drawn)).toEqual(
      wanted.map(({ src, sizes }) => ({
        src,
        is: `png ${sizes}`,
        // Masks cut off the corners, so the icon must be opaque there.
        hasAlpha: !/maskable|apple/.test(src),
      })),
    );
    expect(complaints).toEqual([]);
  },
);
