import { queryOptions } from '@tanstack/react-query';

import type { Endpoint, RequestOf } from '../../domain/api/endpoint.ts';
import { call, type Arguments } from './client.ts';
import type { Subject } from './query-client.ts';

/**
 * The query of an endpoint. Its key names the subject, which a change puts out of date, the endpoint and the request.
 *
 * @param more parts of the key for what else leads to a new answer
 */
export function ask<E extends Endpoint>(
  subject: Subject,
  endpoint: E,
  request: RequestOf<E>,
  ...more: readonly unknown[]
) {
  return queryOptions({
    queryKey: [subject, endpoint.path, request, ...more] as const,
    queryFn: async ({ signal }) => call(endpoint, ...([request, signal] as Arguments<E>)),
  });
}
