import { sql } from 'kysely';

import { organisationName } from '../../delivery/carriers/ehf/participant.ts';
import { approveAgreement } from '../../delivery/carriers/ehf/ehf-agreement.service.ts';
import type { Db } from '../../platform/db/database.ts';
import { startTestApp, type TestApp } from '../app.ts';
import type { TestClient } from '../client.ts';
import { companyIdOf } from '../company.ts';
import { completeProfile, createCustomer, createDraft } from '../factories.ts';
import { startMailServer, type MailServer } from '../smtp-server.ts';
import { startFakeDns, type FakeDns, type Zone } from './fake-dns.ts';
import { startFakePhossAp, type FakePhossAp } from './fake-phoss-ap.ts';
import { startFakeSmp, type FakeSmp } from './fake-smp.ts';
import { startFakeStorecove, type FakeStorecove } from './fake-storecove.ts';

export const RECEIVER = '974760673';
export const METRICS_TOKEN = 'hemmelig';
const ZONE = 'sml.test';

/** The product with EHF on, and the network around it. */
export interface EhfWorld<Point> {
  readonly testApp: TestApp;
  readonly client: TestClient;
  readonly point: Point;
  readonly dns: FakeDns;
  readonly smp: FakeSmp;
  readonly smtp: MailServer;
  /** Sets the DNS records of an organisation. */
  say(orgNumber: string, zone: Zone): void;
  /** Creates a draft with EHF delivery. Returns its uuid. */
  draft(orgNumber?: string, changes?: object): Promise<string>;
  /** The API's response for an invoice. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the type of the client's answers
  invoice(uuid: string): Promise<any>;
  /** Moves deliveries and their jobs forward by a number of hours. */
  pass(hours: number): Promise<void>;
  close(): Promise<void>;
}

interface Points {
  'phoss-ap': FakePhossAp;
  storecove: FakeStorecove;
}

/** Starts it with a company that may send EHF, and a receiver that accepts everything. */
export async function startEhfWorld<Kind extends keyof Points>(
  kind: Kind,
  email = 'ehf@example.no',
  more: NodeJS.ProcessEnv = {},
): Promise<EhfWorld<Points[Kind]>> {
  const dns = await startFakeDns();
  const smp = await startFakeSmp();
  const smtp = await startMailServer();
  const point = (await (kind === 'storecove'
    ? startFakeStorecove()
    : startFakePhossAp())) as Points[Kind];
  const settings = { ...settingsOf(kind, point), PEPPOL_DNS: dns.address, SMTP_URL: smtp.url };
  const testApp = await startTestApp({ ...settings, ...more }, { peppolWire: smp.wire });
  const { db } = testApp.context;
  const say = (orgNumber: string, zone: Zone) =>
    dns.names.set(organisationName(orgNumber, ZONE), zone);
  dns.names.set('smp.test', { addresses: ['93.184.215.14'] });
  say(RECEIVER, { publisher: 'https://smp.test' });
  smp.receives.set(RECEIVER, ['INVOICE', 'CREDIT_NOTE']);
  const client = await testApp.login(email);
  await completeProfile(client);
  await client.post('/api/users/ehf-agreement/');
  await approveAgreement(db, await companyIdOf(db, email), kind === 'storecove' ? '4711' : null);
  return {
    testApp,
    client,
    point,
    dns,
    smp,
    smtp,
    say,
    draft: async (orgNumber = RECEIVER, changes = {}) => {
      const customer = await createCustomer(client, { org_number: orgNumber });
      return createDraft(client, customer, { delivery_type: 'EHF', ...changes });
    },
    // oxlint-disable-next-line typescript/no-unsafe-return -- the type of the client's answers
    invoice: async (uuid) => (await client.get(`/api/invoices/${uuid}/`)).body,
    pass: async (hours) => passTime(db, hours),
    close: async () => {
      await testApp.close();
      await Promise.all([point.close(), smtp.close(), smp.close(), dns.close()]);
    },
  };
}

function settingsOf(kind: keyof Points, { url, token }: Points[keyof Points]) {
  return {
    ACCESS_POINT: kind,
    ACCESS_POINT_URL: url,
    ACCESS_POINT_TOKEN: token,
    PEPPOL_SML_ZONE: ZONE,
    METRICS_TOKEN,
  };
}

/** Moves deliveries, their jobs and the cached lookups of receivers forward by a number of hours. */
export async function passTime(db: Db, hours: number): Promise<void> {
  const time = sql`make_interval(secs => ${hours * 3600})`;
  await sql`
    UPDATE delivery SET ask_again_at = ask_again_at - ${time}, sent_time = sent_time - ${time},
      created_at = created_at - ${time}, leased_until = leased_until - ${time}`.execute(db);
  await sql`UPDATE peppol_answer SET checked_at = checked_at - ${time}`.execute(db);
  await sql`
    UPDATE jobs.job SET start_after = start_after - ${time}
    WHERE state IN ('created', 'retry')`.execute(db);
}
