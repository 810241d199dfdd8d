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
  const { body, ...address } = (request ?? {}) as LooseRequest;
  const response = await send(urlOf(endpoint, address), {
    method: endpoint.method,
    credentials: 'include',
    signal: signal ?? null,
    headers: {
      ...HEADERS,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(toSnakeCase(body)),
  });
  // Nothing where something could be is null.
  return (read(await answerOf(response)) ?? (endpoint.response && null)) as ResponseOf<E>;
}

interface Sending {
  /** Told how much of the file has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a file, as it is, to an endpoint that takes bytes.
 *
 * @returns the answer, and whether the server made something of the file or had it already
 * @throws as `call` does
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  request: Pick<RequestOf<E>, 'query' & keyof RequestOf<E>>,
  file: Blob,
  sending: Partial<Sending> = {},
): Promise<{ answer: ResponseOf<E>; isNew: boolean }> {
  const answer = await follow(endpoint, request, file, sending);
  return { answer: read(answer) as ResponseOf<E>, isNew: answer.status === 201 };
}

/** As `call`, of a body that is large: tells how much of it has been sent. */
export async function callWithProgress<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  sending: Sending,
): Promise<ResponseOf<E>> {
  const { body, ...address } = request as LooseRequest;
  const json = new Blob([JSON.stringify(toSnakeCase(body))], { type: 'application/json' });
  return read(await follow(endpoint, address, json, sending)) as ResponseOf<E>;
}

/** Of what is sent only XMLHttpRequest tells how far it has come. */
async function follow(
  endpoint: Endpoint,
  address: LooseRequest,
  content: Blob,
  { onProgress, signal }: Partial<Sending>,
): Promise<Answer> {
  const url = urlOf(endpoint, address);
  const sent = new XMLHttpRequest();
  const abort = () => sent.abort();
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded / total));
    sent.addEventListener('load', () => {
      const { status, statusText, responseText: text } = sent;
      resolve({ url, status, statusText, text });
    });
    sent.addEventListener('abort', () => reject(new RequestAborted()));
    sent.addEventListener('error', () => reject(new ConnectionLost(undefined)));
  });
  sent.open(endpoint.method, url);
  for (const [name, value] of Object.entries(HEADERS)) sent.setRequestHeader(name, value);
  const isAsItIs = endpoint.upload !== undefined && !endpoint.uploadTypes;
  const type = isAsItIs ? 'application/octet-stream' : content.type;
  sent.setRequestHeader('content-type', type);
  sent.send(content);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  return answered.finally(() => signal?.removeEventListener('abort', abort));
}

const HEADERS = {
  accept: 'application/json',
  // Refusals are shown on the screen, which is Norwegian whatever the browser's language is.
  'accept-language': 'nb',
} as const;

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw brokenOff(error);
  }
}

interface Answer {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly text: string;
}

async function answerOf(response: Response): Promise<Answer> {
  const { url, status, statusText } = response;
  try {
    return { url, status, statusText, text: await response.text() };
  } catch (error) {
    throw brokenOff(error);
  }
}

function read({ text, ...answer }: Answer): unknown {
  const body = parse(text);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess) return answer.status === 204 ? undefined : toCamelCase(body);
  throw new ApiError({ ...answer, body });
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

function urlOf(endpoint: Endpoint, { params, query }: LooseRequest): string {
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
