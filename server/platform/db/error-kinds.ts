import { rootCause } from '../log/outside-error.ts';
import { SilentDatabaseError } from './watched-client.ts';

/** SQLSTATE codes that we handle (PostgreSQL, appendix A). */
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Whether a statement failed because an equal row exists. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, UNIQUE_VIOLATION);
}

/** Whether a statement failed because a constraint or a trigger forbids its result. */
export function isCheckViolation(error: unknown): boolean {
  return hasCode(error, CHECK_VIOLATION);
}

/** Whether a statement exceeded the time limit for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, LOCK_NOT_AVAILABLE);
}

/** Whether a statement was ended by a deadlock. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, DEADLOCK_DETECTED);
}

/**
 * Codes of SQLSTATE and Node for temporary conditions that do not depend on the statement: a lock held for too long,
 * a deadlock, too little time or space, a server that stops, is absent, or is a standby that has not taken over yet.
 */
const TEMPORARY =
  /^(?:55P03|40001|40P01|57014|57P0[1-5]|53300|25006|25P0[34]|08\w{3}|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
/** Messages of pg and Kysely that have no code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (?:has encountered|was closed)|Postgres connection has been discarded)/;

/** Whether the database is temporarily unavailable; the same call may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  const cause: NodeJS.ErrnoException = rootCause(error);
  return (
    cause instanceof SilentDatabaseError ||
    TEMPORARY.test(cause.code ?? '') ||
    LOST.test(cause.message)
  );
}
