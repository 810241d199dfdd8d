import { setTimeout as sleep } from 'node:timers/promises';

const POLL = 50;

/** Polls until the value fits. @throws Error with the last value after the timeout */
export async function until<T>(
  look: () => Promise<T> | T,
  isWanted: (found: T) => boolean,
  timeout = 20_000,
): Promise<T> {
  for (const deadline = Date.now() + timeout; ; await sleep(POLL)) {
    const found = await look();
    if (isWanted(found)) return found;
    if (Date.now() > deadline) throw new Error(`Not in time; last seen: ${JSON.stringify(found)}`);
  }
}
