import { Resolver } from 'node:dns/promises';

import type { NoAnswerCause } from '../../../../domain/einvoice/einvoice.schema.ts';
import { Turns } from '../../../platform/db/turns.ts';
import { unlessAborted } from '../../../platform/limits/unless-aborted.ts';
import { guardedFetch, type Wire } from './guarded-fetch.ts';
import {
  DOCUMENT_TYPES,
  organisationName,
  participantOf,
  type PeppolType,
  PROCESS,
  TRANSPORT,
} from './participant.ts';
import { readXml, type XmlElement } from '../../../platform/xml/xml-reader.ts';

/** Whether an organisation can receive a document. Unknown is not no: it is looked up again. */
export type Reachability =
  | (Asked & { readonly kind: 'reachable' | 'not-registered' | 'format-unsupported' })
  | (Asked & {
      readonly kind: 'unknown';
      readonly cause: NoAnswerCause;
      /** For the log. */
      readonly reason: string;
    });

interface Asked {
  /** The host of the publisher that a record named; after a redirect the second one. */
  readonly publisher: string | null;
}

/** For whom the network is asked. */
interface Asking {
  /** Their questions wait for each other, and for nobody else's. */
  readonly whose?: number;
  /** Aborted when the answer is not waited for any more; the answer is then unknown. */
  readonly signal?: AbortSignal;
}

/** Asks the network. */
export type Lookup = (
  orgNumber: string,
  type: PeppolType,
  asking?: Asking,
) => Promise<Reachability>;

interface Options {
  /** The zone of the Service Metadata Locator. */
  readonly zone: string;
  /** `ip:port` of a name server; null for the machine's own. */
  readonly nameServer: string | null;
  readonly wire?: Wire | undefined;
  readonly now?: () => Date;
  /** Time limit of each of two tries at a name server (milliseconds). */
  readonly dnsTimeout?: number;
  /** Time limit of a publisher (milliseconds). */
  readonly timeLimit?: number;
}

const DNS_TIMEOUT = 2500;
/** The codes of name servers for a missing name (c-ares). Every other code is no answer. */
const NOT_THERE: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
const OUT_OF_TIME: ReadonlySet<unknown> = new Set(['ETIMEOUT', 'ETIMEDOUT']);

/** Questions that wait for an answer at once: of the process, and of one asker at one host, which may hang. */
const PLACES = 256;
const PLACES_AT_HOST = 16;

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

  const turns = new Turns<string>({ places: PLACES, most: () => PLACES_AT_HOST });

  /** The answer at this address, once this asker has a place at its host. */
  const fetchAt = async (url: string, { whose, signal }: Asking) => {
    const fetching = { resolver, wire, signal, ...(timeLimit !== undefined && { timeLimit }) };
    const turn = `${whose} ${hostOf(url)}`;
    return turns.run(turn, async () => guardedFetch(url, fetching), { signal });
  };

  return async (orgNumber, type, asking = {}) => {
    const { whose, signal = new AbortController().signal } = asking;
    let publisher: string | null = null;
    try {
      const name = organisationName(orgNumber, zone);
      const find = async () => unlessAborted(findPublisher(resolver, name), signal);
      const found = await turns.run(`${whose}`, find, { signal });
      if (found === null) return { kind: 'not-registered', publisher };
      let url = serviceUrl(found, orgNumber, type);
      for (let isSecond = false; ; isSecond = true) {
        publisher = hostOf(url);
        const { status, body } = await fetchAt(url, asking);
        if (status === 404) return { kind: 'format-unsupported', publisher };
        if (status !== 200) throw new Error(`${publisher} answered ${status}`);
        const answer = readServiceMetadata(body, { orgNumber, type, now: now() });
        if (answer.kind !== 'elsewhere') return { kind: answer.kind, publisher };
        if (isSecond) throw new Error(`${publisher} leads to a third publisher`);
        ({ url } = answer);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: 'unknown', publisher, cause: causeOf(error), reason };
    }
  };
}

function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname ?? null;
}

function causeOf(error: unknown): NoAnswerCause {
  const { name, code, syscall } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError' || name === 'AbortError' || OUT_OF_TIME.has(code)) return 'TIMEOUT';
  // The calls of c-ares are named 'queryNaptr' and the like.
  return syscall?.startsWith('query') ? 'DNS' : 'PUBLISHER';
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

/** The namespace of Peppol's Service Metadata Publishers. */
const SMP = 'http://busdox.org/serviceMetadata/publishing/1.0/';
const IDENTIFIERS = 'http://busdox.org/transport/identifiers/1.0/';

/** A publisher's answer about a participant and a document type. */
type ServiceAnswer =
  | { readonly kind: 'reachable' }
  | { readonly kind: 'format-unsupported' }
  | { readonly kind: 'elsewhere'; readonly url: string };

interface Endpoint {
  readonly process: string;
  readonly transport: string;
  readonly from: string | null;
  readonly to: string | null;
}

interface Metadata {
  participant: string | null;
  documentType: string | null;
  redirect: string | null;
  endpoints: Endpoint[];
}

/**
 * Reads a SignedServiceMetadata (OpenPeppol SMP 1.4.0). The signature is not verified: nothing is sent to the found
 * address, since the access point makes its own look-up.
 *
 * @throws Error when the answer cannot be read, or is about something else
 */
function readServiceMetadata(
  xml: string,
  { orgNumber, type, now }: { orgNumber: string; type: PeppolType; now: Date },
): ServiceAnswer {
  const found = parse(xml);
  if (found.redirect !== null) return { kind: 'elsewhere', url: found.redirect };
  if (found.participant?.toLowerCase() !== participantOf(orgNumber)) {
    throw new Error('The answer is about another participant');
  }
  if (found.documentType !== DOCUMENT_TYPES[type]) {
    throw new Error('The answer is about another document type');
  }
  const isReachable = found.endpoints.some(
    ({ process, transport, from, to }) =>
      process === PROCESS &&
      transport === TRANSPORT &&
      (from === null || new Date(from) <= now) &&
      (to === null || now < new Date(to)),
  );
  return { kind: isReachable ? 'reachable' : 'format-unsupported' };
}

function parse(xml: string): Metadata {
  const found: Metadata = { participant: null, documentType: null, redirect: null, endpoints: [] };
  let process = '';
  let from: string | null = null;
  let to: string | null = null;
  let root = '';
  const take = ({ path, uri, name, attributes, text }: XmlElement) => {
    root = path.length === 1 ? uri + name : root;
    if (uri !== SMP && uri !== IDENTIFIERS) return;
    const identifier = `${attributes['scheme'] ?? ''}::${text}`;
    if (name === 'Redirect') found.redirect = attributes['href'] ?? '';
    else if (name === 'ParticipantIdentifier') found.participant = identifier;
    else if (name === 'DocumentIdentifier') found.documentType = identifier;
    else if (name === 'ProcessIdentifier') process = identifier;
    else if (name === 'ServiceActivationDate') from = text;
    else if (name === 'ServiceExpirationDate') to = text;
    else if (name === 'Endpoint') {
      found.endpoints.push({ process, transport: attributes['transportProfile'] ?? '', from, to });
      from = null;
      to = null;
    }
  };
  try {
    readXml(xml, take);
  } catch (error) {
    throw new Error('The answer cannot be read', { cause: error });
  }
  if (root !== `${SMP}SignedServiceMetadata`) {
    throw new Error('The answer is no SignedServiceMetadata');
  }
  return found;
}
