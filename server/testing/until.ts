import { setTimeout as sleep } from 'node:timers/promises';

const POLL = 50;
/** Milliseconds. Longer than a busy machine takes. */
const PATIENCE = 60_000;

/** Polls until the value matches. @throws Error with the last value after the timeout */
export async function until<T>(
  look: () => Promise<T> | T,
  isWanted: (found: T) => boolean,
  timeout = PATIENCE,
): Promise<T> {
  for (const deadline = Date.now() + timeout; ; await sleep(POLL)) {
    const found = await look();
    if (isWanted(found)) return found;
    if (Date.now() > deadline) throw new Error(`Not in time; last seen: ${JSON.stringify(found)}`);
  }
}

/** Polls until there is a value. @throws Error with a description after the timeout */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  what: string,
  timeout = PATIENCE,
): Promise<T> {
  for (const deadline = Date.now() + timeout; Date.now() < deadline; await sleep(POLL)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`Waited ${timeout / 1000} s in vain for ${what}`);
}
