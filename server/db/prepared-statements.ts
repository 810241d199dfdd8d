import { createHash } from 'node:crypto';

import { explainPooler, PoolerError } from './pooler-error.ts';
import { WatchedClient, type WatchedConfig } from './watched-client.ts';

/** How many different statements are prepared, more than the product has; some 40 kB each in a connection. */
const MOST = 1000;
/** A longer statement was built for its values and does not come again. */
const LONGEST = 8000;
/** What makes tables runs once, and takes no place from what comes again. */
const READS_OR_WRITES = /^\s*(?:select|insert|update|delete|with)\b/i;
/**
 * A prepared statement keeps its columns. `SELECT *` would fail in the processes that run while a newer
 * version adds a column.
 */
const TAKES_ALL_COLUMNS = /(?:select|returning|\.)\s*\*/i;
/** The best plan of a search depends on the words, so PostgreSQL must see them when it plans. */
const SEARCHES = /\blike\b/i;

const BEGINS = /^(?:begin|start transaction)\b/;

/** The names of prepared statements by their text. */
const names = new Map<string, string>();

/** What such a connection is opened with. */
export interface PreparingConfig extends WatchedConfig {
  /** Whether statements are prepared at all; they are when absent. */
  readonly prepares?: boolean;
  /** Told of each connection on which a pooler has mixed up the names. */
  readonly onPoolerError?: (error: PoolerError) => void;
}

/**
 * A connection that prepares each statement once: planning takes longer than running our lists and
 * look-ups. Statements are the same when their text is.
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

/** The name under which a statement is prepared; undefined when it is not to be. */
export function nameToPrepare(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MOST || !mayBePrepared(text)) return undefined;
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** Whether a statement is one to prepare, by its text. */
export function mayBePrepared(text: string): boolean {
  if (text.length > LONGEST || !READS_OR_WRITES.test(text)) return false;
  return !TAKES_ALL_COLUMNS.test(text) && !SEARCHES.test(text);
}
