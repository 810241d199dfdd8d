import {
  PGlite,
  parse,
  protocol,
  type QueryOptions,
  type Results,
  type Transaction,
} from '@electric-sql/pglite';

import { nameToPrepare } from './client.ts';

const { serialize } = protocol;

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** A statement that PostgreSQL knows by name. */
interface Prepared {
  readonly parameterTypes: readonly number[];
  /** PostgreSQL's description of the result columns. */
  readonly description: Messages;
}

/**
 * The embedded database with prepared statements, as `WatchedClient` makes them on a server. PGlite alone plans every
 * statement again and makes five round trips for one result.
 */
export class PreparingPGlite extends PGlite {
  readonly #prepared = new Map<string, Prepared>();

  override async query<Row>(
    text: string,
    values?: unknown[],
    options?: QueryOptions,
  ): Promise<Results<Row>> {
    const name = values && nameToPrepare(text);
    if (name === undefined) return super.query<Row>(text, values, options);
    await this._checkReady();
    return this._runExclusiveTransaction(async () =>
      this.#runPrepared<Row>({ name, text }, values ?? [], options),
    );
  }

  override async transaction<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    return super.transaction(async (trx) => work(this.#preparing(trx)));
  }

  #preparing(trx: Transaction): Transaction {
    const originalQuery = trx.query.bind(trx);
    return Object.assign(trx, {
      query: async <Row>(text: string, values?: unknown[], options?: QueryOptions) => {
        const name = trx.closed ? undefined : values && nameToPrepare(text);
        return name === undefined
          ? originalQuery<Row>(text, values, options)
          : this.#runPrepared<Row>({ name, text }, values ?? [], options);
      },
    });
  }

  async #runPrepared<Row>(
    statement: { readonly name: string; readonly text: string },
    values: readonly unknown[],
    options: QueryOptions | undefined,
  ): Promise<Results<Row>> {
    return this._runExclusiveQuery(async () => {
      const known = this.#prepared.get(statement.name) ?? (await this.#prepare(statement));
      const { parameterTypes, description } = known;
      const bound = values.map((value, index) => this.#serialize(value, parameterTypes[index]));
      const answer = await this.#send(
        serialize.bind({ statement: statement.name, values: bound }),
        serialize.execute(),
      );
      const [result] = parse.parseResults([...description, ...answer], this.parsers, options);
      return result as Results<Row>;
    });
  }

  async #prepare({ name, text }: { name: string; text: string }): Promise<Prepared> {
    const messages = await this.#send(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    );
    const prepared = {
      parameterTypes: parse.parseDescribeStatementResults(messages),
      description: messages.filter((message) => message.name === 'rowDescription'),
    };
    this.#prepared.set(name, prepared);
    return prepared;
  }

  async #send(...messages: readonly Uint8Array[]): Promise<Messages> {
    const all = Buffer.concat([...messages, serialize.sync()]);
    return this.execProtocolStream(all, { syncToFs: false });
  }

  #serialize(value: unknown, type = 0): string | null {
    if (value === null || value === undefined) return null;
    const serializer = this.serializers[type] as ((from: unknown) => string) | undefined;
    return serializer ? serializer(value) : (value as string | number).toString();
  }
}
