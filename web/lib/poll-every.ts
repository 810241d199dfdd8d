const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
/** After a minute the mail server is down, or staff has yet to send. */
const QUICK_POLLS = 30;

interface Polled {
  readonly state: { readonly dataUpdateCount: number };
}

interface UnderWay {
  readonly uuid: string;
  readonly deliveryStatus: string | null;
}

/** What a query waits for, and how many answers it had when it began to. */
const awaited = new WeakMap<Polled, { readonly what: string; readonly since: number }>();

/**
 * When to poll again: soon at first, and after each change of what is being delivered. In milliseconds;
 * false when nothing is.
 */
export function pollEvery(query: Polled, underWay: readonly UnderWay[]): number | false {
  if (underWay.length === 0) {
    awaited.delete(query);
    return false;
  }
  const { dataUpdateCount } = query.state;
  const what = underWay.map(({ uuid, deliveryStatus }) => `${uuid} ${deliveryStatus}`).join();
  const before = awaited.get(query);
  const since = before?.what === what ? before.since : dataUpdateCount;
  awaited.set(query, { what, since });
  return dataUpdateCount - since < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS;
}
