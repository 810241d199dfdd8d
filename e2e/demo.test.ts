import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../server/testing/until.ts';
import { freePort, NODE_SETTINGS, ROOT } from '../server/testing/process.ts';
import { endVisits, openBrowser, visit } from './support/browser.ts';
import { inspect } from './support/inspect.ts';
import { call } from './support/person.ts';

/** It takes half a minute of a processor. */
const MAKING_MS = 480_000;

let parent: string;
let browser: Browser;

beforeAll(async () => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'faktur-demo-'));
  browser = await openBrowser();
});
afterAll(async () => {
  await endVisits(browser);
  fs.rmSync(parent, { recursive: true, force: true });
});

interface Listed {
  readonly results: { kind: string; status: string; delivery_status: string | null }[];
  readonly summary: Readonly<Record<string, number>>;
}

test(
  'the demo shows an invoice in every state, with a login link that works repeatedly',
  async () => {
    const folder = path.join(parent, 'demo');
    // An interrupted first run leaves this folder.
    fs.mkdirSync(path.join(`${folder}.unfinished`, 'postgres'), { recursive: true });
    const first = await startDemo(folder);
    expect(fs.readdirSync(parent)).toEqual(['demo']);

    const { page, complaints } = await visit(browser, first.origin);
    await page.goto(first.link);
    await page.waitForURL('**/invoices/');
    await page.getByRole('table').getByText('Feilet').waitFor();
    await inspect(page, 'demo');
    const list = await call<Listed>(page, 'GET', '/api/invoices/');
    const more = await call<Listed>(page, 'GET', '/api/invoices/?page=2');
    const invoices = [...list.results, ...more.results];
    const seen = (field: 'kind' | 'status' | 'delivery_status') =>
      new Set(invoices.map((invoice) => invoice[field]));
    expect(seen('kind')).toEqual(new Set(['INVOICE', 'CREDIT_NOTE']));
    expect(seen('status')).toEqual(new Set(['DRAFT', 'REGISTERED', 'PAID', 'CANCELLED']));
    expect(seen('delivery_status')).toEqual(new Set(['PENDING', 'SENT', 'FAILED', null]));
    expect(list.summary).toMatchObject({ drafts: 2, queueable: { drafts: 1 } });
    expect(list.summary['overdue']).toBeGreaterThan(3);
    for (const [address, least] of [
      ['/api/customers/', 10],
      ['/api/customers/groups/', 2],
      ['/api/invoices/template/', 2],
      ['/api/invoices/recurring/', 1],
      ['/api/payments/files/', 1],
    ] as const) {
      expect((await call<unknown[]>(page, 'GET', address)).length).toBeGreaterThanOrEqual(least);
    }
    // The events of the demo have different dates.
    const created = await call<{ at: string }[]>(page, 'GET', '/api/invoices/1001/history/');
    expect(Date.parse(created.at(-1)?.at ?? '')).toBeLessThan(Date.now() - 40 * 86_400_000);
    expect(fs.readdirSync(path.join(folder, 'outbox')).length).toBeGreaterThan(10);
    expect(complaints).toEqual([]);

    await page.context().clearCookies();
    await page.goto(first.link);
    await page.waitForURL('**/invoices/');
    await first.stop();

    // A second run finds the demo data, and uses the current settings of the operator.
    const second = await startDemo(folder, { FEATURES: '' });
    const again = await visit(browser, second.origin);
    await again.page.goto(second.link);
    await again.page.waitForURL('**/invoices/');
    await again.page.getByRole('button', { name: 'Fast oppdrag' }).waitFor();
    const found = await call<Listed>(again.page, 'GET', '/api/invoices/');
    expect(found.summary['sent']).toBe(list.summary['sent']);
    await second.stop();
  },
  2 * MAKING_MS,
);

interface Demo {
  readonly origin: string;
  readonly link: string;
  stop(): Promise<void>;
}

async function startDemo(folder: string, settings: NodeJS.ProcessEnv = {}): Promise<Demo> {
  const port = await freePort();
  // The demo ignores settings that would open other data or send mail.
  const others = {
    DATA_DIR: '/nonexistent',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    DATABASE_DIRECT_URL: 'postgres://nobody@127.0.0.1:9/none',
    DOCUMENT_STORE: 's3://bokhylle?endpoint=http://127.0.0.1:9&region=nowhere',
  };
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    ['scripts/demo.ts', '--folder', folder, '--weeks', '1'],
    {
      cwd: ROOT,
      env: { ...NODE_SETTINGS, PORT: String(port), ...others, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const look = () => {
    if (child.exitCode !== null) throw new Error(`The demo ended: ${output}`);
    return /Open (\S+)/.exec(output)?.[1];
  };
  const link = await eventually(look, 'the link of the demo', MAKING_MS);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  };
  return { origin: new URL(link).origin, link, stop };
}
