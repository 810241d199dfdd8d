import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { createRightOfWay } from './right-of-way.ts';

const LONG = 60_000;

async function isClear(passed: Promise<void>): Promise<boolean> {
  return Promise.race([passed.then(() => true), sleep(20).then(() => false)]);
}

describe('the right of way', () => {
  it('is with background work while nobody waits', async () => {
    const way = createRightOfWay(LONG);
    expect(await isClear(way.clear())).toBe(true);
    way.enter();
    way.leave();
    expect(await isClear(way.clear())).toBe(true);
  });

  it('is with whoever waits, until the last of them has an answer', async () => {
    const way = createRightOfWay(LONG);
    way.enter();
    way.enter();
    const passed = way.clear();
    way.leave();
    expect(await isClear(passed)).toBe(false);
    way.leave();
    expect(await isClear(passed)).toBe(true);
  });

  it('comes back to background work that has stood back long enough', async () => {
    const way = createRightOfWay(5);
    way.enter();
    await way.clear();
    const passed = way.clear();
    way.enter();
    await sleep(20);
    expect(await isClear(passed)).toBe(true);
  });
});
