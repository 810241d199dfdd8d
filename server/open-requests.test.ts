import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { trackOpenRequests } from './open-requests.ts';

const LONG = 60_000;

async function isOver(waiting: Promise<void>): Promise<boolean> {
  return Promise.race([waiting.then(() => true), sleep(20).then(() => false)]);
}

describe('background work', () => {
  it('goes on at once while no request is open', async () => {
    const requests = trackOpenRequests(LONG);
    expect(await isOver(requests.untilNone())).toBe(true);
    requests.begin();
    requests.end();
    expect(await isOver(requests.untilNone())).toBe(true);
  });

  it('waits until the last open request has its answer', async () => {
    const requests = trackOpenRequests(LONG);
    requests.begin();
    requests.begin();
    const waiting = requests.untilNone();
    requests.end();
    expect(await isOver(waiting)).toBe(false);
    requests.end();
    expect(await isOver(waiting)).toBe(true);
  });

  it('goes on after the longest wait, whatever is open', async () => {
    const requests = trackOpenRequests(5);
    requests.begin();
    await requests.untilNone();
    const waiting = requests.untilNone();
    requests.begin();
    await sleep(20);
    expect(await isOver(waiting)).toBe(true);
  });
});
