import { isIPv6 } from 'node:net';

/** An IPv4-mapped IPv6 address; Node shows IPv4 callers so on a dual-stack socket. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** With the caller's port, which differs for each connection: some proxies write it in X-Forwarded-For. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/;
const GROUPS = 8;
/** RFC 6177: a home gets a /64 or more, and may use another address of it for every request. */
const GROUPS_OF_NETWORK = 4;
/** RFC 6177: a site that needs several networks gets up to a /48. */
const GROUPS_OF_SITE = 3;

/**
 * The unit that a limit counts as one caller: an IPv4 address, or the /64 network of an IPv6 address, since one owner
 * has all its addresses.
 */
export function networkOf(address: string): string {
  return cut(address, GROUPS_OF_NETWORK);
}

/** An IPv4 address, or the /48 of an IPv6 address: all networks that one customer of a provider may have. */
export function siteOf(address: string): string {
  return cut(address, GROUPS_OF_SITE);
}

function cut(written: string, length: number): string {
  const [, before, bracketed] = WITH_PORT.exec(written) ?? [];
  const address = before ?? bracketed ?? written;
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  return `${groupsOf(plain).slice(0, length).join(':')}::/${length * 16}`;
}

function groupsOf(address: string): string[] {
  // A URL normalises an IPv6 address to its one short form, with an IPv4 part as two groups.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = short.split('::');
  const first = before.split(':').filter(Boolean);
  if (after === undefined) return first;
  const last = after.split(':').filter(Boolean);
  const left = GROUPS - first.length - last.length;
  return [...first, ...Array.from({ length: left }, () => '0'), ...last];
}
