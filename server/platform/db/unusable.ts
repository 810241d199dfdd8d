import { rootCause } from '../log/outside-error.ts';
import { explainPooler } from './pooler-error.ts';

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
