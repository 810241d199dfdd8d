import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { Turns } from './turns.ts';

const openTurns = () => new Turns<string>({ places: 3, most: () => 2, mostWaiting: 4 });

test('no owner holds more places than its share, even if others are free', async () => {
  const turns = openTurns();
  const leave = await turns.enter('a', { patience: 10 });
  await turns.enter('a', { patience: 10 });
  await expect(turns.enter('a', { patience: 10 })).rejects.toMatchObject({ code: 'unavailable' });
  await turns.enter('b', { patience: 10 });
  leave();
  await turns.enter('a', { patience: 10 });
});

test('waiting owners take turns, regardless of how many calls each has sent', async () => {
  const turns = new Turns<string>({ places: 1, most: () => 1, mostWaiting: 9 });
  const order: string[] = [];
  const work = async (whose: string) => {
    const leave = await turns.enter(whose);
    order.push(whose);
    await sleep(1);
    leave();
  };
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'b', 'c'].map(work));
  expect(order.join('')).toBe('aabcaba');
});

test('too many waiting calls are refused at once, with a time to retry', async () => {
  const turns = new Turns<string>({ places: 1, most: () => 1, mostWaiting: 2 });
  const leave = await turns.enter('a', { patience: 10 });
  const waiting = [turns.enter('a', { patience: 1000 }), turns.enter('a', { patience: 1000 })];
  await expect(turns.enter('a', { patience: 1000 })).rejects.toMatchObject({ retryAfter: 2 });
  leave();
  (await waiting[0])?.();
  (await waiting[1])?.();
});

test('a caller that gave up gets no place, and releasing a place twice counts once', async () => {
  const turns = new Turns<string>({ places: 1, most: () => 1, mostWaiting: 2 });
  const leave = await turns.enter('a', { patience: 10 });
  await expect(turns.enter('b', { patience: 1 })).rejects.toMatchObject({ code: 'unavailable' });
  leave();
  leave();
  const again = await turns.enter('b', { patience: 10 });
  await expect(turns.enter('a', { patience: 10 })).rejects.toMatchObject({ code: 'unavailable' });
  again();
});
