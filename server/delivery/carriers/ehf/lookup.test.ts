import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { startFakeDns, type FakeDns, type Zone } from '../../../testing/peppol/fake-dns.ts';
import {
  metadata,
  redirect,
  startFakeSmp,
  type FakeSmp,
} from '../../../testing/peppol/fake-smp.ts';
import { isPublic } from '../../../platform/limits/public-host.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { createLookup, type Reachability } from './lookup.ts';
import { organisationName, participantName } from './participant.ts';

const ZONE = 'participant.sml.test';
const ORG = '974760673';
const PUBLIC = '93.184.215.14';

let dns: FakeDns;
let smp: FakeSmp;

beforeAll(async () => {
  dns = await startFakeDns();
  smp = await startFakeSmp();
  smp.receives.set(ORG, ['INVOICE']);
});

afterAll(async () => {
  await dns.close();
  await smp.close();
});

afterEach(() => {
  smp.play = null;
  smp.asked.length = 0;
});

const NAME = organisationName(ORG, ZONE);

interface Circumstances {
  host?: Zone | Zone[];
  timeLimit?: number;
}

/** Looks up with what the name server has for the participant, and for its publisher. */
async function look(
  participant: Zone,
  { host = { addresses: [PUBLIC] }, timeLimit = 500 }: Circumstances = {},
  type: 'INVOICE' | 'CREDIT_NOTE' = 'INVOICE',
): Promise<Reachability> {
  dns.names.clear();
  dns.names.set(NAME, participant);
  for (const each of ['smp.test', 'other.test', 'rebind.test']) dns.names.set(each, host);
  const options = { zone: ZONE, nameServer: dns.address, wire: smp.wire };
  return createLookup({ ...options, dnsTimeout: 100, timeLimit })(ORG, type);
}

const AT_SMP: Zone = { publisher: 'https://smp.test' };
const UNKNOWN = expect.objectContaining({ kind: 'unknown', reason: expect.any(String) });

// EHF-9
test('a participant’s name is the published one', () => {
  expect(participantName('9915:test', 'z')).toBe(
    'eh5boavaktmbgzyh2a63dz4qov33fvp5nsdvqklucfraayoodw6a.iso6523-actorid-upis.z',
  );
  expect(organisationName(ORG, 'z')).toMatch(
    /^n7xqxd72mcn4tdkkox5hzpke3kwlv6txp5samlssxx7se6eoqndq\./,
  );
});

// EHF-9
describe('DNS', () => {
  test('leads to the publisher, through an alias too', async () => {
    expect(await look(AT_SMP)).toMatchObject({ kind: 'reachable' });
    dns.names.set('alias.test', AT_SMP);
    expect(await look({ alias: 'there.test' })).toMatchObject({ kind: 'not-registered' });
    const aliased = createLookup({ zone: ZONE, nameServer: dns.address, wire: smp.wire });
    dns.names.set('there.test', AT_SMP);
    expect(await aliased(ORG, 'INVOICE')).toMatchObject({ kind: 'reachable' });
  });

  test('that has no such name, or no record of a publisher, says no', async () => {
    expect(await look('NXDOMAIN')).toMatchObject({ kind: 'not-registered' });
    expect(await look({ addresses: [PUBLIC] })).toMatchObject({ kind: 'not-registered' });
    expect(smp.asked).toEqual([]);
  });

  test.each(['SERVFAIL', 'REFUSED', 'silence'] as const)(
    'that fails (%s) says nothing',
    async (zone) => {
      expect(await look(zone)).toEqual(UNKNOWN);
      expect(await look(AT_SMP, { host: zone })).toEqual(UNKNOWN);
    },
  );

  test('with a pattern that is not for the whole name is not followed', async () => {
    expect(await look({ publisher: '', regexp: '!^B-.*$!https://smp.test!' })).toEqual(UNKNOWN);
    expect(await look({ publisher: '', regexp: '!^.*$!https://smp.test!' })).toMatchObject({
      kind: 'reachable',
    });
  });
});

