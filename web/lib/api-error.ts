import { errorBody, type ErrorDetail } from '../../domain/api/error.ts';

/** Titles of the toast of a call that failed (WEB-12). */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** Other statuses of the API. Over HTTP/2 an answer has no status text of its own. */
const OTHER_STATUS_TEXTS: Readonly<Record<number, string>> = {
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
};

interface FailedResponse {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly body: unknown;
}

/** An answer that is not a success. */
export class ApiError extends Error {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  /** The parsed JSON of the answer, or its text where it was not JSON. */
  readonly body: unknown;

  constructor(response: FailedResponse) {
    const known = STATUS_TEXTS[response.status];
    const statusText = known ?? (response.statusText || OTHER_STATUS_TEXTS[response.status] || '');
    super(known ?? `${response.status} ${statusText}: ${JSON.stringify(response.body)}`);
    this.name = 'ApiError';
    this.url = response.url;
    this.status = response.status;
    this.statusText = statusText;
    this.body = response.body;
  }

  /** The reasons in the body, or none when the body is not the API's own. */
  get detail(): readonly ErrorDetail[] {
    const parsed = errorBody.safeParse(this.body);
    return parsed.success ? parsed.data.detail : [];
  }
}

/** We cancelled the call: the screen was left, or a newer search replaced it. */
export class RequestAborted extends Error {
  constructor() {
    super('Request aborted');
    this.name = 'RequestAborted';
  }
}

/** The server could not be reached, so it is not known whether it got the call. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('Får ikke kontakt med Faktur', { cause });
    this.name = 'ConnectionLost';
  }
}

/** Whether an error is an answer with the given status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

/** Whether a change was refused because somebody else has saved a newer version. */
export function isChangedMeanwhile(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 409 &&
    error.detail.some(({ field }) => field === 'version')
  );
}
