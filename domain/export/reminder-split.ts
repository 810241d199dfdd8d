import type { Ore } from '../money.ts';
import { ore } from '../money.ts';

/** A row of payments that pays reminders, or takes back one that did. */
interface PaidReminder {
  readonly id: number;
  /** The part for reminders. */
  readonly amount: Ore;
  readonly undoesId: number | null;
  /** The fees and compensations that reminders asked for when it was recorded. */
  readonly fees: Ore;
}

/**
 * The part of each row that pays fees and compensations, by its id; the rest pays interest. Fees are paid first; a row that takes
 * another back is its mirror, and other money that goes back takes from interest first. What is recorded later changes no earlier split.
 *
 * @param rows all rows of one invoice, in the order in which they were recorded
 */
export function splitReminders(rows: readonly PaidReminder[]): ReadonlyMap<number, Ore> {
  const split = new Map<number, Ore>();
  let fees = 0;
  let interest = 0;
  for (const { id, amount, undoesId, fees: asked } of rows) {
    const mirrored = undoesId === null ? undefined : split.get(undoesId);
    const part =
      mirrored === undefined
        ? amount >= 0
          ? Math.min(amount, Math.max(0, asked - fees))
          : Math.min(0, amount + Math.max(0, interest))
        : 0 - mirrored;
    split.set(id, ore(part));
    fees += part;
    interest += amount - part;
  }
  return split;
}
