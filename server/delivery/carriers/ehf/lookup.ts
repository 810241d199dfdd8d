import { Resolver } from 'node:dns/promises';

import { guardedFetch, type Wire } from './guarded-fetch.ts';
import { DOCUMENT_TYPES, organisationName, participantOf, type PeppolType } from './participant.ts';
import { readServiceMetadata } from './service-metadata.ts';

/** Whether an organisation can be sent a document. Unknown is never no: it is asked again. */
export type Reachability =
  | { readonly kind: 'reachable' }
  | { readonly kind: 'not-registered' }
  | { readonly kind: 'format-unsupported' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Asks the network itself. */
export type Lookup = (orgNumber: string, type: PeppolType) => Promise<Reachability>;

interface Options {
  /** The zone of the Service Metadata Locator. */
  readonly zone: string;
  /** `ip:port` of a name server; null for those of the machine. */
  readonly nameServer: string | null;
  readonly wire?: Wire | undefined;
  readonly now?: () => Date;
  /** How long a name server is waited for (milliseconds), twice. */
  readonly dnsTimeout?: number;
  /** How long a publisher is waited for (milliseconds). */
  readonly timeLimit?: number;
}

const DNS_TIMEOUT = 2500;
/** The codes of name servers for a missing name (c-ares). Every other code is no answer. */
const NOT_THERE: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks participants up: a name in DNS leads to their metadata publisher, which is asked over https (EHF-9). */
export function createLookup({
  zone,
  nameServer,
  wire,
  now = () => new Date(),
  dnsTimeout = DNS_TIMEOUT,
  timeLimit,
}: Options): Lookup {
  const resolver = new Resolver({ timeout: dnsTimeout, tries: 2 });
  if (nameServer !== null) resolver.setServers([nameServer]);

  const ask = async (
    publisher: string,
    orgNumber: string,
    type: PeppolType,
    isSecond = false,
  ): Promise<Reachability> => {
    const url = isSecond ? publisher : serviceUrl(publisher, orgNumber, type);
    const { status, body } = await guardedFetch(url, {
      resolver,
      wire,
      ...(timeLimit !== undefined && { timeLimit }),
    });
    if (status === 404) return { kind: 'format-unsupported' };
    if (status !== 200) throw new Error(`${new URL(url).host} answered ${status}`);
    const answer = readServiceMetadata(body, { orgNumber, type, now: now() });
    if (answer.kind !== 'elsewhere') return answer;
    if (isSecond) throw new Error(`${new URL(url).host} leads to a third publisher`);
    return ask(answer.url, orgNumber, type, true);
  };

  return async (orgNumber, type) => {
    try {
      const publisher = await findPublisher(resolver, organisationName(orgNumber, zone));
      return publisher === null
        ? { kind: 'not-registered' }
        : await ask(publisher, orgNumber, type);
    } catch (error) {
      return { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** The publisher that a NAPTR record names (U-NAPTR, RFC 4848); null when there is none. */
async function findPublisher(resolver: Resolver, name: string): Promise<string | null> {
  try {
    const records = await resolver.resolveNaptr(name);
    const [best] = records
      .filter(({ flags, service }) => flags.toUpperCase() === 'U' && service === 'Meta:SMP')
      .toSorted((one, other) => one.order - other.order || one.preference - other.preference);
    return best ? readPattern(best.regexp) : null;
  } catch (error) {
    if (NOT_THERE.has((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

/** The address in `!.*!https://smp.example!`. @throws Error for any other pattern than the whole name */
function readPattern(regexp: string): string {
  const [pattern, url] = regexp.slice(1).split(regexp.charAt(0));
  if ((pattern !== '.*' && pattern !== '^.*$') || !url) {
    throw new Error(`The record cannot be read: ${regexp}`);
  }
  return url;
}

function serviceUrl(publisher: string, orgNumber: string, type: PeppolType): string {
  const participant = encodeURIComponent(participantOf(orgNumber));
  const documentType = encodeURIComponent(DOCUMENT_TYPES[type]);
  return `${publisher.replace(/\/+$/, '')}/${participant}/services/${documentType}`;
}
