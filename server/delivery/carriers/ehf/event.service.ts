import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/db/database.ts';
import { findLatest, forgetOld, keepEvent, type Named } from './event.repository.ts';

/** Events that say of a document that it will not arrive. */
const VERDICTS = ['failed', 'no_action_taken'] as const;
const WORDS: Readonly<Record<string, string>> = {
  failed: 'Mottakerens aksesspunkt tok ikke imot',
  no_action_taken: 'Kunden kan ikke motta EHF',
};
/** How many are fetched at a time, so that a flood of them does not hold up housekeeping. */
const AT_ONCE = 500;
/** Nobody asks what became of a delivery after so long (days). */
const KEPT_DAYS = 400;

/**
 * Fetches what the access point reports by itself. Each is kept before it is acknowledged, so none is lost;
 * deliveries find theirs when they are asked about, however early or late it came.
 */
export async function fetchEvents(
  { db, network, log }: Context,
  signal?: AbortSignal,
): Promise<void> {
  const accessPoint = network?.accessPoint;
  if (!accessPoint?.nextEvent) return;
  for (let count = 0; count < AT_ONCE; count += 1) {
    const event = signal?.aborted ? null : await accessPoint.nextEvent();
    if (!event) break;
    const { id: eventId, key: deliveryKey, reference, name, details } = event;
    const { name: source } = accessPoint;
    await keepEvent(db, { source, eventId, deliveryKey, reference, name, details });
    await event.acknowledge();
    log.info({ event: name, deliveryKey, reference }, 'the access point reports');
  }
  await forgetOld(db, KEPT_DAYS);
}

export { findReference } from './event.repository.ts';

/** Why a document will not arrive, in Norwegian; null where nobody has said so. */
export async function findVerdict(db: Db, named: Named): Promise<string | null> {
  const event = await findLatest(db, named, VERDICTS);
  if (!event) return null;
  return [WORDS[event.name] ?? event.name, event.details].filter(Boolean).join(': ');
}
