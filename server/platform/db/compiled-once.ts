import type { Compilable, CompiledQuery } from 'kysely';

import type { Db } from './database.ts';
import { mayBePrepared } from './client.ts';

/**
 * A query that is compiled once, at its first use. For frequent queries, compiling in Kysely takes longer than
 * mapping their rows.
 *
 * @param build gets the values that differ from call to call, and may only pass them to Kysely
 * @throws TypeError for a statement that PostgreSQL would plan at each call anyway
 */
export function compiledOnce<Values extends readonly unknown[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const places = Array.from({ length: build.length - 1 }, () => ({}));
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, ...values) => {
    compiled ??= preparable(build(db, ...(places as unknown as Values)).compile());
    const parameters = compiled.parameters.map((parameter) => {
      const place = places.indexOf(parameter as object);
      return place === -1 ? parameter : values[place];
    });
    const query: CompiledQuery<Row> = { ...compiled, parameters };
    return (await db.executeQuery(query)).rows;
  };
}

function preparable<Row>(compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  if (!mayBePrepared(compiled.sql))
    throw new TypeError(`It would not be prepared: ${compiled.sql}`);
  return compiled;
}
