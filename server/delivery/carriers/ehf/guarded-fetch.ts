import type { Resolver } from 'node:dns/promises';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

import { readAtMost } from '../../../platform/limits/fetch-text.ts';

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
    const place = wire.to ?? (await endAt(signal, findPlace(resolver, wire, target.hostname)));
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
  const addresses = await findAddresses(resolver, hostname);
  const [address] = addresses;
  if (address === undefined) throw new Error(`${hostname} has no address`);
  for (const each of addresses) {
    if (!isPublic(each)) throw new Error(`${hostname} is at ${each}`);
  }
  return wire.connect?.(address) ?? { host: address, port: 443 };
}

async function findAddresses(resolver: Options['resolver'], hostname: string): Promise<string[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal)) return [literal];
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const found = [four, six].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (found.length === 0 && four.status === 'rejected') throw four.reason;
  return found;
}

/** Waits for work until the signal. @throws the signal's reason */
export async function endAt<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const bytes = await readAtMost(response, LARGEST);
  if (bytes === null) throw new Error(`The answer is larger than ${LARGEST} bytes`);
  return bytes.toString('utf8');
}

const RESERVED = new BlockList();
// RFC 6890 and the IANA registries of special-purpose addresses: nothing in them is a public host.
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  RESERVED.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  RESERVED.addSubnet(network, bits, 'ipv6');
}
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6');

/** Whether an address belongs to a host of the public network. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !RESERVED.check(address, 'ipv4');
  return GLOBAL_UNICAST.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}
