import { resolve } from 'node:path';

import { organisationName } from '../../server/delivery/carriers/ehf/participant.ts';
import { startFakeDns, type Zone } from '../../server/testing/peppol/fake-dns.ts';
import { startFakePhossAp, type FakePhossAp } from '../../server/testing/peppol/fake-phoss-ap.ts';
import { startFakeSmp } from '../../server/testing/peppol/fake-smp.ts';

const ZONE = 'sml.test';
const CERTIFICATE = resolve(import.meta.dirname, '../../server/testing/certificates/smp.pem');

/** A fake of the EHF network on this machine. */
export interface EhfNetwork {
  /** Settings for the product. */
  readonly settings: NodeJS.ProcessEnv;
  readonly point: FakePhossAp;
  /** Lets an organisation receive invoices and credit notes. */
  register(orgNumber: string): void;
  /** Sets the DNS records of an organisation; without a call it has none. */
  say(orgNumber: string, zone: Zone): void;
  close(): Promise<void>;
}

export async function openEhfNetwork(): Promise<EhfNetwork> {
  const [dns, smp, point] = await Promise.all([startFakeDns(), startFakeSmp(), startFakePhossAp()]);
  const say = (orgNumber: string, zone: Zone) =>
    dns.names.set(organisationName(orgNumber, ZONE), zone);
  const publisher = smp.wire.connect?.('smp.test');
  return {
    settings: {
      ACCESS_POINT: 'phoss-ap',
      ACCESS_POINT_URL: point.url,
      ACCESS_POINT_TOKEN: point.token,
      PEPPOL_SML_ZONE: ZONE,
      PEPPOL_DNS: dns.address,
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
      PEPPOL_SMP: `127.0.0.1:${publisher?.port}`,
    },
    point,
    say,
    register: (orgNumber) => {
      say(orgNumber, { publisher: 'https://smp.test' });
      smp.receives.set(orgNumber, ['INVOICE', 'CREDIT_NOTE']);
    },
    close: async () => {
      await Promise.all([point.close(), smp.close(), dns.close()]);
    },
  };
}
