import { toCamelCase, toSnakeCase, toSnakeKey } from '../../domain/api/case.ts';
import type { Endpoint, RequestOf, ResponseOf } from '../../domain/api/endpoint.ts';
import { ApiError, ConnectionLost, RequestAborted } from './api-error.ts';

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface LooseRequest {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: unknown;
}

/** Endpoints without params, query and body are called with the endpoint alone. */
type Arguments<E extends Endpoint> =
  Record<string, never> extends RequestOf<E>
    ? [request?: RequestOf<E> | undefined, signal?: AbortSignal | undefined]
    : [request: RequestOf<E>, signal?: AbortSignal | undefined];

/**
 * Makes one call of the API with the session's cookie. Names go out in snake_case and come back in
 * camelCase; this is the browser's one converter.
 *
 * @throws ApiError for every answer that is not a success
 * @throws RequestAborted when the signal ends the call
 * @throws ConnectionLost when no answer came
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[request, signal]: Arguments<E>
): Promise<ResponseOf<E>> {
  const { params, query, body } = (request ?? {}) as LooseRequest;
  const url = fillPath(endpoint.path, params) + queryString(query);
  const response = await send(url, {
    method: endpoint.method,
    credentials: 'include',
    signal: signal ?? null,
    headers: {
      accept: 'application/json',
      // Refusals are shown on the screen, which is Norwegian whatever the browser's language is.
      'accept-language': 'nb',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(toSnakeCase(body)),
  });
  // Nothing where something could be is null.
  return ((await readBody(response)) ?? (endpoint.response && null)) as ResponseOf<E>;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw brokenOff(error);
  }
}

async function readBody(response: Response): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw brokenOff(error);
  }
  const body = parse(text);
  if (response.ok) return response.status === 204 ? undefined : toCamelCase(body);
  const { url, status, statusText } = response;
  throw new ApiError({ url, status, statusText, body });
}

function brokenOff(error: unknown): Error {
  const aborted = error instanceof DOMException && error.name === 'AbortError';
  return aborted ? new RequestAborted() : new ConnectionLost(error);
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A proxy in front of the server may answer in HTML.
    return text;
  }
}

function fillPath(path: string, params: Values = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
}

function queryString(query: Values = {}): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    search.set(toSnakeKey(key), String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
