import { AsyncLocalStorage } from 'node:async_hooks';

import { DefaultQueryExecutor, type CompiledQuery } from 'kysely';

const heard = new AsyncLocalStorage<CompiledQuery[]>();

// oxlint-disable-next-line typescript/unbound-method -- called below with its object
const { executeQuery } = DefaultQueryExecutor.prototype;
DefaultQueryExecutor.prototype.executeQuery = async function (query, options) {
  heard.getStore()?.push(query);
  return executeQuery.call(this, query, options) as never;
};

/**
 * Makes a call. Returns its answer, and the statements that it had run when it was answered, in their order. Those of
 * jobs and of other calls at the same time are not among them.
 */
export async function withStatements<T>(
  call: () => Promise<T>,
): Promise<{ readonly answer: T; readonly statements: readonly CompiledQuery[] }> {
  const statements: CompiledQuery[] = [];
  const answer = await heard.run(statements, call);
  return { answer, statements: [...statements] };
}
