import pg from 'pg';

/** The database did not answer in time, and its connection was closed. */
export class SilentDatabaseError extends Error {
  override readonly name = 'SilentDatabaseError';
}

/** How long a connection may wait (milliseconds). */
export interface TimeLimits {
  /** For a statement by itself. */
  readonly statement: number;
  /** For a statement of a transaction, which may write thousands of rows. */
  readonly statementOfTransaction: number;
  /** For a row or a table that somebody else has locked. */
  readonly lock: number;
  /** For us, between two statements of a transaction. */
  readonly idleInTransaction: number;
}

/** PostgreSQL itself ends a statement in time. If it has not answered so much later, it is gone. */
const GRACE = 1500;

/** pg's own settings, and ours. */
export type WatchedConfig = pg.PoolConfig & {
  readonly limits?: TimeLimits | undefined;
  /**
   * Whether a pooler may lend the connection for one transaction at a time: then what is set for the
   * session is set for somebody else.
   */
  readonly isPooled?: boolean;
};

/** A statement that sets the limits: for the session, or `LOCAL`, for the transaction. */
export function limitsStatement(
  scope: 'LOCAL' | 'SESSION',
  limits: Pick<TimeLimits, 'statement' | 'lock' | 'idleInTransaction'>,
): string {
  const { statement, lock, idleInTransaction } = limits;
  return `SET ${scope} statement_timeout = ${statement}; SET ${scope} lock_timeout = ${lock};
    SET ${scope} idle_in_transaction_session_timeout = ${idleInTransaction}`;
}

/**
 * A connection that is closed when an answer does not come. A machine that vanished or a router that
 * dropped the connection says nothing at all: without this a caller would wait for a quarter of an hour,
 * until the system gives up sending.
 */
export class WatchedClient extends pg.Client {
  /** When the last answer was complete, by `performance.now()`. */
  heardAt = performance.now();
  readonly #limits: TimeLimits | undefined;
  readonly #isPooled: boolean;
  #alarm: NodeJS.Timeout | undefined;

  constructor(config?: WatchedConfig) {
    super(config);
    this.#limits = config?.limits;
    this.#isPooled = config?.isPooled ?? false;
    const hear = () => {
      this.heardAt = performance.now();
      clearTimeout(this.#alarm);
      this.#alarm = undefined;
    };
    // Behind a pooler nothing is asked of a connection that has just been opened.
    this.on('connect', hear);
    this.on('drain', hear);
    this.on('end', () => clearTimeout(this.#alarm));
  }

  // pg's own signature has a dozen forms, and none of them matters here.
  override query(...args: unknown[]): never {
    this.#watch();
    return super.query(...(args as [string])) as never;
  }

  /** The statement that begins a transaction and gives its statements more time. */
  protected beginning(begin: string): string {
    if (!this.#limits) return begin;
    const statement = this.#limits.statementOfTransaction;
    return this.#isPooled
      ? `${begin}; ${limitsStatement('LOCAL', { ...this.#limits, statement })}`
      : `${begin}; SET LOCAL statement_timeout = ${statement}`;
  }

  /** Closes the connection at once, also in the middle of a statement. */
  giveUp(error: SilentDatabaseError): void {
    this.connection.stream.destroy(error);
  }

  #watch(): void {
    if (!this.#limits || this.#alarm) return;
    const isInTransaction = this.getTransactionStatus() === 'T';
    const { statement, statementOfTransaction } = this.#limits;
    const limit = (isInTransaction ? statementOfTransaction : statement) + GRACE;
    this.#alarm = setTimeout(() => {
      // If we were too busy ourselves, the answer may be here unread: read it first.
      setImmediate(() => {
        if (this.#alarm) this.giveUp(new SilentDatabaseError(`No answer within ${limit} ms`));
      });
    }, limit);
  }
}
