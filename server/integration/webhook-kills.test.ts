import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { completeProfile, createCustomer, createDraft } from '../testing/factories.ts';
import { killRounds, logIn, openStage, type Stage } from '../testing/stage.ts';
import { until } from '../testing/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';

const ROUNDS = killRounds(3);
const PER_ROUND = 8;
/** The latest moment of a kill, counted from when the round's invoices are being registered (ms). */
const LATEST_KILL = 2500;
/** Messages that may be under way at a kill, and come again. */
const UNDER_WAY = 2;

let stage: Stage;
let receiver: WebhookReceiver;

beforeAll(async () => {
  stage = await openStage({ headersOnly: true });
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  await stage.close();
  await receiver.close();
});

// INT-18
test(
  'no event is lost, and none made that did not happen, by a process that is killed again and again',
  async () => {
    const settings = {
      FEATURES: 'integrations',
      DISPATCH: 'staff',
      WEBHOOK_HOSTS: receiver.host,
    };
    let product = await stage.start(settings);
    let client = await logIn(product, stage.smtp, 'kari@example.no');
    await completeProfile(client);
    const customer = await createCustomer(client);
    const events = ['invoice.registered'];
    await client.post('/api/webhooks/', { url: receiver.url, events });
    // Each answer takes a while, so that a kill meets messages under way.
    receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 50);
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (let made = 0; made < PER_ROUND; made += 1) await createDraft(client, customer);
      const registering = client.post('/api/invoices/queue/').catch(() => undefined);
      // Each in another part of the work.
      await sleep((LATEST_KILL * (round - Math.random())) / ROUNDS);
      await product.kill();
      await registering;
      product = await stage.start(settings);
      client = product.visitor(client.cookieHeader);
    }
    await client.post('/api/invoices/queue/');
    const all = ROUNDS * PER_ROUND;
    const numbersTold = () =>
      new Set(receiver.received.map(({ body }) => Number(JSON.parse(body).data.invoice_number)));
    const numbers = await until(numbersTold, ({ size }) => size >= all, 200_000);
    expect([...numbers].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: all }, (_, index) => index + 1),
    );
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(all);
    expect(receiver.received.length - all).toBeLessThanOrEqual(ROUNDS * UNDER_WAY);
    process.stdout.write(
      `${ROUNDS} kills, ${all} events: ${receiver.received.length - all} messages repeated\n`,
    );
    expect(await product.stop()).toBe(0);
  },
  600_000 + ROUNDS * 30_000,
);
