import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { createCustomer, createDraft } from '../testing/factories.ts';
import { askForExport, type AnsweredExport } from '../testing/exports.ts';
import {
  killRounds,
  logIn,
  openStage,
  type Product,
  releaseJobs,
  type Stage,
} from '../testing/stage.ts';
import { until } from '../testing/until.ts';

const SETTINGS = { FEATURES: 'export', DISPATCH: 'staff' };
const INVOICES = 24;
const KILLS = killRounds(2);
/** The latest moment of a kill, counted from when the export is asked for (ms). */
const LATEST_KILL = 1000;
/** Makings that may be killed before an export is given up. */
const KILLS_OF_ONE = 3;
/** Milliseconds between two looks, each of which fetches the file. */
const LOOK = 300;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => stage.close());

test('a file is offered whole or not at all, wherever the process that makes it was killed', async () => {
  const first = await stage.start(SETTINGS);
  let kill = async () => first.kill();
  let product: Product = first;
  let client = await logIn(product, stage.smtp, 'frisor@example.no');
  const customer = await createCustomer(client);
  for (let made = 0; made < INVOICES; made += 1) await createDraft(client, customer);
  await client.post('/api/invoices/queue/');
  const ask = async () => (await askForExport(client)).body as AnsweredExport;
  let wanted = await ask();
  const judge = async () => {
    const path = `/api/exports/${wanted.uuid}/`;
    const { state, sha256 } = (await client.get(path)).body as AnsweredExport;
    const file = await fetch(`${product.origin}${path}file/`, {
      headers: { cookie: client.cookieHeader },
    });
    const bytes = Buffer.from(await file.arrayBuffer());
    const hash = createHash('sha256').update(bytes).digest('hex');
    // Before it is done there is no file, or it has been finished in between.
    const isRight = state === 'DONE' ? hash === sha256 : [200, 409].includes(file.status);
    expect(isRight, `${state}, ${file.status}`).toBe(true);
    return state;
  };
  const untilDone = async () => until(judge, (state) => state === 'DONE', undefined, LOOK);
  let killed = 0;
  for (let round = 1; round <= KILLS; round += 1) {
    await sleep((LATEST_KILL * (round - Math.random())) / KILLS);
    await kill();
    await releaseJobs(stage);
    const { cookieHeader } = client;
    if (round < KILLS) {
      const next = await stage.start(SETTINGS);
      kill = async () => next.kill();
      product = next;
    } else product = await stage.startHere(SETTINGS);
    client = product.visitor(cookieHeader);
    killed += 1;
    const state = await judge();
    if (state !== 'DONE' && killed < KILLS_OF_ONE) continue;
    await untilDone();
    killed = 0;
    wanted = await ask();
  }
  await untilDone();
  expect(await product.stop()).toBe(0);
}, 600_000);
