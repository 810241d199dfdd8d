import { readAtMost } from '../../../platform/limits/fetch-text.ts';

/** An access point's answer, or the reason why there is none. */
export type Called =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfter: number | null };

const LARGEST = 20 * 1024 * 1024;
const REASON_LENGTH = 500;
/** Unauthorised, payment required, forbidden: said of us and not of a document. */
const OF_US: ReadonlySet<number> = new Set([401, 402, 403]);

/**
 * Calls an access point and sorts its answer: what is about us, what is for later, and what is an answer.
 * Follows no redirect.
 */
export async function callAccessPoint(
  url: string,
  { timeLimit, ...init }: RequestInit & { readonly timeLimit: number },
): Promise<Called> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    });
    const body = await readBody(response);
    const { status } = response;
    const said = `${status} ${textOf(body)}`.trim();
    if (OF_US.has(status)) return { kind: 'blocked', reason: said };
    if (status === 429 || status >= 500 || (status >= 300 && status < 400)) {
      const retryAfter = readRetryAfter(response.headers.get('retry-after'));
      return { kind: 'unknown', reason: said, retryAfter };
    }
    return { kind: 'answer', status, body };
  } catch (error) {
    return { kind: 'unknown', reason: reasonOf(error), retryAfter: null };
  }
}

async function readBody({ body }: Response): Promise<Uint8Array> {
  const bytes = body ? await readAtMost(body, LARGEST) : Buffer.alloc(0);
  if (bytes === null) throw new Error(`The answer is larger than ${LARGEST} bytes`);
  return bytes;
}

/** The beginning of a body as one line, for a log and for a person. */
export function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8').replaceAll(/\s+/g, ' ').trim().slice(0, REASON_LENGTH);
}

/** A body as JSON; undefined when it is none. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Seconds (RFC 9110 § 10.2.3), whether given so or as a date. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
