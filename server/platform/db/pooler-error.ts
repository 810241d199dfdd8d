/** SQLSTATE (PostgreSQL, appendix A): a prepared statement 'does not exist' or 'already exists'. */
const NAMES_MIXED_UP: ReadonlySet<string | undefined> = new Set(['26000', '42P05']);

const ADVICE =
  'A pooler lends a connection for one transaction at a time and does not know prepared statements: set DATABASE_PREPARED_STATEMENTS=no and DATABASE_DIRECT_URL, or let PgBouncer 1.21 or later know them (docs/operations.md, With a pooler).';

/** A pooler shares our session with other clients. The message is for the operator. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

/** The setting to change when a pooler mixes up prepared statements; undefined for any other error. */
export function explainPooler(error: NodeJS.ErrnoException): string | undefined {
  return NAMES_MIXED_UP.has(error.code) ? ADVICE : undefined;
}
