import {
  DOCUMENT_TYPES,
  PROCESS,
  TRANSPORT,
  participantOf,
  type PeppolType,
} from './participant.ts';
import { readXml, type XmlElement } from './read-xml.ts';

/** The namespace of Peppol's Service Metadata Publishers. */
const SMP = 'http://busdox.org/serviceMetadata/publishing/1.0/';
const IDENTIFIERS = 'http://busdox.org/transport/identifiers/1.0/';

/** A publisher's answer about a participant and a document type. */
export type ServiceAnswer =
  | { readonly kind: 'reachable' }
  | { readonly kind: 'format-unsupported' }
  | { readonly kind: 'elsewhere'; readonly url: string };

/** Thrown when an answer is not what was asked for, or cannot be read. */
class UnreadableMetadata extends Error {
  override readonly name = 'UnreadableMetadata';
}

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
 * Reads a SignedServiceMetadata (OpenPeppol SMP 1.4.0). The signature is not looked at: nothing is sent by
 * what is found here, and the access point looks for itself.
 *
 * @throws UnreadableMetadata
 */
export function readServiceMetadata(
  xml: string,
  { orgNumber, type, now }: { orgNumber: string; type: PeppolType; now: Date },
): ServiceAnswer {
  const found = parse(xml);
  if (found.redirect !== null) return { kind: 'elsewhere', url: found.redirect };
  if (found.participant?.toLowerCase() !== participantOf(orgNumber)) {
    throw new UnreadableMetadata('The answer is about another participant');
  }
  if (found.documentType !== DOCUMENT_TYPES[type]) {
    throw new UnreadableMetadata('The answer is about another document type');
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
    throw new UnreadableMetadata('The answer cannot be read', { cause: error });
  }
  if (root !== `${SMP}SignedServiceMetadata`) {
    throw new UnreadableMetadata('The answer is no SignedServiceMetadata');
  }
  return found;
}
