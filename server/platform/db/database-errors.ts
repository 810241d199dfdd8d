import { errorCode, OutsideError, rootCause } from '../log/outside-error.ts';

/** The database did not answer in time, and its connection was closed. */
export class SilentDatabaseError extends Error {
  override readonly name = 'SilentDatabaseError';
}

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

/** Codes of SQLSTATE and Node for a machine without space, memory, files or processes. */
const SHORT = /^(?:53[0-3]00|ENOSPC|EDQUOT|ENOMEM|EMFILE|ENFILE|EAGAIN)$/;

/** Whether something outside of this program failed that may work later: a service, the database, space or memory. */
export function isOutside(error: unknown): boolean {
  return (
    error instanceof OutsideError || isUnavailable(error) || SHORT.test(errorCode(rootCause(error)))
  );
}

/** SQLSTATE (PostgreSQL, appendix A): a prepared statement 'does not exist' or 'already exists'. */
const NAMES_MIXED_UP: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

const POOLER_ADVICE =
  'A pooler lends a connection for one transaction at a time and does not know prepared statements: set DATABASE_PREPARED_STATEMENTS=no and DATABASE_DIRECT_URL, or let PgBouncer 1.21 or later know them (docs/operations.md, With a pooler).';

/** A pooler shares our session with other clients. The message is for the operator. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

/** The setting to change when a pooler mixes up prepared statements; undefined for any other error. */
export function explainPooler(error: NodeJS.ErrnoException): string | undefined {
  return NAMES_MIXED_UP.has(error.code) ? POOLER_ADVICE : undefined;
}

/** The database cannot be opened or prepared. The message tells the operator why, and what to do. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/** Settings with the location of the database. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

const UNREACHABLE =
  'See that PostgreSQL runs there and lets this machine in, or mend DATABASE_URL.';
const REFUSED = 'Mend the user or the password in DATABASE_URL.';
const CERTIFICATE = 'Mend sslmode in DATABASE_URL, or the certificate that it asks for.';
/** Files that pg reads before it connects. */
const CERTIFICATE_FILES = ['sslrootcert', 'sslcert', 'sslkey'];
const EXTENSIONS = 'Install the extensions pg_trgm and btree_gin (contrib) on its server.';

/** Advice for an error code of Node or an SQLSTATE (PostgreSQL, appendix A). */
const ADVICE: Readonly<Record<string, string>> = {
  ECONNRESET: UNREACHABLE,
  CERT_HAS_EXPIRED: CERTIFICATE,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  '0A000': EXTENSIONS,
  '58P01': EXTENSIONS,
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': 'Create it, owned by the user in DATABASE_URL, with encoding UTF8.',
  '42501': 'The user in DATABASE_URL must own the database: ALTER DATABASE … OWNER TO …',
  '53100': 'Make room on its disk.',
  '53300': 'Raise its max_connections, or stop what else uses them.',
  '57P03': 'It is starting or stopping: try again in a moment.',
};

/** Advice for messages of pg without a code, by their beginning. */
const SAID: readonly (readonly [beginning: string, advice: string])[] = [
  ['timeout exceeded when trying to connect', UNREACHABLE],
  ['Connection terminated', UNREACHABLE],
  ['No answer within', UNREACHABLE],
  ['The server does not support SSL', CERTIFICATE],
  ['SASL', REFUSED],
];

/**
 * Explains a failure of the database server to the operator; null when an operator cannot fix it.
 *
 * @param url of the database; only its host and name are shown
 * @param setting that the URL comes from
 */
export function explainDatabaseFailure(
  error: unknown,
  url: string,
  setting: DatabaseSetting = 'DATABASE_URL',
): UnusableDatabaseError | null {
  const cause: NodeJS.ErrnoException = rootCause(error);
  if (cause instanceof UnusableDatabaseError) return cause;
  const { host, pathname, searchParams } = new URL(url);
  const isOfUrl = CERTIFICATE_FILES.some((name) => searchParams.get(name) === cause.path);
  const advice = isOfUrl ? CERTIFICATE : adviceOn(cause);
  if (advice === undefined) return null;
  const mend = advice.replaceAll('DATABASE_URL', setting);
  const message = `The database ${host}${pathname} cannot be used (${cause.message}). ${mend}`;
  return new UnusableDatabaseError(message, { cause: error });
}

function adviceOn(error: NodeJS.ErrnoException): string | undefined {
  const pooler = explainPooler(error);
  if (pooler !== undefined) return pooler;
  if (error.syscall === 'connect' || error.syscall === 'getaddrinfo') return UNREACHABLE;
  return (
    ADVICE[error.code ?? ''] ?? SAID.find(([beginning]) => error.message.startsWith(beginning))?.[1]
  );
}
