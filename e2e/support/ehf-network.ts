import { resolve } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import { organisationName } from '../../server/delivery/carriers/ehf/participant.ts';
import { startFakeDns, type Zone } from '../../server/testing/peppol/fake-dns.ts';
import { startFakePhossAp, type FakePhossAp } from '../../server/testing/peppol/fake-phoss-ap.ts';
import { startFakeSmp } from '../../server/testing/peppol/fake-smp.ts';
import { visit, type VisitOptions } from './browser.ts';
import { stage, type Stage } from './faktur.ts';
import { completeProfile, createAccount } from './person.ts';

const ZONE = 'sml.test';
const CERTIFICATE = resolve(import.meta.dirname, '../../server/testing/certificates/smp.pem');

/** A fake of the EHF network on this machine. */
interface EhfNetwork {
  /** Settings for the product. */
  readonly settings: NodeJS.ProcessEnv;
  readonly point: FakePhossAp;
  /** Lets an organisation receive invoices and credit notes. */
  register(orgNumber: string): void;
  /** Sets the DNS records of an organisation; without a call it has none. */
  say(orgNumber: string, zone: Zone): void;
  close(): Promise<void>;
}

async function openEhfNetwork(): Promise<EhfNetwork> {
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

/** Firms that receive EHF, do not, and about which the network gives no answer. */
export const REACHABLE = { name: 'Nordnes Kaffebar', org_number: '974760673' };
export const UNREACHABLE = { name: 'Vestlandet Vev', org_number: '923609016' };
export const UNKNOWN = { name: 'Ukjente Utgifter', org_number: '984851006' };

interface EhfStage extends Stage {
  network: EhfNetwork;
}

/** A stage whose server sends to a network of its own, with these firms. */
export function ehfStage(features: string): EhfStage {
  const opened: { network?: EhfNetwork } = {};
  beforeAll(async () => {
    const network = await openEhfNetwork();
    network.register(REACHABLE.org_number);
    network.say(UNKNOWN.org_number, 'SERVFAIL');
    Object.assign(here, { network });
    opened.network = network;
  });
  afterAll(async () => opened.network?.close());
  const here = stage(() => ({ ...opened.network?.settings, FEATURES: features }));
  return here as EhfStage;
}

/** A user whose company may send EHF. */
export async function enterAgreed(
  { faktur, browser }: Stage,
  email: string,
  options: VisitOptions = {},
) {
  const { page, complaints } = await visit(browser, faktur.url, options);
  await createAccount(page, faktur, email);
  await completeProfile(page);
  await page.request.post('/api/users/ehf-agreement/');
  await faktur.ask('approveEhf', email);
  return { page, complaints };
}
