import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** Polls until there is a value; throws with a description after a timeout (milliseconds). */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
  patience: number = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = Date.now() + patience;
  while (Date.now() < giveUpAt) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`Waited ${patience / 1000} s in vain for ${what}`);
}
