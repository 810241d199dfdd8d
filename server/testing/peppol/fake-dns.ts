import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { decode, encode, type Answer, type DecodedPacket } from 'dns-packet';

/** The name server's records under a name; `silence` never answers. */
export type Zone =
  | { readonly publisher: string; readonly regexp?: string }
  | { readonly alias: string }
  | { readonly addresses: readonly string[] }
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence';

export interface FakeDns {
  /** `ip:port`, as PEPPOL_DNS takes it. */
  readonly address: string;
  /** Records by name in lower case. A list gives one answer per query; its last one repeats. */
  readonly names: Map<string, Zone | Zone[]>;
  /** The queried names, one entry for each query. */
  readonly asked: string[];
  close(): Promise<void>;
}

const CODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;
const AUTHORITATIVE = 1 << 10;
const RECURSION = (1 << 8) | (1 << 7);

/** A name server on loopback that answers over UDP (RFC 1035). */
export async function startFakeDns(): Promise<FakeDns> {
  const socket = createSocket('udp4');
  const names: FakeDns['names'] = new Map();
  const asked: string[] = [];
  socket.on('message', (message, from) => {
    const query = decode(message);
    const name = query.questions?.[0]?.name.toLowerCase() ?? '';
    asked.push(name);
    const answer = answerTo(query, name, names);
    if (answer) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    asked,
    close: async () =>
      new Promise((resolve) => {
        socket.close(() => resolve());
      }),
  };
}

function answerTo(query: DecodedPacket, name: string, names: FakeDns['names']): Buffer | null {
  const answers: Answer[] = [];
  const type = query.questions?.[0]?.type ?? 'A';
  let code = 0;
  for (let next: string | null = name; next !== null;) {
    const zone = take(names, next);
    const owner = next;
    next = null;
    if (zone === 'silence') return null;
    if (typeof zone === 'string') code = CODES[zone];
    else if ('alias' in zone) {
      answers.push({ type: 'CNAME', name: owner, ttl: 1, data: zone.alias });
      next = zone.alias;
    } else answers.push(...recordsOf(zone, owner, type));
  }
  return encode({
    type: 'response',
    id: query.id ?? 0,
    flags: AUTHORITATIVE | RECURSION | code,
    questions: query.questions ?? [],
    answers,
  });
}

function take(names: FakeDns['names'], name: string): Zone {
  const found = names.get(name) ?? 'NXDOMAIN';
  if (!Array.isArray(found)) return found;
  return (found.length > 1 ? found.shift() : found[0]) ?? 'NXDOMAIN';
}

function recordsOf(
  zone: { publisher: string; regexp?: string } | { addresses: readonly string[] },
  name: string,
  type: string,
): Answer[] {
  if ('addresses' in zone) {
    return zone.addresses
      .filter((address) => (address.includes(':') ? 'AAAA' : 'A') === type)
      .map((data) => ({ type: type as 'A', name, ttl: 1, data }));
  }
  if (type !== 'NAPTR') return [];
  const regexp = zone.regexp ?? `!.*!${zone.publisher}!`;
  const data = { flags: 'U', services: 'Meta:SMP', regexp, replacement: '.' };
  return [
    // The first record is for another service.
    {
      type: 'NAPTR',
      name,
      ttl: 1,
      data: { ...data, order: 10, preference: 1, services: 'E2U+sip' },
    },
    { type: 'NAPTR', name, ttl: 1, data: { ...data, order: 100, preference: 10 } },
  ];
}
