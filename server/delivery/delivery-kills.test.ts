import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { killRounds, logIn, openStage, type Stage } from '../testing/stage.ts';
import { createMembers, sendToGroup, tally, untilAllSent } from '../testing/sends.ts';

const ROUNDS = killRounds(4);
/** Enough to be under way for longer than until the kill. */
const PER_ROUND = process.env['TEST_DATABASE'] === 'postgres' ? 200 : 100;
const CONNECTIONS = 10;
/** The latest moment of a kill, counted from when the round's invoices are registered (ms). */
const LATEST_KILL = 1500;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ headersOnly: true });
});

afterAll(async () => stage.close());

test(
  'no invoice is lost, and none doubled, by a process that is killed again and again',
  async () => {
    let product = await stage.start({ SMTP_CONNECTIONS: String(CONNECTIONS) });
    let client = await logIn(product, stage.smtp, 'kari@example.no');
    const members = await createMembers(client, PER_ROUND);
    for (let round = 1; round <= ROUNDS; round += 1) {
      await sendToGroup(client, members);
      await sleep(Math.random() * LATEST_KILL);
      await product.kill();
      product = await stage.start({ SMTP_CONNECTIONS: String(CONNECTIONS) });
      const cookie = client.cookieHeader;
      client = product.visitor(cookie);
    }
    const all = ROUNDS * PER_ROUND;
    await untilAllSent(client, all, 200_000);
    const { invoices, repeated, doubled } = tally(stage.smtp.mails);
    process.stdout.write(`${ROUNDS} kills, ${all} invoices: ${repeated} mails repeated\n`);
    expect({ invoices, doubled }).toEqual({ invoices: all, doubled: 0 });
    // Only what was under way when the process was killed can have come twice.
    expect(repeated).toBeLessThanOrEqual(ROUNDS * CONNECTIONS);
    expect(await product.stop()).toBe(0);
  },
  1_200_000 + ROUNDS * 30_000,
);
