import { queryOptions } from '@tanstack/react-query';

import { toCamelCase, toSnakeKey, toWireText } from '../../domain/api/case.ts';
import {
  makesSomething,
  type Endpoint,
  type RequestOf,
  type ResponseOf,
} from '../../domain/api/endpoint.ts';
import type { ErrorBody } from '../../domain/api/error.ts';
import { ApiError, ConnectionLost, RequestAborted } from './api-error.ts';
import type { Subject } from './query-client.ts';

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface LooseRequest {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: unknown;
}

/** The request argument is optional for endpoints without required params, query and body. */
type Arguments<E extends Endpoint> =
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
  const url = urlOf(endpoint, address);
  const text = body === undefined ? null : toWireText(body);
  const answer = await withKey(endpoint, { url, text }, async (key) =>
    send(url, {
      method: endpoint.method,
      credentials: 'include',
      signal: signal ?? null,
      headers: {
        ...headers(),
        ...key,
        ...(text !== null && { 'content-type': 'application/json' }),
      },
      body: text,
    }),
  );
  // An empty response of an endpoint with a response schema is null.
  return (read(answer) ?? (endpoint.response && null)) as ResponseOf<E>;
}

/** The keys of calls that make something and are under way, by address and body. */
const keys = new Map<string, string>();
/** The keys of calls whose answers were lost, by address. */
const lostKeys = new Map<string, string>();

/**
 * Sends a call that makes something with an `Idempotency-Key` (WIRE-22). The same call has the same key, so a double
 * press makes nothing twice. After a lost answer the next call to the address has its key: it makes nothing when the
 * lost one did, and is refused when it asks for something else. A call that needs a proof is sent again with its key.
 */
export async function withKey(
  endpoint: Endpoint,
  { url, text }: { readonly url: string; readonly text: string | null },
  sendIt: (key: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> {
  if (!makesSomething(endpoint)) return withProof(async () => sendIt({}));
  const making = `${url}\n${text}`;
  // Pages on plain http have no crypto.randomUUID.
  const random = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
  const key = keys.get(making) ?? lostKeys.get(url) ?? random();
  keys.set(making, key);
  let isDecided = false;
  try {
    const answer = await withProof(async () => sendIt({ 'idempotency-key': key }));
    // A proxy may have answered in the server's place.
    isDecided = answer.status < 500 && !answer.isUnderWay;
    return answer;
  } finally {
    keys.delete(making);
    if (!isDecided) lostKeys.set(url, key);
    else if (lostKeys.get(url) === key) lostKeys.delete(url);
  }
}

let askForProof: (() => Promise<boolean>) | undefined;

/** Sets who asks the person at the screen for a proof. It resolves to whether one was given (SEC-10). */
export function setProofAsker(ask: () => Promise<boolean>): void {
  askForProof = ask;
}

/**
 * Sends a call. When the server wants a proof first, asks for one and sends the call again, as it was.
 * @throws RequestAborted when no proof is given
 */
async function withProof(sendIt: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await sendIt();
    if (!askForProof || answer.status !== 403 || !needsProof(answer)) return answer;
    if (!(await askForProof())) throw new RequestAborted();
  }
}

function needsProof({ text }: Answer): boolean {
  return (toCamelCase(parse(text)) as ErrorBody | undefined)?.proofNeeded === true;
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
  /** Whether the same call is under way, and has no answer yet. */
  readonly isUnderWay: boolean;
}

async function send(address: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(address, init);
    const { url, status, statusText } = response;
    const isUnderWay = status === 409 && response.headers.has('retry-after');
    return { url, status, statusText, isUnderWay, text: await response.text() };
  } catch (error) {
    const isAborted = error instanceof DOMException && error.name === 'AbortError';
    throw isAborted ? new RequestAborted() : new ConnectionLost(error);
  }
}

export function read({ text, ...answer }: Omit<Answer, 'isUnderWay'>): unknown {
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