// EHF-9, EHF-10
describe('the publisher', () => {
  test('is asked for one document type, by its whole name', async () => {
    expect(await look(AT_SMP, {}, 'CREDIT_NOTE')).toMatchObject({ kind: 'format-unsupported' });
    expect(smp.asked).toEqual([
      `smp.test/iso6523-actorid-upis::0192:${ORG}/services/busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2::CreditNote##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1`,
    ]);
  });

  test.each([
    ['another process', { process: 'cenbii-procid-ubl::urn:else' }],
    ['a transport of yesterday', { transport: 'busdox-transport-as2-ver1p0' }],
    ['an endpoint that has ended', { to: '2021-01-01T00:00:00Z' }],
    ['an endpoint that is to come', { from: '2098-01-01T00:00:00Z' }],
  ])('that has only %s cannot take it', async (_, part) => {
    smp.play = (_request, response) =>
      response.end(metadata({ orgNumber: ORG, type: 'INVOICE', ...part }));
    expect(await look(AT_SMP)).toMatchObject({ kind: 'format-unsupported' });
  });

  test.each([
    ['a fault of its own', 500, ''],
    ['too many requests', 429, ''],
    ['a redirect', 302, ''],
    ['HTML', 200, '<html><body>Welcome</body></html>'],
    ['half a document', 200, metadata({ orgNumber: ORG, type: 'INVOICE' }).slice(0, 400)],
    ['another participant', 200, metadata({ orgNumber: '923609016', type: 'INVOICE' })],
    ['another document type', 200, metadata({ orgNumber: ORG, type: 'CREDIT_NOTE' })],
    [
      'a document type declaration',
      200,
      `<!DOCTYPE a [<!ENTITY b "c">]>${metadata({ orgNumber: ORG, type: 'INVOICE' }).slice(38)}`,
    ],
  ])('that answers with %s has said nothing', async (_, status, body) => {
    smp.play = (_request, response) => {
      response.writeHead(status, { location: 'https://other.test/' }).end(body);
    };
    expect(await look(AT_SMP)).toEqual(UNKNOWN);
    expect(smp.asked).toHaveLength(1);
  });

  test('may lead to one other, and no further', async () => {
    const usual = metadata({ orgNumber: ORG, type: 'INVOICE' });
    smp.play = ({ headers }, response) =>
      response.end(headers.host === 'smp.test' ? redirect('https://other.test/a?b=c') : usual);
    expect(await look(AT_SMP)).toMatchObject({ kind: 'reachable' });
    smp.play = (_request, response) => response.end(redirect('https://other.test/'));
    expect(await look(AT_SMP)).toEqual(UNKNOWN);
    smp.play = (_request, response) => response.end(redirect('http://other.test/'));
    expect(await look(AT_SMP)).toEqual(UNKNOWN);
  });

  test('that is slow, or never ends, is not waited for', async () => {
    smp.play = () => undefined;
    expect(await look(AT_SMP, { timeLimit: 200 })).toEqual(UNKNOWN);
    smp.play = (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(timer));
    };
    expect(await look(AT_SMP, { timeLimit: 200 })).toEqual(UNKNOWN);
  });

  test('that sends more than a megabyte is left', async () => {
    smp.play = (_request, response) => response.end(' '.repeat(1024 * 1024 + 1));
    const answer = await look(AT_SMP, { timeLimit: 5000 });
    expect(answer).toMatchObject({
      kind: 'unknown',
      reason: expect.stringContaining('larger than'),
    });
  });

  test('that is not who it says is not believed', async () => {
    expect(await look({ publisher: 'https://unnamed.test' })).toEqual(UNKNOWN);
    const options = { zone: ZONE, nameServer: dns.address, wire: { ...smp.wire, ca: '' } };
    await look(AT_SMP);
    expect(await createLookup(options)(ORG, 'INVOICE')).toEqual(UNKNOWN);
  });
});

// EINV-3
describe('an answer names its publisher, and no answer its cause:', () => {
  test.each<[string, Zone, Circumstances, object]>([
    ['no such name', 'NXDOMAIN', {}, { kind: 'not-registered', publisher: null }],
    ['an answer', AT_SMP, {}, { kind: 'reachable', publisher: 'smp.test' }],
    ['a failing name server', 'SERVFAIL', {}, { publisher: null, cause: 'DNS' }],
    ['a silent name server', 'silence', {}, { publisher: null, cause: 'TIMEOUT' }],
    [
      'a host without an address',
      AT_SMP,
      { host: 'SERVFAIL' },
      { publisher: 'smp.test', cause: 'DNS' },
    ],
    [
      'a host that is silent',
      AT_SMP,
      { host: 'silence' },
      { publisher: 'smp.test', cause: 'TIMEOUT' },
    ],
    [
      'another name in the certificate',
      { publisher: 'https://unnamed.test' },
      {},
      { publisher: 'unnamed.test', cause: 'DNS' },
    ],
  ])('%s', async (_, zone, circumstances, answer) => {
    expect(await look(zone, circumstances)).toMatchObject(answer);
  });

  test.each<[string, FakeSmp['play'], object]>([
    ['silence', () => undefined, { publisher: 'smp.test', cause: 'TIMEOUT' }],
    [
      '500',
      (_, response) => response.writeHead(500).end(),
      { publisher: 'smp.test', cause: 'PUBLISHER' },
    ],
    [
      'a reset',
      (request) => request.socket.destroy(),
      { publisher: 'smp.test', cause: 'PUBLISHER' },
    ],
    [
      'a redirect to silence',
      ({ headers }, response) =>
        headers.host === 'smp.test' ? response.end(redirect('https://other.test/x')) : undefined,
      { publisher: 'other.test', cause: 'TIMEOUT' },
    ],
  ])('a publisher with %s', async (_, play, answer) => {
    smp.play = play;
    expect(await look(AT_SMP, { timeLimit: 200 })).toMatchObject({ kind: 'unknown', ...answer });
  });
});

