const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
/** One minute of quick polls. A longer wait means that the mail server is down, or that staff must act. */
const QUICK_POLLS = 30;

interface Polled {
  readonly state: { readonly dataUpdateCount: number };
}

interface UnderWay {
  readonly uuid: string;
  readonly deliveryStatus: string | null;
}

/** Per query: the deliveries it waits for, and its response count when the wait began. */
const awaited = new WeakMap<Polled, { readonly what: string; readonly since: number }>();

/**
 * The poll interval in milliseconds; false when no delivery is under way. Polls are quick at first and after
 * each change of a delivery status, then slow.
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
