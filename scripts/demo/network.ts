import { organisationName } from '../../server/delivery/carriers/ehf/participant.ts';
import type { Wire } from '../../server/delivery/carriers/ehf/guarded-fetch.ts';
import { startFakeDns } from '../../server/testing/peppol/fake-dns.ts';
import { startFakePhossAp } from '../../server/testing/peppol/fake-phoss-ap.ts';
import { startFakeSmp } from '../../server/testing/peppol/fake-smp.ts';
import { CUSTOMERS } from './company.ts';

const ZONE = 'sml.test';
/** Never called: the publisher on this machine answers in its place. */
const PUBLIC_ADDRESS = '93.184.215.14';

/** An EHF network on this machine, in which the demo's customers are looked up. */
export interface DemoNetwork {
  readonly settings: NodeJS.ProcessEnv;
  readonly wire: Wire;
  close(): Promise<void>;
}

/** Opens it: the first business receives EHF, the last one's answer is lost, and the others do not receive it. */
export async function openDemoNetwork(): Promise<DemoNetwork> {
  const [dns, smp, point] = await Promise.all([startFakeDns(), startFakeSmp(), startFakePhossAp()]);
  const businesses = CUSTOMERS.flatMap((customer) =>
    'orgNumber' in customer ? [customer.orgNumber] : [],
  );
  const [first = '', last = ''] = [businesses[0], businesses.at(-1)];
  dns.names.set('smp.test', { addresses: [PUBLIC_ADDRESS] });
  dns.names.set(organisationName(first, ZONE), { publisher: 'https://smp.test' });
  dns.names.set(organisationName(last, ZONE), 'SERVFAIL');
  smp.receives.set(first, ['INVOICE', 'CREDIT_NOTE']);
  return {
    settings: {
      ACCESS_POINT: 'phoss-ap',
      ACCESS_POINT_URL: point.url,
      ACCESS_POINT_TOKEN: point.token,
      // The name alone: an answer of the test network would prove nothing, and the screens would say so.
      PEPPOL_NETWORK: 'production',
      PEPPOL_SML_ZONE: ZONE,
      PEPPOL_DNS: dns.address,
    },
    wire: smp.wire,
    close: async () => {
      await Promise.all([point.close(), smp.close(), dns.close()]);
    },
  };
}
