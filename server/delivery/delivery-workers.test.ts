import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { startProxy } from '../testing/proxies.ts';
import { createMembers, progressOf, sendToGroup, tally, untilAllSent } from '../testing/sends.ts';
import { logIn, openStage, type Stage } from '../testing/stage.ts';
import { until } from '../testing/until.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const MEMBERS = 24;
const CONNECTIONS = 5;
/** How long the database is away (ms). */
const OUTAGE = 30_000;
/** A mail that is being sent is through after this time, on a slow machine too. */
const UNDER_WAY = 5000;

let stage: Stage;

beforeEach(async () => {
  stage = await openStage();
});

afterEach(async () => stage.close());

describe('workers on one database', () => {
  it('share the work, also when one dies and the clock of another is wrong', async () => {
    const web = await stage.startHere({ ROLE: 'web', SMTP_CONNECTIONS: String(CONNECTIONS) });
    const worker = { ROLE: 'worker', SMTP_CONNECTIONS: String(CONNECTIONS) };
    const mortal = await stage.start(worker);
    const late = 'const now = Date.now; Date.now = () => now() + 7_200_000;';
    await stage.start({
      ...worker,
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(late)}`,
    });
    const client = await logIn(web, stage.smtp, 'kari@example.no');
    const members = await createMembers(client, MEMBERS);
    stage.smtp.faults.acceptDelay = 50;
    await sendToGroup(client, members);
    await until(
      () => stage.smtp.mails.length,
      (mails) => mails > MEMBERS / 3,
    );
    await mortal.kill();
    await untilAllSent(client, MEMBERS, 90_000);
    const { invoices, repeated, doubled } = tally(stage.smtp.mails);
    expect({ invoices, doubled }).toEqual({ invoices: MEMBERS, doubled: 0 });
    expect(repeated).toBeLessThanOrEqual(CONNECTIONS);
  });
});

describe('a database that is away for half a minute', () => {
  // FEAT-7
  it('costs no mail and doubles none, whatever was under way', async () => {
    const direct = new URL(stage.databaseUrl ?? '');
    const proxy = await startProxy(Number(direct.port));
    try {
      const through = new URL(direct);
      through.port = String(proxy.port);
      const product = await stage.startHere({
        DATABASE_URL: through.href,
        // A mail that the server of a busy machine answers later would rightly be repeated.
        SMTP_TIMEOUT_SECONDS: '20',
      });
      expect((await product.visitor().get('/readyz')).status).toBe(200);
      const client = await logIn(product, stage.smtp, 'kari@example.no');
      const members = await createMembers(client, MEMBERS);
      // So that mails are accepted while their database is already away.
      stage.smtp.faults.acceptDelay = 300;
      await sendToGroup(client, members);
      await until(
        () => stage.smtp.mails.length,
        (mails) => mails > 10,
      );
      proxy.cut();
      // Mails that were under way still arrive.
      await sleep(UNDER_WAY);
      const atCut = tally(stage.smtp.mails).invoices;
      expect((await product.visitor().get('/healthz')).status).toBe(200);
      expect(await product.visitor().get('/readyz')).toMatchObject({
        status: 503,
        headers: { 'retry-after': '2' },
        body: { detail: [{ message: expect.stringContaining('out of reach of its database') }] },
      });
      await sleep(OUTAGE - UNDER_WAY);
      expect(tally(stage.smtp.mails).invoices).toBe(atCut);
      proxy.mend();
      await untilAllSent(client, MEMBERS, 90_000);
      expect(tally(stage.smtp.mails)).toEqual({ invoices: MEMBERS, repeated: 0, doubled: 0 });
      expect((await progressOf(client)).sent).toBe(MEMBERS);
      expect((await product.visitor().get('/readyz')).status).toBe(200);
      expect(await product.stop()).toBe(0);
    } finally {
      await proxy.close();
    }
  });
});
