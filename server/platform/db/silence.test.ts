import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { leaseDuration } from '../../delivery/deliver.service.ts';
import { startProxy, type CuttableProxy } from '../../testing/proxies.ts';
import { createCustomer, createDraft, register } from '../../testing/factories.ts';
import type { ProductProcess } from '../../testing/process.ts';
import { progressOf, tally } from '../../testing/sends.ts';
import { logIn, openStage, type Stage } from '../../testing/stage.ts';
import { until } from '../../testing/until.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SMTP_TIMEOUT_SECONDS = 6;
/** Longest wait of a caller (ms). */
const PATIENCE = 10_000;

let stage: Stage;
let line: CuttableProxy;
let product: ProductProcess;

beforeEach(async () => {
  stage = await openStage();
  const direct = new URL(stage.databaseUrl ?? '');
  line = await startProxy(Number(direct.port));
  const through = new URL(direct);
  through.port = String(line.port);
  product = await stage.start({
    DATABASE_URL: through.href,
    SMTP_TIMEOUT_SECONDS: String(SMTP_TIMEOUT_SECONDS),
  });
});

afterEach(async () => {
  await stage.close();
  await line.close();
});

async function timed<T>(run: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now();
  const result = await run();
  return { result, ms: performance.now() - began };
}

describe('a database whose connections fall silent', () => {
  it('is given up within ten seconds, and asked again on another connection', async () => {
    const client = await logIn(product, stage.smtp, 'kari@example.no');
    const list = async () => timed(async () => client.get('/api/invoices/'));
    await Promise.all(Array.from({ length: 8 }, list));
    // Only open connections are dropped on the way, as by a restarted router.
    line.silence();
    line.mend();
    const [first] = await Promise.all([list(), list(), list()]);
    expect(first?.result.status).toBe(503);
    expect(Number(first?.result.headers['retry-after'])).toBeGreaterThan(0);
    expect(first?.ms).toBeLessThan(PATIENCE);
    expect((await list()).result.status).toBe(200);
    // The machine is gone: callers get an error in time, every time.
    line.silence();
    for (const { result, ms } of [await list(), await list()]) {
      expect([result.status, ms < PATIENCE]).toEqual([503, true]);
    }
    const ready = await timed(async () => product.visitor().get('/readyz'));
    expect([ready.result.status, ready.ms < PATIENCE]).toEqual([503, true]);
    line.mend();
    await until(
      async () => (await client.get('/api/invoices/')).status,
      (status) => status === 200,
      PATIENCE,
    );
    expect(await product.stop()).toBe(0);
  });

  it('records an accepted mail before another worker may mail it again', async () => {
    const client = await logIn(product, stage.smtp, 'kari@example.no');
    const draft = await createDraft(client, await createCustomer(client), {
      delivery_type: 'EMAIL',
    });
    // From here on the database is not used until the mail is accepted.
    const received = Promise.withResolvers<void>();
    stage.smtp.faults.acceptDelay = () => {
      received.resolve();
      return 1500;
    };
    await register(client, draft);
    await received.promise;
    line.silence();
    line.mend();
    await stage.smtp.waitForMail(({ subject }) => subject.startsWith('Faktura'));
    const accepted = performance.now();
    const other = await stage.start({ ROLE: 'all' });
    const watcher = other.visitor(client.cookieHeader);
    await until(
      async () => (await progressOf(watcher)).sent,
      (sent) => sent === 1,
    );
    const lease = leaseDuration(SMTP_TIMEOUT_SECONDS * 1000);
    expect(performance.now() - accepted).toBeLessThan(lease - SMTP_TIMEOUT_SECONDS * 1000);
    stage.smtp.faults.acceptDelay = 0;
    await sleep(lease - (performance.now() - accepted) + 3000);
    expect(tally(stage.smtp.mails)).toEqual({ invoices: 1, repeated: 0, doubled: 0 });
  });
});
