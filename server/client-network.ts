import { isIPv6 } from 'node:net';

/** An IPv4 address in the clothes of IPv6, as Node shows it on a socket that takes both. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
/** RFC 6177: a home gets a /64 or more, and may take any address in it for every request. */
const GROUPS_OF_NETWORK = 4;

/**
 * What a limit counts for one caller: the address of IPv4, and the /64 network of IPv6, within which
 * whoever has one address has them all.
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
