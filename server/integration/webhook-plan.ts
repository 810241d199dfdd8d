import type { Answer } from './webhook-client.ts';

const [MINUTE, HOUR] = [60, 3600];
/** Seconds from each failed attempt to the next one (Standard Webhooks 1.0.0). After the last one the message has failed. */
const WAITS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Longest wait that a receiver may ask for (seconds). */
const LONGEST_ASKED = 24 * HOUR;
/** By how much a wait is longer at most, so that not all messages come at once. */
const SPREAD = 0.1;

/** Whether an answer says that the message was taken. */
export function isSuccess({ status }: Pick<Answer, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * The seconds until the next attempt; null when there is none (INT-22).
 * @param attempts those before the one that failed
 * @param chance from 0 to 1
 */
export function waitAfter(
  attempts: number,
  retryAfter: number | null,
  chance = Math.random(),
): number | null {
  const planned = WAITS[attempts];
  if (planned === undefined) return null;
  return Math.max(planned * (1 + SPREAD * chance), Math.min(retryAfter ?? 0, LONGEST_ASKED));
}
