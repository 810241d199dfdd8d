import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ProductProcess } from '../testing/process.ts';
import { killRounds, logIn, openStage, releaseJobs, type Stage } from '../testing/stage.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { createMembers, sendToGroup, tally, untilAllSent } from '../testing/sends.ts';
import { until } from '../testing/until.ts';

const onServer = process.env['TEST_DATABASE'] === 'postgres';
const ROUNDS = killRounds(2);
/** Enough to be under way for longer than until the kill: a process prints one when it has started, then some ten a second. */
const PER_ROUND = 20;
const SETTINGS = { SMTP_CONNECTIONS: '10' };
const CONNECTIONS = Number(SETTINGS.SMTP_CONNECTIONS);
/** The latest moment of a kill, counted from when the round's invoices are registered (ms). */
const LATEST_KILL = 1000;

let stage: Stage;
/** A process that a test kills; a later test has the one that came after it. */
let product: ProductProcess;

beforeAll(async () => {
  stage = await openStage({ headersOnly: true });
  product = await stage.start(SETTINGS);
});

afterAll(async () => stage.close());

test.runIf(onServer)(
  'an address that was refused for the moment gets its mail after a kill, and the other no second one',
  async () => {
    const [reached, greylisted] = ['fram@example.no', 'senere@example.no'];
    const { faults, mails } = stage.smtp;
    const refusal = { code: 451, text: '4.7.1 Greylisted' };
    faults.refuseRecipient = (address) => (address === greylisted ? refusal : null);
    const client = await logIn(product, stage.smtp, 'ola@example.no');
    await completeProfile(client);
    const customer = await createCustomer(client, { invoice_emails: [reached, greylisted] });
    await register(client, await createDraft(client, customer, { delivery_type: 'EMAIL' }));
    const sentTo = () => mails.filter(({ to }) => to.includes(reached) || to.includes(greylisted));
    await until(
      async () => (await client.get('/api/invoices/')).body.results[0].delivery_status,
      (status) => status === 'SENT',
    );
    await product.kill();
    faults.refuseRecipient = null;
    product = await stage.start(SETTINGS);
    await stage.smtp.waitForMail(({ to }) => to.includes(greylisted), 200_000);
    const visitor = product.visitor(client.cookieHeader);
    await until(
      async () => (await visitor.get('/api/invoices/')).body.results[0].deliveries[0].recipients,
      (recipients) => recipients.every(({ status }: { status: string }) => status === 'SENT'),
    );
    expect(sentTo().map(({ to }) => to)).toEqual([[reached], [greylisted]]);
  },
  600_000,
);

// DEL-14
test(
  'no invoice is lost, and none doubled, by a process that is killed again and again',
  async () => {
    let client = await logIn(product, stage.smtp, 'kari@example.no');
    const members = await createMembers(client, PER_ROUND);
    const before = stage.smtp.mails.length;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await sendToGroup(client, members);
      // Each in another part of the work.
      await sleep((LATEST_KILL * (round - Math.random())) / ROUNDS);
      await product.kill();
      await releaseJobs(stage);
      const { cookieHeader } = client;
      if (round < ROUNDS) product = await stage.start(SETTINGS);
      const next = round < ROUNDS ? product : await stage.startHere(SETTINGS);
      client = next.visitor(cookieHeader);
    }
    const all = ROUNDS * PER_ROUND;
    await untilAllSent(client, all, 200_000);
    const { invoices, repeated, doubled } = tally(stage.smtp.mails.slice(before));
    process.stdout.write(`${ROUNDS} kills, ${all} invoices: ${repeated} mails repeated\n`);
    expect({ invoices, doubled }).toEqual({ invoices: all, doubled: 0 });
    // Only what was under way when the process was killed can have come twice.
    expect(repeated).toBeLessThanOrEqual(ROUNDS * CONNECTIONS);
  },
  1_200_000 + ROUNDS * 30_000,
);
