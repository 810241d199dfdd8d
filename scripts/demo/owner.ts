import type { LightMyRequestResponse } from 'fastify';

import { toCamelCase, toSnakeCase } from '../../domain/api/case.ts';
import type { Endpoint, RequestOf, ResponseOf } from '../../domain/api/endpoint.ts';
import { verifyLogin } from '../../domain/session/session.endpoints.ts';
import type { App } from '../../server/app.ts';
import { makeChallenge } from '../../server/account/login.service.ts';

/** Calls the API as the owner of a company. @throws Error with the answer when it is refused */
export type Call = <E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  file?: Buffer,
) => Promise<ResponseOf<E>>;

interface LooseRequest {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** Registers a new owner. */
export async function signUp({ context, http }: App, email: string): Promise<Call> {
  const cookies: Record<string, string> = {};
  const call: Call = async (endpoint, request, file) => {
    const { params = {}, query = {}, body } = request as LooseRequest;
    const answer: LightMyRequestResponse = await http.inject({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name])),
      query: toSnakeCase(query) as Record<string, string>,
      cookies,
      ...(body !== undefined && { payload: toSnakeCase(body) as object }),
      ...(file && { payload: file, headers: { 'content-type': 'application/octet-stream' } }),
    });
    if (answer.statusCode >= 400) throw new Error(`${endpoint.id}: ${answer.body}`);
    for (const { name, value } of answer.cookies) cookies[name] = value;
    return (answer.body === '' ? undefined : toCamelCase(answer.json())) as never;
  };
  const challenge = await makeChallenge(context, 'register', email);
  await call(verifyLogin, { body: { token: challenge?.token ?? '' } });
  return call;
}
