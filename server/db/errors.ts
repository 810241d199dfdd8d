/** SQLSTATE codes that mean something to us (PostgreSQL, appendix A). */
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Whether a statement failed because a row like it exists. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, UNIQUE_VIOLATION);
}

/** Whether a statement failed because a constraint or a trigger forbids its result. */
export function isCheckViolation(error: unknown): boolean {
  return hasCode(error, CHECK_VIOLATION);
}

/** Whether a statement waited for a lock for longer than it may. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, LOCK_NOT_AVAILABLE);
}

/** Whether a statement was ended because it and another waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, DEADLOCK_DETECTED);
}
