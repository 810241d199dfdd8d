import { BlockList, isIP } from 'node:net';

/** Looks up the addresses of a name. */
export interface AddressResolver {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

/** The host's address is not of the public network. */
export class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

/**
 * The addresses of a host that a stranger named, all of them public (OWASP, server-side request forgery). Connect to one
 * of them: a second look-up of the name may say something else.
 *
 * @throws NotPublic, or the resolver's error
 */
export async function findPublicAddress(
  resolver: AddressResolver,
  hostname: string,
): Promise<string> {
  const addresses = await findAddresses(resolver, hostname);
  const [address] = addresses;
  if (address === undefined) throw new Error(`${hostname} has no address`);
  for (const each of addresses) {
    if (!isPublic(each)) throw new NotPublic(`${hostname} is at ${each}`);
  }
  return address;
}

async function findAddresses(resolver: AddressResolver, hostname: string): Promise<string[]> {
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
