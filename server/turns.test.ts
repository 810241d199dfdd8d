import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { Turns } from './turns.ts';

const openTurns = () => new Turns<string>({ places: 3, most: () => 2, mostWaiting: 4 });

test('nobody holds more places than is theirs, however many are free', async () => {
  const turns = openTurns();
  const leave = await turns.enter('a', { patience: 10 });
  await turns.enter('a', { patience: 10 });
  await expect(turns.enter('a', { patience: 10 })).rejects.toMatchObject({ code: 'unavailable' });
  await turns.enter('b', { patience: 10 });
  leave();
  await turns.enter('a', { patience: 10 });
});

test('those who wait take turns, however many one of them has sent', async () => {
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

test('too many who wait are refused at once, and told when to come again', async () => {
  const turns = new Turns<string>({ places: 1, most: () => 1, mostWaiting: 2 });
  const leave = await turns.enter('a', { patience: 10 });
  const waiting = [turns.enter('a', { patience: 1000 }), turns.enter('a', { patience: 1000 })];
  await expect(turns.enter('a', { patience: 1000 })).rejects.toMatchObject({ retryAfter: 2 });
  leave();
  (await waiting[0])?.();
  (await waiting[1])?.();
});

test('who gave up waiting is not let in, and a place given back twice is given back once', async () => {
  const turns = new Turns<string>({ places: 1, most: () => 1, mostWaiting: 2 });
  const leave = await turns.enter('a', { patience: 10 });
  await expect(turns.enter('b', { patience: 1 })).rejects.toMatchObject({ code: 'unavailable' });
  leave();
  leave();
  const again = await turns.enter('b', { patience: 10 });
  await expect(turns.enter('a', { patience: 10 })).rejects.toMatchObject({ code: 'unavailable' });
  again();
});
