import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  DOCUMENT_TYPES,
  PROCESS,
  TRANSPORT,
  participantOf,
} from '../../delivery/carriers/ehf/participant.ts';
import type { PeppolType } from '../../delivery/carriers/ehf/participant.ts';
import type { Wire } from '../../delivery/carriers/ehf/guarded-fetch.ts';
import { smpCertificate } from '../certificates.ts';

type Play = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeSmp {
  /** A transport that routes every public address to this server. */
  readonly wire: Wire;
  /** Host and decoded path of each request. */
  readonly asked: string[];
  /** Replaces the response; null for the usual one. */
  play: Play | null;
  /** Organisations and what they receive. */
  readonly receives: Map<string, readonly PeppolType[]>;
  close(): Promise<void>;
}

/** A metadata publisher over TLS on loopback that answers as Peppol SMP 1.4.0 specifies. */
export async function startFakeSmp(): Promise<FakeSmp> {
  const asked: string[] = [];
  const receives: FakeSmp['receives'] = new Map();
  const server = createServer(smpCertificate, (request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(`${request.headers.host}${path}`);
    if (fake.play) fake.play(request, response);
    else answer(path, receives, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: FakeSmp = {
    wire: { ca: smpCertificate.cert, connect: () => ({ host: '127.0.0.1', port }) },
    asked,
    play: null,
    receives,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return fake;
}

function answer(path: string, receives: FakeSmp['receives'], response: ServerResponse): void {
  for (const [orgNumber, types] of receives) {
    for (const type of types) {
      if (path === `/${participantOf(orgNumber)}/services/${DOCUMENT_TYPES[type]}`) {
        response.writeHead(200, { 'content-type': 'text/xml' }).end(metadata({ orgNumber, type }));
        return;
      }
    }
  }
  response.writeHead(404).end('not found');
}

interface Contents {
  readonly orgNumber: string;
  readonly type: PeppolType;
  readonly process?: string;
  readonly transport?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A SignedServiceMetadata without a signature, which the product does not check. */
export function metadata({
  orgNumber,
  type,
  process = PROCESS,
  transport = TRANSPORT,
  from = '2020-01-01T00:00:00Z',
  to = '2099-01-01T00:00:00Z',
}: Contents): string {
  const identifier = (name: string, value: string) => {
    const [scheme, ...rest] = value.split('::');
    return `<id:${name} scheme="${scheme}">${rest.join('::')}</id:${name}>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>
<smp:SignedServiceMetadata xmlns:smp="http://busdox.org/serviceMetadata/publishing/1.0/"
  xmlns:id="http://busdox.org/transport/identifiers/1.0/">
<smp:ServiceMetadata><smp:ServiceInformation>
${identifier('ParticipantIdentifier', participantOf(orgNumber))}
${identifier('DocumentIdentifier', DOCUMENT_TYPES[type])}
<smp:ProcessList><smp:Process>${identifier('ProcessIdentifier', process)}
<smp:ServiceEndpointList><smp:Endpoint transportProfile="${transport}">
<EndpointReference xmlns="http://www.w3.org/2005/08/addressing"><Address>https://ap.test/as4</Address></EndpointReference>
<smp:ServiceActivationDate>${from}</smp:ServiceActivationDate>
<smp:ServiceExpirationDate>${to}</smp:ServiceExpirationDate>
<smp:Certificate>MIIB</smp:Certificate>
</smp:Endpoint></smp:ServiceEndpointList></smp:Process></smp:ProcessList>
</smp:ServiceInformation></smp:ServiceMetadata></smp:SignedServiceMetadata>`;
}

/** A SignedServiceMetadata that redirects to another publisher. */
export function redirect(url: string): string {
  return `<SignedServiceMetadata xmlns="http://busdox.org/serviceMetadata/publishing/1.0/">
<ServiceMetadata><Redirect href="${url}"><CertificateUID>CN=SMP</CertificateUID></Redirect></ServiceMetadata>
</SignedServiceMetadata>`;
}
