import { join } from 'node:path';

import type { FastifyReply } from 'fastify';

import { isOn, type Endpoint, type ParsedOf, type ResponseOf } from '../../domain/api/endpoint.ts';
import { API_ENDPOINTS } from '../../domain/endpoints.ts';
import { readConfig } from '../../server/config.ts';
import { AppError } from '../../server/errors.ts';
import { servePages } from '../../server/platform/http/pages.ts';
import { accountRoute, publicRoute, route } from '../../server/platform/http/route.ts';
import { createServer } from '../../server/platform/http/server.ts';
import { openErrorReports } from '../../server/platform/log/error-reports.ts';
import { createLog } from '../../server/platform/log/log.ts';
import { ROOT } from '../../server/testing/process.ts';
import { REGISTER_URL } from './faktur.ts';
import { newCompany, usualAnswers, type Company } from './usual-answers.ts';

type Result<E extends Endpoint> = ResponseOf<E> | typeof NO_ANSWER;
type Answer<E extends Endpoint> = (input: ParsedOf<E>) => Result<E> | Promise<Result<E>>;

/** A handler returns it to break the connection: the call arrived, and its answer is lost. Chromium then calls some times more. */
export const NO_ANSWER = Symbol('no answer');

/**
 * The product's own HTTP server and pages, without what is behind its calls: no database, no account, no mail. A call's
 * input is judged as the product judges it, and the type of its answer is the endpoint's.
 */
export interface FakeApi {
  readonly url: string;
  /** Answers an endpoint's calls from now on. @throws in the answer: AppError, a refusal of the product's */
  answer<E extends Endpoint>(endpoint: E, answer: Answer<E>): void;
  /** The valid inputs of an endpoint's calls since the test began. */
  asked<E extends Endpoint>(endpoint: E): readonly ParsedOf<E>[];
  /** A new company, which answers what the test does not answer itself. */
  begin(complaints: string[]): Company;
}

const SETTINGS = {
  PORT: '0',
  SUPPORT_EMAIL: 'hjelp@faktur.test',
  BUSINESS_REGISTER_URL: REGISTER_URL,
  REQUESTS_PER_MINUTE: '0',
  LOG_LEVEL: 'warn',
  // With both the settings need no folder. Nothing opens the database.
  DATABASE_URL: 'postgres://127.0.0.1:9/none',
  SECRET_KEY: 'x'.repeat(64),
};

/** @param features as the setting FEATURES */
export async function startFakeApi(features: string): Promise<FakeApi> {
  const config = readConfig({ ...SETTINGS, FEATURES: features });
  let said = new Map<Endpoint, Answer<Endpoint>>();
  let inputs = new Map<Endpoint, unknown[]>();
  let missing: string[] = [];
  const app = await createServer(config, createLog(config), await openErrorReports(config));
  const caller = () => ({});
  app.decorateRequest('requireActor', caller as never);
  app.decorateRequest('requireCaller', caller as never);
  for (const endpoint of API_ENDPOINTS) {
    const handle = async (input: object, { reply }: { readonly reply: FastifyReply }) => {
      if (!isOn(endpoint, config.features)) throw new AppError('not_found');
      inputs.set(endpoint, [...(inputs.get(endpoint) ?? []), input]);
      const answer = said.get(endpoint);
      if (!answer) {
        missing.push(`The test has no answer to ${endpoint.method} ${endpoint.path}`);
        throw new AppError('not_found');
      }
      const result = await answer(input);
      if (result !== NO_ANSWER) return result as never;
      reply.raw.destroy();
      throw new AppError('unavailable');
    };
    const { access } = endpoint;
    if (access === undefined) route(app, endpoint, handle);
    else (access === 'public' ? publicRoute : accountRoute)(app, endpoint, handle);
  }
  await servePages(app, { config }, join(ROOT, 'dist', 'web'));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    answer: (endpoint, answer) => void said.set(endpoint, answer as never),
    asked: <E extends Endpoint>(endpoint: E) => (inputs.get(endpoint) ?? []) as ParsedOf<E>[],
    begin: (complaints) => {
      const company = newCompany(config.features);
      said = new Map(usualAnswers(company) as [Endpoint, Answer<Endpoint>][]);
      inputs = new Map();
      missing = complaints;
      return company;
    },
  };
}
