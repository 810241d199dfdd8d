const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
/** A longer wait means that the mail server is down, or that staff must act. */
const QUICK_MS = 60_000;
/** When each answer arrived first. TanStack Query keeps the object while a refetch answers the same. */
const arrivals = new WeakMap<object, number>();

/** The `refetchInterval` while a delivery is under way: quick for a minute after each change, then slow. */
export function deliveryInterval(data: object): number {
  const arrival = arrivals.get(data) ?? Date.now();
  arrivals.set(data, arrival);
  return Date.now() - arrival < QUICK_MS ? POLL_MS : SLOW_POLL_MS;
}
