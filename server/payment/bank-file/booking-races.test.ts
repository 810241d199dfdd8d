import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import {
  bill,
  waitUntilSettled,
  upload,
  WITH_ACCOUNTS,
} from '../../testing/bank-files/bank-company.ts';
import { ocrFile } from '../../testing/bank-files/payment-files.ts';
import type { Answer, TestClient } from '../../testing/client.ts';
import { completeProfile, createCustomer } from '../../testing/factories.ts';
import type { ProductProcess } from '../../testing/process.ts';
import { logIn, openStage, releaseJobs, type Stage } from '../../testing/stage.ts';
import { until } from '../../testing/until.ts';

/** Set `KILL_ROUNDS=25` for the long run. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 1);
/** More payments than one transaction books. */
const PAYMENTS = 1100;
vi.setConfig({ testTimeout: 200_000 + ROUNDS * 60_000 });

const ON = { FEATURES: 'payments', DISPATCH: 'staff' };

let stage: Stage;
let product: ProductProcess;
let client: TestClient;

beforeAll(async () => {
  stage = await openStage();
  product = await stage.start(ON);
  client = await logIn(product, stage.smtp, 'kari@example.no');
  await completeProfile(client, WITH_ACCOUNTS);
});
afterAll(async () => stage.close());

interface Books {
  readonly paid: number;
  readonly unplaced: number;
}

async function booksOf(uuid: string): Promise<Books> {
  const { body } = await client.get(`/api/invoices/${uuid}/`);
  const { body: rest } = await client.get('/api/payments/?state=UNPLACED');
  return { paid: body.paid_amount, unplaced: rest.count };
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

// BANK-7
test('concurrent uploads of a file create one file, and concurrent bookings book it once', async () => {
  const customer = await createCustomer(client);
  const { kid, uuid } = await bill(client, customer, 5000);
  const file = ocrFile(
    Array.from({ length: 510 }, () => ({ amount: 1, kid })),
    { transmission: 1 },
  );
  const previews = await Promise.all([1, 2, 3].map(async () => upload(client, file)));
  expect(new Set(previews.map(({ body }) => body.uuid)).size).toBe(1);
  expect(statuses(previews).filter((status) => status === 201)).toHaveLength(1);
  const fileUuid: string = previews[0]?.body.uuid;
  const booked = await Promise.all(
    [1, 2, 3].map(async () => client.post(`/api/payments/files/${fileUuid}/book/`)),
  );
  expect(statuses(booked)).toEqual([200, 200, 200]);
  await waitUntilSettled(client, fileUuid);
  expect(await booksOf(uuid)).toEqual({ paid: 510, unplaced: 0 });
});

test('a killed process books each payment once, and undoes the whole file, without another call', async () => {
  const customer = await createCustomer(client);
  const { kid, uuid } = await bill(client, customer, PAYMENTS);
  const payments = Array.from({ length: PAYMENTS + 10 }, () => ({ amount: 1, kid }));
  const { body: preview } = await upload(client, ocrFile(payments, { transmission: 2 }));
  const path = `/api/payments/files/${preview.uuid}/`;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const isBooking = round % 2 === 0;
    const expectUploadRepeated = round === 0 ? await beginUpload() : null;
    const { body: begun } = await client.post(
      `${path}${isBooking ? 'book' : 'undo'}/?entries=false`,
    );
    expect(begun.state).toBe(isBooking ? 'BOOKING' : 'UNDOING');
    for (let attempt = 1; attempt <= Math.min(ROUNDS, 4); attempt += 1) {
      // Kill the process after the first entries, and later in each round.
      await sleep((attempt - 1) * 50);
      await product.kill();
      await releaseJobs(stage);
      const cookie = client.cookieHeader;
      product = await stage.start(ON);
      client = product.visitor(cookie);
    }
    await expectUploadRepeated?.();
    const body = await waitUntilSettled(client, preview.uuid);
    expect([body.state, body.count]).toEqual([isBooking ? 'BOOKED' : 'UNDONE', PAYMENTS + 10]);
    expect(await booksOf(uuid)).toEqual(
      isBooking ? { paid: PAYMENTS, unplaced: 10 } : { paid: 0, unplaced: 0 },
    );
  }
});

/**
 * Begins an upload that a kill interrupts. The function that is returned expects that it has left no visible file, and can be
 * repeated.
 */
async function beginUpload(): Promise<() => Promise<void>> {
  const payments = Array.from({ length: 1500 }, (_, index) => ({ amount: index + 1 }));
  const file = ocrFile(payments, { transmission: 3 });
  const { body: before } = await client.get('/api/payments/files/');
  const call = upload(client, file).catch(() => null);
  return async () => {
    await call;
    const { body: after } = await client.get('/api/payments/files/');
    // A file is only visible when its upload finished before the kill.
    for (const found of after.slice(0, after.length - before.length)) {
      expect(found).toMatchObject({ count: 1500 });
    }
    // Right after the kill the database may still end what was under way: then the answer is 503, try again.
    const again = await until(
      async () => upload(client, file),
      ({ status }) => status !== 503,
    );
    expect(again.status).toBeLessThanOrEqual(201);
    expect(again.body).toMatchObject({ count: 1500, state: 'PREVIEW' });
    expect(again.body.entries).toHaveLength(1500);
  };
}

test('a file is booked completely when its caller hangs up', async () => {
  const customer = await createCustomer(client);
  const { kid, uuid } = await bill(client, customer, PAYMENTS);
  const payments = Array.from({ length: PAYMENTS }, () => ({ amount: 1, kid }));
  const { body: preview } = await upload(client, ocrFile(payments, { transmission: 4 }));
  const hangUp = new AbortController();
  const book = async () =>
    fetch(`${product.origin}/api/payments/files/${preview.uuid}/book/`, {
      method: 'POST',
      headers: { cookie: client.cookieHeader },
      signal: hangUp.signal,
    });
  // A busy database may answer 503, try again.
  const call = until(
    async () => (await book()).status,
    (status) => status !== 503,
  ).catch((error: Error) => error.name);
  await until(
    async () => (await client.get(`/api/payments/files/${preview.uuid}/?entries=false`)).body,
    ({ state }) => state !== 'PREVIEW',
  );
  hangUp.abort();
  expect([200, 'AbortError']).toContain(await call);
  expect(await waitUntilSettled(client, preview.uuid)).toMatchObject({ state: 'BOOKED' });
  expect(await booksOf(uuid)).toMatchObject({ paid: PAYMENTS });
});