// EINV-3
test('a publisher that hangs delays neither other publishers nor other companies', async () => {
  const usual = metadata({ orgNumber: ORG, type: 'INVOICE' });
  smp.play = ({ headers }, response) =>
    headers.host === 'other.test' ? undefined : response.end(usual);
  dns.names.clear();
  for (const host of ['smp.test', 'other.test']) dns.names.set(host, { addresses: [PUBLIC] });
  const hanging = organisationName('923609016', ZONE);
  dns.names.set(hanging, { publisher: 'https://other.test' });
  dns.names.set(NAME, AT_SMP);
  const lookup = createLookup({ zone: ZONE, nameServer: dns.address, wire: smp.wire });
  const signal = AbortSignal.timeout(2000);
  const silent = Array.from({ length: 300 }, async () =>
    lookup('923609016', 'INVOICE', { whose: 1, signal }),
  );
  expect(await lookup(ORG, 'INVOICE', { whose: 1, signal })).toMatchObject({ kind: 'reachable' });
  expect(await lookup(ORG, 'INVOICE', { whose: 2, signal })).toMatchObject({ kind: 'reachable' });
  expect(signal.aborted).toBe(false);
  for (const answer of await Promise.all(silent)) {
    expect(answer).toMatchObject({ kind: 'unknown', cause: 'TIMEOUT' });
  }
});

// EINV-1
test('in a trial one address answers for every publisher, whose name is not resolved', async () => {
  dns.names.clear();
  dns.names.set(NAME, AT_SMP);
  const { host, port } = smp.wire.connect?.('') ?? { host: '', port: 0 };
  const wire = { to: { host, port }, ...(smp.wire.ca !== undefined && { ca: smp.wire.ca }) };
  const options = { zone: ZONE, nameServer: dns.address };
  const trial = createLookup({ ...options, wire });
  expect(await trial(ORG, 'INVOICE')).toMatchObject({ kind: 'reachable', publisher: 'smp.test' });
  for (const publisher of ['http://smp.test', 'https://smp.test:8443', 'https://a@smp.test']) {
    dns.names.set(NAME, { publisher });
    expect(await trial(ORG, 'INVOICE')).toEqual(UNKNOWN);
  }
  // TLS holds: here the certificate is not trusted.
  dns.names.set(NAME, AT_SMP);
  const untrusted = createLookup({ ...options, wire: { to: wire.to } });
  expect(await untrusted(ORG, 'INVOICE')).toMatchObject({ cause: 'PUBLISHER' });
});

// EHF-10
describe('an address that a stranger names is not asked when it', () => {
  test.each([
    'http://smp.test',
    'https://smp.test:8443',
    'https://user:secret@smp.test',
    'https://127.0.0.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://0x7f.1',
    'https://169.254.169.254/latest',
    'ftp://smp.test',
    'file:///etc/passwd',
  ])('is %s', async (publisher) => {
    expect(await look({ publisher })).toEqual(UNKNOWN);
    expect(smp.asked).toEqual([]);
  });

  test.each(['10.0.0.1', '127.0.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fd00::1', 'fe80::1'])(
    'leads to %s, alone or beside another',
    async (address) => {
      for (const addresses of [[address], [PUBLIC, address]]) {
        expect(await look(AT_SMP, { host: { addresses } })).toEqual(UNKNOWN);
      }
      expect(smp.asked).toEqual([]);
    },
  );

  test('is looked up once, so that a second answer changes nothing', async () => {
    dns.asked.length = 0;
    const first: Zone = { addresses: [PUBLIC] };
    const later: Zone = { addresses: ['127.0.0.1'] };
    // One for each of A and AAAA.
    expect(await look(AT_SMP, { host: [first, first, later] })).toMatchObject({
      kind: 'reachable',
    });
    expect(dns.asked.filter((name) => name === 'smp.test')).toHaveLength(2);
  });

  test('is connected to as it was checked', async () => {
    const connected: string[] = [];
    const connect = (address: string) => {
      connected.push(address);
      return { host: '127.0.0.1', port: 1 };
    };
    const resolver = { resolve4: async () => [PUBLIC], resolve6: async () => [] };
    const options = { resolver: resolver as never, wire: { connect } };
    await expect(guardedFetch('https://smp.test/', options)).rejects.toThrow('ECONNREFUSED');
    expect(connected).toEqual([PUBLIC]);
  });
});

test('public addresses are those of the open network', () => {
  for (const address of ['8.8.8.8', '93.184.215.14', '2a02:c0::1']) {
    expect(isPublic(address)).toBe(true);
  }
  const reserved =
    '0.0.0.0 10.255.0.1 172.31.0.1 192.0.2.1 198.19.0.1 224.0.0.1 255.255.255.255 :: ::ffff:8.8.8.8 ' +
    '64:ff9b::7f00:1 ff02::1 2001:db8::1 2002:7f00:1:: nonsense';
  for (const address of reserved.split(' ')) {
    expect(isPublic(address)).toBe(false);
  }
});
