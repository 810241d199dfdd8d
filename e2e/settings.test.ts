import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../server/testing/until.ts';
import { visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { stage } from './support/faktur.ts';

const reports: string[] = [];
let sentry: Server;

beforeAll(async () => {
  sentry = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      reports.push(body);
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    sentry.listen(0, '127.0.0.1', resolve);
  });
});

const here = stage(() => ({
  REGISTRATION: 'closed',
  SENTRY_DSN: `http://key@127.0.0.1:${(sentry.address() as AddressInfo).port}/1`,
}));

afterAll(async () => {
  sentry.closeAllConnections();
  await new Promise((resolve) => {
    sentry.close(resolve);
  });
});

// ACC-6
test('when registration is closed, its screen does not exist', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.goto('/auth/login/');
  await page.getByRole('button', { name: 'Logg inn', exact: true }).waitFor();
  await page.getByText('hjelp@faktur.test').waitFor();
  expect(await page.getByRole('link', { name: 'Registrer deg' }).count()).toBe(0);
  await page.goto('/auth/signup/');
  await page.getByRole('heading', { name: '404 - Finner ikke siden' }).waitFor();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Hold deg oppdatert!' }).waitFor();
  expect(await page.getByRole('link', { name: 'Registrer deg' }).count()).toBe(0);
});

test('errors and traces are reported to the configured address, without tokens', async () => {
  const { page } = await visit(here.browser, here.faktur.url, { alone: true });
  // One visit in ten is traced. This visit is made to be one of them.
  await page.addInitScript(() => {
    Math.random = () => 0.01;
  });
  await page.goto('/emails/unsubscribe/?token=hemmelig-lenke&navn=hemmelig-kunde');
  await page.getByText('hjelp@faktur.test').waitFor();
  await page.getByRole('button', { name: 'Klikk for å avregistrere' }).click();
  await page.getByText('Not Found').waitFor();
  for (const path of ['/auth/invitation/', '/auth/magic-link/']) {
    await page.goto(`${path}?token=hemmelig-lenke&navn=hemmelig-kunde`);
    await page.getByText('hjelp@faktur.test').waitFor();
  }
  await eventually(async () => {
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('Skjermen gikk i stykker');
      });
    });
    return reports.find((report) => report.includes('Skjermen gikk i stykker'));
  }, 'the report');
  await eventually(() => reports.find((report) => report.includes('pageload')), 'the trace');
  expect(reports.join('')).not.toContain('@faktur.test');
  expect(reports.join('')).toContain('/auth/magic-link/');
  expect(reports.join('')).not.toContain('hemmelig-');
});

test('a crash of a screen is reported too', async () => {
  const { page } = await visit(here.browser, here.faktur.url);
  await page.goto('/auth/login/');
  await page.waitForLoadState('networkidle');
  await page.route('**/assets/PrivacyPage-*.js*', async (route) => route.abort());
  await page.getByRole('link', { name: 'Personvern', exact: true }).click();
  await page.getByText('An error has occurred').waitFor();
  await inspect(page, 'screen-error');
  await expect.poll(() => reports.join('')).toContain('dynamically imported module');
});
