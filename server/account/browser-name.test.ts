import { expect, test } from 'vitest';

import { browserOf } from './browser-name.ts';

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; SM-S921B)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

// SEC-2
test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`,
    'Firefox på Windows',
  ],
  [`${WINDOWS} ${BLINK} Chrome/142.0.0.0 Safari/537.36`, 'Chrome på Windows'],
  [`${WINDOWS} ${BLINK} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge på Windows'],
  [`${WINDOWS} ${BLINK} Chrome/142.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera på Windows'],
  [`${MAC} ${WEBKIT} Version/26.0 Safari/605.1.15`, 'Safari på Mac'],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} HeadlessChrome/142.0.0.0 Safari/537.36`,
    'Chrome på Linux',
  ],
  [`${IPHONE} ${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari på iPhone'],
  [`${IPHONE} ${WEBKIT} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'Chrome på iPhone'],
  [`${IPHONE} ${WEBKIT} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, 'Firefox på iPhone'],
  [
    `Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) ${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1`,
    'Safari på iPad',
  ],
  [
    `${ANDROID} ${BLINK} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet på Android',
  ],
  [`${ANDROID} ${BLINK} Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0`, 'Edge på Android'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', 'Firefox på Android'],
  ['curl/8.14.1', null],
  ['Chrome/142 på en brødrister', null],
  ['Mozilla/5.0 (Windows NT 10.0)', null],
  ['', null],
])('%s is %s', (userAgent, name) => {
  expect(browserOf(userAgent)).toBe(name);
});
