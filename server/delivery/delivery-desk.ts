import { setTimeout as sleep } from 'node:timers/promises';

import { batchWhileBusy } from '../batching.ts';
import type { Context } from '../context.ts';
import { judgeDeliveries, type Verdict } from './delivery-order.service.ts';
import { recordSent } from './delivery-record.service.ts';
import * as repository from './delivery.repository.ts';
import type { Acceptance, Lease } from './delivery.repository.ts';
import type { DeliveryRow } from './delivery.rows.ts';

/** A delivery that this worker holds, and whether it may be mailed. */
export interface JudgedLease extends Lease {
  readonly verdict: Verdict;
}

/** What the database is told and asked about deliveries, many at a time. */
export interface DeliveryDesk {
  find(id: number): Promise<DeliveryRow | null>;
  /** Null when the delivery is done, or when another worker has it. */
  lease(id: number): Promise<JudgedLease | null>;
  isSuppressed(email: string): Promise<boolean>;
  /** Records an accepted mail. Does not rest until it is recorded. */
  markSent(acceptance: Acceptance): Promise<void>;
}

const BATCH = 100;
/** How long a mail that was accepted is tried to be recorded (milliseconds). */
const RECORDING_LIMIT = 10 * 60_000;
const LONGEST_PAUSE = 2_000;
/**
 * The least that a lease outlives the mail server's time limit by (milliseconds): time to notice that
 * the connection to the database is dead, and to record on another that the mail was accepted.
 */
const LEASE_MARGIN = 15_000;

/**
 * How long a delivery is leased (milliseconds): the time that the mail server is given, and as much
 * again for recording the outcome. As long as a lease lasts nobody else mails the invoice.
 */
export function leaseDuration(smtpTimeout: number): number {
  return smtpTimeout + Math.max(smtpTimeout, LEASE_MARGIN);
}

export function createDeliveryDesk(context: Context): DeliveryDesk {
  const { db, config } = context;
  return {
    find: batchWhileBusy(BATCH, async (ids) => {
      const rows = await repository.findByIds(db, ids);
      const found = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    lease: batchWhileBusy(BATCH, async (ids) => {
      const duration = leaseDuration(config.smtpTimeout);
      const leases = await repository.leaseDeliveries(db, ids, duration);
      // Judged after the lease is there for others to see: who cancels an invoice from now on knows
      // that it is being sent.
      const verdicts = await judgeDeliveries(db, leases);
      const held = new Map(
        leases.map((lease, index) => [lease.id, { ...lease, verdict: verdicts[index] ?? 'WAIT' }]),
      );
      return ids.map((id) => held.get(id) ?? null);
    }),
    isSuppressed: batchWhileBusy(BATCH, async (emails) => {
      const suppressed = await repository.findSuppressed(db, emails);
      return emails.map((email) => suppressed.has(email.toLowerCase()));
    }),
    // Each company by itself: it has one row of counts, and nobody waits for whoever holds another's,
    // nor do two workers that hold such rows for each other's.
    markSent: batchWhileBusy(
      BATCH,
      async (accepted) => {
        await untilItWorks(context, async () => recordSent(db, accepted));
        return accepted.map(() => undefined);
      },
      ({ companyId }) => companyId,
    ),
  };
}

/**
 * Tries again for as long as the database is away: what must be written is known to nobody else,
 * and what is not written would be mailed again.
 */
async function untilItWorks(context: Context, run: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + RECORDING_LIMIT;
  for (let pause = 50; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      await run();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      context.log.error({ err: error }, 'accepted mails could not be recorded; trying again');
      await sleep(pause);
    }
  }
}
