import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { addAssignment, createCustomer, createGroup } from '../testing/factories.ts';
import { killRounds, logIn, openStage, releaseJobs, type Stage } from '../testing/stage.ts';
import { until } from '../testing/until.ts';

const FEATURES = 'recurring';
/** Two parts of a run. */
const MEMBERS = 150;
const KILLS = killRounds(2);
/** The latest moment of a kill, counted from when the run begins (ms). */
const LATEST_KILL = 400;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => stage.close());

// REC-7
test('a run goes on where a process was killed, and makes each invoice once', async () => {
  let product = await stage.start({ FEATURES, DISPATCH: 'staff' });
  let client = await logIn(product, stage.smtp, 'utleier@example.no');
  const numbers: number[] = [];
  for (let member = 1; member <= MEMBERS; member += 1) {
    numbers.push(await createCustomer(client, { name: `Leier ${member}` }));
  }
  const group = await createGroup(client, numbers);
  const { uuid } = await addAssignment(client, {
    group_uuid: group,
    mode: 'SEND',
    interval: { unit: 'WEEK', count: 1 },
    day: null,
  });
  const runUrl = `/api/invoices/recurring/${uuid}/run/`;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    // The response may be lost with the process.
    const isAsked = client.post(runUrl).catch(() => null);
    await sleep(Math.random() * LATEST_KILL);
    await product.kill();
    await isAsked;
    await releaseJobs(stage);
    const { cookieHeader } = client;
    product = await stage.start({ FEATURES, DISPATCH: 'staff' });
    client = product.visitor(cookieHeader);
  }
  // The kills may have left a run not yet begun, partly made, or finished.
  expect([200, 409]).toContain((await client.post(runUrl)).status);
  const runs = await until(
    async () => (await client.get(`/api/invoices/recurring/${uuid}/runs/`)).body,
    (found) => (found as { state: string }[])[0]?.state === 'DONE',
  );
  expect(runs).toMatchObject([{ invoice_count: MEMBERS, failures: [], mode: 'SEND' }]);
  const { summary } = (await client.get('/api/invoices/')).body as {
    summary: { drafts: number; registered: number };
  };
  expect(summary).toMatchObject({ drafts: 0, registered: MEMBERS });
  expect(await product.stop()).toBe(0);
}, 240_000);
