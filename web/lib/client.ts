import { toCamelCase, toSnakeCase, toSnakeKey } from '../../domain/api/case.ts';
import type { Endpoint, RequestOf, ResponseOf } from '../../domain/api/endpoint.ts';
import { ApiError, ConnectionLost, RequestAborted } from './api-error.ts';

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface LooseRequest {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: unknown;
}

/** The request argument is optional for endpoints without required params, query and body. */
export type Arguments<E extends Endpoint> =
  Record<string, never> extends RequestOf<E>
    ? [request?: RequestOf<E> | undefined, signal?: AbortSignal | undefined]
    : [request: RequestOf<E>, signal?: AbortSignal | undefined];

/**
 * Calls the API with the session cookie. Converts names to snake_case in the request and to camelCase in the
 * response; the browser converts names nowhere else.
 *
 * @throws ApiError when the status is not 2xx
 * @throws RequestAborted when the signal aborts the call
 * @throws ConnectionLost when no response arrives
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[request, signal]: Arguments<E>
): Promise<ResponseOf<E>> {
  const { body, ...address } = (request ?? {}) as LooseRequest;
  const answer = await send(urlOf(endpoint, address), {
    method: endpoint.method,
    credentials: 'include',
    signal: signal ?? null,
    headers: {
      ...headers(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(toSnakeCase(body)),
  });
  // An empty response of an endpoint with a response schema is null.
  return (read(answer) ?? (endpoint.response && null)) as ResponseOf<E>;
}

/** The company that this tab shows; undefined without `members`. */
let company: string | undefined;
/** Whether a link named it, and nobody has chosen since. */
let isLinked = false;

/** Names the company of all calls: the server refuses them for another one (WEB-28). */
export function setCompany(uuid: string | undefined, byLink = false): void {
  company = uuid;
  isLinked = byLink;
}

export function isCompanyLinked(): boolean {
  return isLinked;
}

export function companyOfTab(): string | undefined {
  return company;
}

export function headers(): Readonly<Record<string, string>> {
  return company ? { ...HEADERS, 'x-company': company } : HEADERS;
}

const HEADERS = {
  accept: 'application/json',
  // Error messages are shown on the screen, which is Norwegian in every browser language.
  'accept-language': 'nb',
} as const;

export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly text: string;
}

async function send(address: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(address, init);
    const { url, status, statusText } = response;
    return { url, status, statusText, text: await response.text() };
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError';
    throw isAborted ? new RequestAborted() : new ConnectionLost(error);
  }
}

export function read({ text, ...answer }: Answer): unknown {
  const body = parse(text);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess) return toCamelCase(body);
  throw new ApiError({ ...answer, body });
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A proxy in front of the server may respond with HTML.
    return text;
  }
}

export function urlOf(endpoint: Endpoint, { params, query }: LooseRequest): string {
  return fillPath(endpoint.path, params) + queryString(query);
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
