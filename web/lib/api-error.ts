import { errorBody, type ErrorDetail } from '../../domain/api/error.ts';

/** Toast titles for failed calls, by HTTP status (WEB-12). */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** Status texts of the API's other statuses: HTTP/2 responses carry none, and proxies have their own. */
const OTHER_STATUS_TEXTS: Readonly<Record<number, string>> = {
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
};

/** A response whose status is not 2xx. */
export class ApiError extends Error {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  /** The parsed JSON of the response, or its text when it is not JSON. */
  readonly body: unknown;

  constructor(response: { url: string; status: number; statusText: string; body: unknown }) {
    const known = STATUS_TEXTS[response.status];
    const statusText = known ?? OTHER_STATUS_TEXTS[response.status] ?? response.statusText;
    super(known ?? `${response.status} ${statusText}: ${JSON.stringify(response.body)}`);
    this.name = 'ApiError';
    this.url = response.url;
    this.status = response.status;
    this.statusText = statusText;
    this.body = response.body;
  }

  /** The error details in the body; empty when the body is not in the API's format. */
  get detail(): readonly ErrorDetail[] {
    const parsed = errorBody.safeParse(this.body);
    return parsed.success ? parsed.data.detail : [];
  }
}

/** The client cancelled the call: the screen was left, or a newer search replaced it. */
export class RequestAborted extends Error {
  constructor() {
    super('Request aborted');
    this.name = 'RequestAborted';
  }
}

/** No response arrived. The server may or may not have received the call. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('Får ikke kontakt med Faktur', { cause });
    this.name = 'ConnectionLost';
  }
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

/** Whether the server may have made the change although its answer was lost, by the connection or by a proxy. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ConnectionLost || hasStatus(error, 502) || hasStatus(error, 504);
}

/** The reasons of a refusal; undefined where the server has not judged the request. */
export function reasonsOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiError) || error.status >= 500) return undefined;
  return error.detail.map(({ message }) => message).join(' ') || undefined;
}

/** Whether a change was refused because somebody else has saved a newer version. */
export function isChangedMeanwhile(error: unknown): boolean {
  const detail = error instanceof ApiError && error.status === 409 ? error.detail : [];
  return detail.some(({ field }) => field === 'version');
}
