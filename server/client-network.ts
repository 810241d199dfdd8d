import { isIPv6 } from 'node:net';

/** An IPv4-mapped IPv6 address, as Node shows IPv4 callers on a socket for both. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
/** RFC 6177: a home gets a /64 or more, and may take any address in it for every request. */
const GROUPS_OF_NETWORK = 4;

/**
 * What a limit counts as one caller: an IPv4 address, or the /64 network of an IPv6 address, whose owner
 * has all addresses in it.
 */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  return `${groupsOf(plain).slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}

function groupsOf(address: string): string[] {
  // A URL writes an address in its one short form, with an IPv4 part as two groups like any other.
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = short.split('::');
  const first = before.split(':').filter(Boolean);
  if (after === undefined) return first;
  const last = after.split(':').filter(Boolean);
  const left = GROUPS - first.length - last.length;
  return [...first, ...Array.from({ length: left }, () => '0'), ...last];
}
