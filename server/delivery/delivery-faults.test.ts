import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { startTestApp } from '../testing/app.ts';
import type { TestClient } from '../testing/client.ts';
import { completeProfile, createCustomer, createDraft, register } from '../testing/factories.ts';
import { createMembers, progressOf, sendToGroup, tally, untilAllSent } from '../testing/sends.ts';
import { logIn, openStage, type Product, type Stage } from '../testing/stage.ts';
import { until } from '../testing/until.ts';

const MEMBERS = 12;

let stage: Stage;
let product: Product;
let client: TestClient;
let members: string;
let registered = 0;

beforeAll(async () => {
  stage = await openStage();
  product = await stage.startHere();
  client = await logIn(product, stage.smtp, 'kari@example.no');
  members = await createMembers(client, MEMBERS);
});

afterAll(async () => stage.close());

afterEach(() => {
  Object.assign(stage.smtp.faults, { acceptDelay: 0, dropAfterData: 0, dropDuringData: 0 });
});

async function send(): Promise<void> {
  await sendToGroup(client, members);
  registered += MEMBERS;
}

/** Waits until everything is sent; one mail each, but for so many that came again. */
async function expectOneEach(mostRepeated: number): Promise<void> {
  await untilAllSent(client, registered);
  const { invoices, repeated, doubled } = tally(stage.smtp.mails);
  expect({ invoices, doubled }).toEqual({ invoices: registered, doubled: 0 });
  expect(repeated).toBeLessThanOrEqual(mostRepeated);
}

describe('every invoice is mailed once', () => {
  it('though the mail server drops mails in the middle', async () => {
    stage.smtp.faults.dropDuringData = 5;
    await send();
    await expectOneEach(0);
  });

  it('though it is away for a while', async () => {
    stage.smtpLine.cut();
    await send();
    await sleep(3000);
    expect((await progressOf(client)).sent).toBe(registered - MEMBERS);
    stage.smtpLine.mend();
    await expectOneEach(0);
  });

  // SIGTERM ends the product like this.
  it('though it is asked to end while it mails', async () => {
    stage.smtp.faults.acceptDelay = 150;
    await send();
    await until(
      () => stage.smtp.mails.length,
      (mails) => mails > registered - MEMBERS + 4,
    );
    await product.stop();
    stage.smtp.faults.acceptDelay = 0;
    product = await stage.startHere();
    client = product.visitor(client.cookieHeader);
    await expectOneEach(0);
  });

  it('or again with the same Message-ID, when the answer to it is lost', async () => {
    stage.smtp.faults.dropAfterData = 5;
    await send();
    await expectOneEach(5);
    stage.smtp.faults.acceptDelay = 2500;
    await send();
    await sleep(3000);
    stage.smtp.faults.acceptDelay = 0;
    await expectOneEach(5 + 2 * MEMBERS);
  });
});

describe('without a mail server, mails are files', () => {
  it('that wait while the disk is full', async () => {
    const testApp = await startTestApp();
    const room = await fillDisk(testApp.outbox);
    try {
      const caller = await testApp.login();
      await completeProfile(caller);
      const draft = await createDraft(caller, await createCustomer(caller), {
        delivery_type: 'EMAIL',
      });
      const number = await register(caller, draft);
      const statusOf = async () =>
        (await caller.get(`/api/invoices/${number}/`)).body.delivery_status as string;
      await sleep(1500);
      expect(await statusOf()).toBe('QUEUED');
      await room.make();
      await until(statusOf, (status) => status === 'SENT');
      expect(await readdir(testApp.outbox)).toEqual([expect.stringMatching(/\.eml$/)]);
    } finally {
      await room.tidy();
      await testApp.close();
    }
  });
});

/** A folder on a disk without room; where nobody may mount one, a folder that cannot be made. */
async function fillDisk(folder: string) {
  try {
    await mkdir(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder], { stdio: 'ignore' });
    return {
      make: async () => void execFileSync('mount', ['-o', 'remount,size=16m', folder]),
      tidy: async () => void execFileSync('umount', [folder]),
    };
  } catch {
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, '');
    return { make: async () => rm(folder), tidy: async () => undefined };
  }
}
