import type { Compilable, CompiledQuery } from 'kysely';

import type { Db } from './database.ts';
import { mayBePrepared } from './prepared-statements.ts';

/**
 * A query that is put together once, on its first use: for one that is asked all day kysely needs more
 * time for this than for its rows.
 *
 * @param build takes the values that differ from call to call, and does nothing with them but hand them
 * to kysely
 * @throws TypeError when PostgreSQL would plan it at each call all the same
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
