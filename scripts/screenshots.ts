// npm run screenshots [-- FOLDER]: draws the screens at four widths into docs/screenshots/, to compare them before and after
// a change. It serves the demo's company, an empty account and one with long names and large sums, on loopback only.

import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { Browser, Page } from 'playwright-core';

import { createCustomer } from '../domain/customer/customer.endpoints.ts';
import { todayInOslo } from '../domain/date.ts';
import { createInvoices, queueInvoices } from '../domain/invoice/invoice.endpoints.ts';
import { updateProfile } from '../domain/profile/profile.endpoints.ts';
import { openBrowser, visit } from '../e2e/support/browser.ts';
import { makeChallenge } from '../server/account/login.service.ts';
import { createApp, WEB_FOLDER, type App } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { createLog } from '../server/platform/log/log.ts';
import { freePort } from '../server/testing/process.ts';
import { DEMO_EMAIL, PROFILE } from './demo/company.ts';
import { makeDemo } from './demo/make-demo.ts';
import { openDemoNetwork } from './demo/network.ts';
import { signUp, type Call } from './demo/owner.ts';

const WIDTHS = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
] as const;
const WEEKS = 20;
const EMPTY_EMAIL = 'tom@firma.example';
const LARGE_EMAIL = 'stor@firma.example';

interface Screen {
  readonly name: string;
  readonly address: string;
  /** The part of an address: the first link with it on that screen is opened, and drawn. */
  readonly follow?: RegExp;
}

const VISITOR: readonly Screen[] = [
  { name: 'landing', address: '/' },
  { name: 'log-in', address: '/auth/login/' },
  { name: 'sign-up', address: '/auth/signup/' },
  { name: 'privacy', address: '/privacy/' },
];

/** Screens that an empty account has too. */
const LISTS: readonly Screen[] = [
  { name: 'invoices', address: '/invoices/' },
  { name: 'new-invoice', address: '/invoices/create/' },
  { name: 'templates', address: '/invoices/templates/' },
  { name: 'assignments', address: '/invoices/recurring/' },
  { name: 'reminders', address: '/invoices/reminders/' },
  { name: 'quotes', address: '/quotes/' },
  { name: 'customers', address: '/customers/' },
  { name: 'groups', address: '/customers/groups/' },
  { name: 'products', address: '/products/' },
  { name: 'payments', address: '/payments/' },
  { name: 'overview', address: '/overview/' },
  { name: 'share', address: '/overview/share/' },
  { name: 'export', address: '/invoices/export/' },
  { name: 'profile', address: '/profile/' },
  { name: 'reminder-settings', address: '/profile/reminder-settings/' },
  { name: 'export-settings', address: '/profile/export-settings/' },
  { name: 'agreements', address: '/profile/agreements/' },
  { name: 'members', address: '/profile/members/' },
  { name: 'integrations', address: '/profile/integrations/' },
  { name: 'closing', address: '/profile/closing/' },
];

const INVOICES: readonly Screen[] = [
  { name: 'unpaid', address: '/invoices/?status=OUTSTANDING' },
  { name: 'invoice', address: '/invoices/?status=OUTSTANDING', follow: /^\/invoices\/\d+\/$/ },
  { name: 'paid-invoice', address: '/invoices/?status=PAID', follow: /^\/invoices\/\d+\/$/ },
  { name: 'draft', address: '/invoices/?status=DRAFT', follow: /^\/invoices\/[0-9a-f-]{36}\/$/ },
  { name: 'customer', address: '/customers/', follow: /^\/customers\/\d+\/edit\/$/ },
];

/** Screens that show long names and large sums. */
const LARGE = INVOICES.filter(({ name }) => name !== 'paid-invoice');

