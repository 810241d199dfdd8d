import { toCamelCase, toSnakeCase, toSnakeKey } from '../../domain/api/case.ts';
import type { Endpoint, RequestOf, ResponseOf } from '../../domain/api/endpoint.ts';
import { ApiError, ConnectionLost, RequestAborted } from './api-error.ts';

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>;

interface LooseRequest {
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
  // An empty response of an endpoint with a response schema is null.
  return (read(await answerOf(response)) ?? (endpoint.response && null)) as ResponseOf<E>;
}

export interface Sending {
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file's bytes unchanged.
 *
 * @returns the response, and whether the file is new to the server (status 201)
 * @throws the same errors as `call`
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  request: Pick<RequestOf<E>, ('params' | 'query') & keyof RequestOf<E>>,
  file: Blob,
  sending: Partial<Sending> = {},
): Promise<{ answer: ResponseOf<E>; isNew: boolean }> {
  const answer = await sendWithProgress(endpoint, request, file, sending);
  return { answer: read(answer) as ResponseOf<E>, isNew: answer.status === 201 };
}

/** The same as `call`, with upload progress, for large bodies. */
export async function callWithProgress<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  sending: Sending,
): Promise<ResponseOf<E>> {
  const { body, ...address } = request as LooseRequest;
  const json = new Blob([JSON.stringify(toSnakeCase(body))], { type: 'application/json' });
  return read(await sendWithProgress(endpoint, address, json, sending)) as ResponseOf<E>;
}

/** Uses XMLHttpRequest because fetch does not report upload progress. */
async function sendWithProgress(
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
  // Error messages are shown on the screen, which is Norwegian in every browser language.
  'accept-language': 'nb',
} as const;

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw connectionError(error);
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
    throw connectionError(error);
  }
}

function read({ text, ...answer }: Answer): unknown {
  const body = parse(text);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  if (isSuccess) return answer.status === 204 ? undefined : toCamelCase(body);
  throw new ApiError({ ...answer, body });
}

function connectionError(error: unknown): Error {
  const aborted = error instanceof DOMException && error.name === 'AbortError';
  return aborted ? new RequestAborted() : new ConnectionLost(error);
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
