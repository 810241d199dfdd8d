import { createHash } from 'node:crypto';

import pg from 'pg';

import { explainPooler, PoolerError, SilentDatabaseError } from './database-errors.ts';

/** Time limits of a connection (milliseconds). */
export interface TimeLimits {
  /** The opening of a connection. */
  readonly connect: number;
  /** A statement outside a transaction. */
  readonly statement: number;
  /** A statement in a transaction, which may write thousands of rows. */
  readonly statementOfTransaction: number;
  /** The wait for a row or table that another transaction has locked. */
  readonly lock: number;
  /** Between two statements of a transaction. */
  readonly idleInTransaction: number;
}

/** PostgreSQL itself ends a statement at its limit. Without an answer this much later, the connection is dead. */
const GRACE = 1500;
/** Kysely's statements that begin a transaction. */
const BEGINS = /^(?:begin|start transaction)\b/;

/** A statement that sets the limit of those that follow in its transaction. */
const SETS_LIMIT = /^SET LOCAL statement_timeout = (\d+)$/;

/** pg's own settings, and ours. */
export type WatchedConfig = pg.PoolConfig & {
  readonly limits?: TimeLimits | undefined;
  /**
   * Whether a pooler may lend the connection for one transaction at a time: session settings would then apply to
   * other clients.
   */
  readonly isPooled?: boolean;
  /**
   * Whether each statement is prepared once by the connection: planning our lists and look-ups takes longer than
   * running them. Statements with the same text are the same.
   */
  readonly prepares?: boolean;
  /** Called for each connection on which a pooler has mixed up the names of prepared statements. */
  readonly onPoolerError?: (error: PoolerError) => void;
};

/** A statement that sets the limits: for the session, or `LOCAL` for the transaction. */
export function limitsStatement(
  scope: 'LOCAL' | 'SESSION',
  limits: Pick<TimeLimits, 'statement' | 'lock' | 'idleInTransaction'>,
): string {
  const { statement, lock, idleInTransaction } = limits;
  return `SET ${scope} statement_timeout = ${statement}; SET ${scope} lock_timeout = ${lock};
    SET ${scope} idle_in_transaction_session_timeout = ${idleInTransaction}`;
}

/**
 * A connection that prepares statements, and is closed when no answer comes. A vanished machine or a router that dropped the connection sends
 * no error: without this a caller would wait for a quarter of an hour, until the system stops sending.
 */
export class WatchedClient extends pg.Client {
  /** The time of the last complete answer, by `performance.now()`. */
  heardAt = performance.now();
  readonly #limits: TimeLimits | undefined;
  readonly #isPooled: boolean;
  readonly #prepares: boolean;
  #alarm: NodeJS.Timeout | undefined;
  /** The limit that the transaction has set for its statements. */
  #ownLimit: number | undefined;

  constructor(config?: WatchedConfig) {
    super(config);
    this.#limits = config?.limits;
    this.#isPooled = config?.isPooled ?? false;
    this.#prepares = config?.prepares ?? false;
    const hear = () => {
      this.heardAt = performance.now();
      clearTimeout(this.#alarm);
      this.#alarm = undefined;
    };
    // Behind a pooler no statement is sent on opening.
    this.on('connect', hear);
    this.on('drain', hear);
    this.on('end', () => clearTimeout(this.#alarm));
    this.connection.on('errorMessage', (error: Error) => {
      const advice = explainPooler(error);
      if (advice !== undefined) config?.onPoolerError?.(new PoolerError(advice, { cause: error }));
    });
  }

  // pg's own signature has a dozen forms; the one that Kysely uses is (text, values).
  override query(...args: unknown[]): never {
    this.#watch();
    const [text, values, ...rest] = args;
    if (typeof text !== 'string') return this.#send(args);
    if (BEGINS.test(text)) {
      this.#ownLimit = undefined;
      return this.#send([this.#beginning(text)]);
    }
    const [, ownLimit] = SETS_LIMIT.exec(text) ?? [];
    if (ownLimit !== undefined) this.#ownLimit = Number(ownLimit);
    const name = this.#prepares && Array.isArray(values) ? nameToPrepare(text) : undefined;
    return this.#send(name === undefined ? args : [{ name, text, values }, ...rest]);
  }

  #send(args: readonly unknown[]): never {
    return super.query(...(args as [string])) as never;
  }

  /** The statement that begins a transaction and sets the longer limit of its statements. */
  #beginning(begin: string): string {
    if (!this.#limits) return begin;
    const statement = this.#limits.statementOfTransaction;
    return this.#isPooled
      ? `${begin}; ${limitsStatement('LOCAL', { ...this.#limits, statement })}`
      : `${begin}; SET LOCAL statement_timeout = ${statement}`;
  }

  /** Closes the connection at once, even during a statement. */
  giveUp(error: SilentDatabaseError): void {
    this.connection.stream.destroy(error);
  }

  #watch(): void {
    if (!this.#limits || this.#alarm) return;
    const isInTransaction = this.getTransactionStatus() === 'T';
    const { statement, statementOfTransaction } = this.#limits;
    const ofTransaction = this.#ownLimit ?? statementOfTransaction;
    const limit = (isInTransaction ? ofTransaction : statement) + GRACE;
    this.#alarm = setTimeout(() => {
      // If our own process was too busy, the answer may have arrived unread: read it first.
      setImmediate(() => {
        if (this.#alarm) this.giveUp(new SilentDatabaseError(`No answer within ${limit} ms`));
      });
    }, limit);
  }
}

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

/** The names of prepared statements by their text. */
const names = new Map<string, string>();

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