const OTHERS: readonly Screen[] = [
  { name: 'new-template', address: '/invoices/templates/create/' },
  { name: 'template', address: '/invoices/templates/', follow: /^\/invoices\/templates\/\d+\/$/ },
  { name: 'new-assignment', address: '/invoices/recurring/create/' },
  {
    name: 'assignment',
    address: '/invoices/recurring/',
    follow: /^\/invoices\/recurring\/[0-9a-f-]{36}\/$/,
  },
  { name: 'new-quote', address: '/quotes/create/' },
  {
    name: 'quote',
    address: '/quotes/?state=TO_INVOICE',
    follow: /^\/quotes\/[0-9a-f-]{36}\/$/,
  },
  { name: 'new-customer', address: '/customers/create/' },
  { name: 'import', address: '/customers/import/' },
  { name: 'new-group', address: '/customers/groups/create/' },
  {
    name: 'group',
    address: '/customers/groups/',
    follow: /^\/customers\/groups\/[0-9a-f-]{36}\/edit\/$/,
  },
  { name: 'new-product', address: '/products/create/' },
  { name: 'product-import', address: '/products/import/' },
  { name: 'bank-file', address: '/payments/', follow: /^\/payments\/files\// },
];

const folder = path.resolve(
  process.argv[2] ?? path.join(import.meta.dirname, '../docs/screenshots'),
);
const data = await mkdtemp(path.join(os.tmpdir(), 'faktur-screenshots-'));
try {
  await drawAll();
} finally {
  await rm(data, { recursive: true, force: true });
}

async function drawAll(): Promise<void> {
  const demo = path.join(data, 'demo');
  await makeDemo(demo, { weeks: WEEKS });
  const port = String(await freePort());
  const publicUrl = `http://127.0.0.1:${port}`;
  const settings = { HOST: '127.0.0.1', PORT: port, PUBLIC_URL: publicUrl, DATA_DIR: demo };
  const network = await openDemoNetwork();
  const own = { ...settings, ...network.settings, FEATURES: 'all', LOG_LEVEL: 'warn' };
  const config = readConfig(own);
  const app = await createApp({
    config,
    log: createLog(config),
    webFolder: WEB_FOLDER,
    peppolWire: network.wire,
  });
  const browser = await openBrowser();
  try {
    await app.listen();
    await signUp(app, EMPTY_EMAIL);
    await makeLarge(await signUp(app, LARGE_EMAIL));
    for (const old of globSync('*.jpg', { cwd: folder })) rmSync(path.join(folder, old));
    mkdirSync(folder, { recursive: true });
    const drawn = [
      ...(await draw(browser, publicUrl, '/', VISITOR)),
      ...(await drawAs(browser, app, DEMO_EMAIL, '', [...LISTS, ...INVOICES, ...OTHERS])),
      ...(await drawAs(browser, app, EMPTY_EMAIL, 'empty-', LISTS)),
      ...(await drawAs(browser, app, LARGE_EMAIL, 'large-', LARGE)),
    ];
    writeFileSync(path.join(folder, 'README.md'), contactSheet(drawn));
  } finally {
    await browser.close();
    await app.close();
    await network.close();
  }
}

/** Draws screens as the owner of that address sees them. */
async function drawAs(
  browser: Browser,
  { context }: App,
  email: string,
  prefix: string,
  screens: readonly Screen[],
): Promise<string[]> {
  const challenge = await makeChallenge(context, 'login', email);
  const entrance = `/auth/magic-link/?token=${challenge?.token}`;
  const named = screens.map((screen) => ({ ...screen, name: `${prefix}${screen.name}` }));
  return draw(browser, context.config.publicUrl, entrance, named);
}

/**
 * @param entrance the first address, which may log in
 * @returns the names of the screens drawn
 */
async function draw(
  browser: Browser,
  publicUrl: string,
  entrance: string,
  screens: readonly Screen[],
): Promise<string[]> {
  const visitor = await visit(browser, publicUrl);
  const { page } = visitor;
  await page.goto(entrance);
  await page.waitForURL((url) => url.pathname !== '/auth/magic-link/');
  for (const screen of screens) {
    for (const size of WIDTHS) {
      await page.setViewportSize(size);
      await open(page, screen);
      await page.screenshot({
        path: path.join(folder, `${screen.name}-${size.width}.jpg`),
        type: 'jpeg',
        quality: 60,
      });
    }
    process.stdout.write(`${screen.name} `);
  }
  await visitor.close();
  return screens.map(({ name }) => name);
}

async function open(page: Page, { address, follow }: Screen): Promise<void> {
  await page.goto(address, { waitUntil: 'networkidle' });
  if (!follow) return;
  const found = await page.waitForFunction((part) => {
    const addresses = [...document.querySelectorAll('main a')].map((a) => a.getAttribute('href'));
    return addresses.find((address) => address !== null && new RegExp(part).test(address));
  }, follow.source);
  await page.goto((await found.jsonValue()) ?? address, { waitUntil: 'networkidle' });
}

/** Gives a company a long name, a customer with a longer one, and invoices of up to 125 million kroner. */
async function makeLarge(call: Call): Promise<void> {
  const companyName = 'Sameiet Nordre Vestfjordgatas Håndverks- og Vaktmesterforening';
  const name =
    'Østre Trøndelags Sammenslutning for Vedlikehold av Verneverdige Trehus og Brygger SA';
  await call(updateProfile, { body: { ...PROFILE, companyName, email: LARGE_EMAIL } });
  await call(createCustomer, {
    body: { name, address1: 'Brygga 5', postalCode: '0250', city: 'Oslo' },
  });
  for (const netUnitAmount of [100_000_000, 7_999_999.99, 1]) {
    const description = `Rehabilitering av tak, fasade og bærende konstruksjoner ${'og mer '.repeat(8)}`;
    const line = {
      description,
      netUnitAmount,
      invoicedQuantity: 1,
      vatRatePercentage: 25 as const,
    };
    const [draft] = await call(createInvoices, {
      body: {
        customerNumbers: [1],
        deliveryType: 'NONE',
        issueDate: todayInOslo(),
        dueDays: 14,
        invoiceLines: Array.from({ length: 3 }, () => line),
      },
    });
    if (netUnitAmount === 1 || !draft) continue;
    await call(queueInvoices, { query: { invoiceUuid: draft.uuid }, body: undefined });
  }
}

/** A page with all pictures, smallest width first. */
function contactSheet(names: readonly string[]): string {
  const head = ['# Screens', '', 'Made by `npm run screenshots` from the data of the demo.', ''];
  const widths = WIDTHS.map(({ width }) => width);
  const rows = names.map(
    (name) =>
      `| ${name} | ${widths.map((width) => `<img src="${name}-${width}.jpg" height="240">`).join(' | ')} |`,
  );
  const table = [`| | ${widths.join(' | ')} |`, `| --- | ${widths.map(() => '---').join(' | ')} |`];
  return `${[...head, ...table, ...rows].join('\n')}\n`;
}
