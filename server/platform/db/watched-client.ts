import pg from 'pg';

/** The database did not answer in time, and its connection was closed. */
export class SilentDatabaseError extends Error {
  override readonly name = 'SilentDatabaseError';
}

/** Time limits of a connection (milliseconds). */
export interface TimeLimits {
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

/** pg's own settings, and ours. */
export type WatchedConfig = pg.PoolConfig & {
  readonly limits?: TimeLimits | undefined;
  /**
   * Whether a pooler may lend the connection for one transaction at a time: session settings would then apply to
   * other clients.
   */
  readonly isPooled?: boolean;
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
 * A connection that is closed when no answer comes. A vanished machine or a router that dropped the connection sends
 * no error: without this a caller would wait for a quarter of an hour, until the system stops sending.
 */
export class WatchedClient extends pg.Client {
  /** The time of the last complete answer, by `performance.now()`. */
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
    // Behind a pooler no statement is sent on opening.
    this.on('connect', hear);
    this.on('drain', hear);
    this.on('end', () => clearTimeout(this.#alarm));
  }

  // pg's own signature has a dozen forms; they do not matter here.
  override query(...args: unknown[]): never {
    this.#watch();
    return super.query(...(args as [string])) as never;
  }

  /** The statement that begins a transaction and sets the longer limit of its statements. */
  protected beginning(begin: string): string {
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
    const limit = (isInTransaction ? statementOfTransaction : statement) + GRACE;
    this.#alarm = setTimeout(() => {
      // If our own process was too busy, the answer may have arrived unread: read it first.
      setImmediate(() => {
        if (this.#alarm) this.giveUp(new SilentDatabaseError(`No answer within ${limit} ms`));
      });
    }, limit);
  }
}
