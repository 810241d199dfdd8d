import type { PeppolType } from './participant.ts';
import { readAtMost } from '../../../platform/limits/fetch-text.ts';

/** A document for the network. */
export interface Outgoing {
  /** The delivery's uuid: the same for every attempt, so that none is sent twice. */
  readonly key: string;
  readonly xml: Uint8Array;
  readonly type: PeppolType;
  /** Organisation numbers. */
  readonly sender: string;
  readonly receiver: string;
  /** The sender's name with the provider, where it has one of its own. */
  readonly entity: string | null;
}

/** An access point's answer to a document. */
export type Handover =
  /** It has the document; the status says whether it arrives. */
  | { readonly kind: 'accepted'; readonly reference: string | null }
  /** It refuses this document. Final. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It refuses us: login, quota, sender not set up. The operator must fix it. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** The result is unknown. `retryAfter` in seconds, if the access point gave one. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfter: number | null };

/** The access point's proof of a transmission. */
export interface Evidence {
  /** The AS4 message. */
  readonly messageId: string | null;
  /** The receiving access point. */
  readonly receivedBy: string | null;
  /** The transmitted document, if the access point generated it; null when it sends our bytes. */
  readonly transmitted: Uint8Array | null;
}

/** The state of a document's transmission. */
export type TransmissionStatus =
  /** The access point does not know it. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'underway' }
  /** The receiver's access point has confirmed it. */
  | {
      readonly kind: 'delivered';
      /** Fetches the proof and the transmitted document; null when it is not available now. */
      readonly fetchEvidence: () => Promise<Evidence | null>;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfter: number | null };

/** An event reported by an access point. It is stored, and read when the status is asked for. */
export interface NetworkEvent {
  /** Its unique id, by which a repeated event is recognised. */
  readonly id: string;
  readonly key: string | null;
  readonly reference: string | null;
  readonly name: string;
  readonly details: string;
  /** Tells the access point that the event is stored. */
  acknowledge(): Promise<void>;
}

/** The operator's connection to the network. It makes envelopes, finds receivers and transmits. One document has one key. */
export interface AccessPoint {
  /** The name of its kind, as in ACCESS_POINT. */
  readonly name: string;
  /** Whether it transmits a document only once when it is sent twice with the same key. */
  readonly knowsKeys: boolean;
  /** Time limit of a try (milliseconds). */
  readonly timeLimit: number;
  send(document: Outgoing): Promise<Handover>;
  status(sent: {
    readonly key: string;
    readonly reference: string | null;
  }): Promise<TransmissionStatus>;
  /** The next event, or null; absent when it reports none. */
  nextEvent?(): Promise<NetworkEvent | null>;
}

/** An access point's answer, or the reason why there is none. */
export type Called =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly retryAfter: number | null };

const LARGEST = 20 * 1024 * 1024;
const REASON_LENGTH = 500;
/** Unauthorised, payment required, forbidden: about us, not about a document. */
const OF_US: ReadonlySet<number> = new Set([401, 402, 403]);

/** Calls an access point and classifies the result. Follows no redirect. */
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
