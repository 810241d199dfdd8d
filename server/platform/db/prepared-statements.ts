import { createHash } from 'node:crypto';

import { explainPooler, PoolerError } from './pooler-error.ts';
import { WatchedClient, type WatchedConfig } from './watched-client.ts';

/** Most prepared statements, more than the product has; each takes about 40 kB per connection. */
const MOST = 1000;
/** A longer statement was built for its values and is not repeated. */
const LONGEST = 8000;
/** Schema changes run once and should not use up a name. */
const READS_OR_WRITES = /^\s*(?:select|insert|update|delete|with)\b/i;
/**
 * A prepared statement has fixed result columns. `SELECT *` would fail in running processes when a newer version adds
 * a column.
 */
const TAKES_ALL_COLUMNS = /(?:select|returning|\.)\s*\*/i;
/** The best plan of a search depends on the words, so PostgreSQL must see them when it plans. */
const SEARCHES = /\blike\b/i;

const BEGINS = /^(?:begin|start transaction)\b/;

/** The names of prepared statements by their text. */
const names = new Map<string, string>();

/** Settings of such a connection. */
export interface PreparingConfig extends WatchedConfig {
  /** Whether statements are prepared; true when absent. */
  readonly prepares?: boolean;
  /** Called for each connection on which a pooler has mixed up the names. */
  readonly onPoolerError?: (error: PoolerError) => void;
}

/**
 * A connection that prepares each statement once: planning our lists and look-ups takes longer than running them.
 * Statements with the same text are the same.
 */
export class PreparingClient extends WatchedClient {
  readonly #prepares: boolean;

  constructor(config?: PreparingConfig) {
    super(config);
    this.#prepares = config?.prepares ?? true;
    this.connection.on('errorMessage', (error: Error) => {
      const advice = explainPooler(error);
      if (advice !== undefined) config?.onPoolerError?.(new PoolerError(advice, { cause: error }));
    });
  }

  // pg's own signature has a dozen forms; the one that Kysely uses is (text, values).
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    if (typeof text === 'string' && BEGINS.test(text)) return super.query(this.beginning(text));
    const name =
      this.#prepares && typeof text === 'string' && Array.isArray(values)
        ? nameToPrepare(text)
        : undefined;
    const prepared = name === undefined ? args : [{ name, text, values }, ...rest];
    return super.query(...prepared);
  }
}

/** The name under which a statement is prepared; undefined when it should not be. */
export function nameToPrepare(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MOST || !mayBePrepared(text)) return undefined;
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** Whether a statement should be prepared, judged by its text. */
export function mayBePrepared(text: string): boolean {
  if (text.length > LONGEST || !READS_OR_WRITES.test(text)) return false;
  return !TAKES_ALL_COLUMNS.test(text) && !SEARCHES.test(text);
}
