import type { Resolver } from 'node:dns/promises';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import { readAtMost } from '../../../platform/limits/fetch-text.ts';
import { findPublicAddress } from '../../../platform/limits/public-host.ts';
import { unlessAborted } from '../../../platform/limits/unless-aborted.ts';

const TIME_LIMIT = 10_000;
const LARGEST = 1024 * 1024;

/** A host's answer. */
export interface Fetched {
  readonly status: number;
  readonly body: string;
}

/** The actual connection of a request, for tests. */
export interface Wire {
  /** Answers in place of every host, whose name is then not resolved. */
  readonly to?: { readonly host: string; readonly port: number };
  readonly ca?: string;
  /** The address and port to connect to instead. */
  readonly connect?: (address: string) => { readonly host: string; readonly port: number };
}

interface Options {
  readonly resolver: Pick<Resolver, 'resolve4' | 'resolve6'>;
  readonly wire?: Wire | undefined;
  /** For the whole request (milliseconds). */
  readonly timeLimit?: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches from a host named by a stranger, with OWASP's guards against server-side request forgery: https on port 443, a
 * public address, no second look-up between check and connection, no redirect, ten seconds, one megabyte.
 *
 * @throws Error when the address is not allowed, or the error of the network; a TimeoutError when it took too long
 */
export async function guardedFetch(
  url: string,
  { resolver, wire = {}, timeLimit = TIME_LIMIT, signal: outer }: Options,
): Promise<Fetched> {
  const target = checkUrl(url);
  const limit = AbortSignal.timeout(timeLimit);
  const signal = outer ? AbortSignal.any([limit, outer]) : limit;
  try {
    const place =
      wire.to ?? (await unlessAborted(findPlace(resolver, wire, target.hostname), signal));
    return await get(target, { ...place, ca: wire.ca, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

interface Place {
  readonly host: string;
  readonly port: number;
}

async function get(
  target: URL,
  {
    host,
    port,
    ca,
    signal,
  }: Place & { readonly ca: string | undefined; readonly signal: AbortSignal },
): Promise<Fetched> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      host,
      port,
      servername: isIP(target.hostname) ? '' : target.hostname,
      path: target.pathname + target.search,
      headers: { host: target.host, accept: 'application/xml, text/xml', 'user-agent': 'Faktur' },
      signal,
      agent: false,
      ...(ca && { ca }),
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
  return { status: response.statusCode ?? 0, body: await readBody(response) };
}

function checkUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (!parsed) throw new Error(`${url} is no address`);
  if (parsed.protocol !== 'https:') throw new Error(`${url} is not https`);
  if (parsed.port !== '') throw new Error(`${url} is not on port 443`);
  if (parsed.username + parsed.password !== '') throw new Error(`${url} has a user`);
  return parsed;
}

/** The public address of a host. */
async function findPlace(
  resolver: Options['resolver'],
  wire: Wire,
  hostname: string,
): Promise<Place> {
  const address = await findPublicAddress(resolver, hostname);
  return wire.connect?.(address) ?? { host: address, port: 443 };
}

async function readBody(response: IncomingMessage): Promise<string> {
  const bytes = await readAtMost(response, LARGEST);
  if (bytes === null) throw new Error(`The answer is larger than ${LARGEST} bytes`);
  return bytes.toString('utf8');
}
