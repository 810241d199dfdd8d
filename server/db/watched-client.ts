import pg from 'pg';

/** A connection to the database that was given up, because nothing was heard of it any more. */
export class SilentDatabaseError extends Error {
  override readonly name = 'SilentDatabaseError';
}

/** What a connection may take its time for (milliseconds). */
export interface TimeLimits {
  /** For a statement by itself. */
  readonly statement: number;
  /** For a statement of a transaction, where what came by the thousand is written. */
  readonly statementOfTransaction: number;
  /** For a row or a table that somebody else holds. */
  readonly lock: number;
  /** For us, between two statements of a transaction. */
  readonly idleInTransaction: number;
}

/** PostgreSQL itself ends a statement in time. What is not heard of so much later has no PostgreSQL. */
const GRACE = 1500;

/** pg's own settings, and the limits of time. */
export type WatchedConfig = pg.PoolConfig & { readonly limits?: TimeLimits | undefined };

/**
 * A connection that is given up when an answer stays out. A machine that vanished, or a line that was
 * forgotten on the way, says nothing at all: without this, whoever asked would wait for a quarter of
 * an hour, until the system gives up sending.
 */
export class WatchedClient extends pg.Client {
  /** When the last answer was whole, on the clock of `performance.now()`. */
  heardAt = performance.now();
  readonly #limits: TimeLimits | undefined;
  #alarm: NodeJS.Timeout | undefined;

  constructor(config?: WatchedConfig) {
    super(config);
    this.#limits = config?.limits;
    this.on('drain', () => {
      this.heardAt = performance.now();
      clearTimeout(this.#alarm);
      this.#alarm = undefined;
    });
    this.on('end', () => clearTimeout(this.#alarm));
  }

  // pg's own signature has a dozen forms, and none of them matters here.
  override query(...args: unknown[]): never {
    this.#watch();
    return super.query(...(args as [string])) as never;
  }

  /** What begins a transaction, whose statements may take longer than others. */
  protected beginning(begin: string): string {
    if (!this.#limits) return begin;
    return `${begin}; SET LOCAL statement_timeout = ${this.#limits.statementOfTransaction}`;
  }

  /** Closes the connection, whatever it is at. */
  giveUp(error: SilentDatabaseError): void {
    this.connection.stream.destroy(error);
  }

  #watch(): void {
    if (!this.#limits || this.#alarm) return;
    const isInTransaction = this.getTransactionStatus() === 'T';
    const { statement, statementOfTransaction } = this.#limits;
    const limit = (isInTransaction ? statementOfTransaction : statement) + GRACE;
    this.#alarm = setTimeout(() => {
      // The answer may lie here unread, when it was we who were too busy: read first.
      setImmediate(() => {
        if (this.#alarm) this.giveUp(new SilentDatabaseError(`No answer within ${limit} ms`));
      });
    }, limit);
  }
}
