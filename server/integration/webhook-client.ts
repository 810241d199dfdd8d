import { createHmac } from 'node:crypto';
import { lookup, Resolver } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP } from 'node:net';

import type { AttemptError } from '../../domain/integration/webhook.schema.ts';
import {
  type AddressResolver,
  findPublicAddress,
  isPublic,
  NotPublic,
} from '../platform/limits/public-host.ts';
import { unlessAborted } from '../platform/limits/unless-aborted.ts';

/** For the whole attempt, from the look-up of the name to the head of the answer (milliseconds). */
const TIME_LIMIT = 15_000;
/** How long the beginning of an answer's body may take after its head (milliseconds). */
const BODY_LIMIT = 2000;
/** Bytes of the answer that are kept (INT-24). */
const KEPT_BYTES = 1024;
/** Bytes of the answer's headers. */
const HEADER_BYTES = 16 * 1024;

/** A message as it goes. */
interface Message {
  readonly id: string;
  readonly body: string;
  /** The bytes of the secrets; the message is signed with each. */
  readonly secrets: readonly Uint8Array[];
}

/** The outcome of an attempt. */
export interface Answer {
  readonly status: number | null;
  readonly error: AttemptError | null;
  /** The beginning of the answer's body. */
  readonly response: string;
  /** Seconds that the receiver asks to wait for; null when it does not. */
  readonly retryAfter: number | null;
}

/** Hands over messages. */
export interface WebhookClient {
  /** Never throws: the other side is a stranger. */
  post(url: string, message: Message): Promise<Answer>;
  /** Whether `WEBHOOK_HOSTS` names the host and port of a URL, which may then be private, and over http. */
  isListed(url: URL): boolean;
}

interface Options {
  readonly hosts: readonly string[];
  /** The machine's resolver when absent. */
  readonly resolver?: AddressResolver;
  readonly timeLimit?: number;
  /** Where to connect to instead of an address that was judged, for tests. */
  readonly connect?: (address: string) => Place;
}

interface Place {
  readonly host: string;
  readonly port: string;
}

/** A client for the addresses of strangers, but for the hosts that the operator lists. */
export function createWebhookClient({
  hosts,
  resolver = new Resolver(),
  timeLimit = TIME_LIMIT,
  connect,
}: Options): WebhookClient {
  const isListed = (url: URL) => hosts.includes(`${url.hostname}:${portOf(url)}`);
  const findAddress = async (url: URL) => {
    const name = url.hostname.replace(/^\[|\]$/g, '');
    if (!isListed(url)) return findPublicAddress(resolver, name);
    return isIP(name) ? name : (await lookup(name)).address;
  };
  return {
    isListed,
    async post(text, message) {
      const url = new URL(text);
      const signal = AbortSignal.timeout(timeLimit);
      try {
        const address = await unlessAborted(findAddress(url), signal);
        // The setting may have changed since the address was judged.
        if (url.protocol !== 'https:' && !isListed(url)) return failed('NOT_PUBLIC');
        const place = connect?.(address) ?? { host: address, port: portOf(url) };
        const answer = await send(url, place, message, signal);
        return {
          status: answer.statusCode ?? 0,
          error: null,
          response: await beginningOf(answer),
          retryAfter: readRetryAfter(answer.headers['retry-after']),
        };
      } catch (error) {
        return failed(signal.aborted ? 'TIMEOUT' : errorOf(error));
      }
    },
  };
}

/** Whether a URL names an address that is not of the public network. */
export function namesPrivateAddress(url: URL): boolean {
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(name) !== 0 && !isPublic(name);
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

function failed(error: AttemptError): Answer {
  return { status: null, error, response: '', retryAfter: null };
}

/** Sends a message to a place that was judged; resolves with the head of the answer. */
async function send(
  url: URL,
  place: Place,
  { id, body, secrets }: Message,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const isEncrypted = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (isEncrypted ? overHttps : overHttp)({
      method: 'POST',
      ...place,
      path: url.pathname + url.search,
      ...(isEncrypted && { servername: isIP(url.hostname) ? '' : url.hostname }),
      headers: {
        host: url.host,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Faktur-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': secrets
          .map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
          .join(' '),
      },
      maxHeaderSize: HEADER_BYTES,
      signal,
      agent: false,
    });
    request.on('response', resolve).on('error', reject).end(body);
  });
}

function sign(secret: Uint8Array, text: string): string {
  return `v1,${createHmac('sha256', secret).update(text).digest('base64')}`;
}

/** The first bytes of an answer's body as text. The rest is not read. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => answer.destroy(), BODY_LIMIT);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= KEPT_BYTES) break;
    }
  } catch {
    // The head of the answer counts, also when its body is cut off.
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, KEPT_BYTES));
  // PostgreSQL keeps no NUL in JSON.
  return text.replaceAll('\0', '\uFFFD');
}

/** Seconds of a Retry-After (RFC 9110 § 10.2.3), which may be a date. */
function readRetryAfter(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d+$/.test(value)) return Number(value);
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function errorOf(error: unknown): AttemptError {
  if (error instanceof NotPublic) return 'NOT_PUBLIC';
  const { code = '', syscall = '' } = error as { code?: string; syscall?: string };
  if (syscall.startsWith('query') || syscall === 'getaddrinfo') return 'NO_ADDRESS';
  if (code.startsWith('HPE_')) return 'FAULTY_ANSWER';
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)) return 'CERTIFICATE';
  return 'CONNECTION';
}
