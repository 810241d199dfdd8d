import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ConfigError, readConfig } from './config.ts';
import { runScript } from './testing/process.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faktur-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function faultsOf(settings: NodeJS.ProcessEnv): string[] {
  try {
    readConfig({ DATA_DIR: join(folder, 'data'), ...settings });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').slice(1);
  }
}

// FEAT-1, FEAT-6
test('without settings it listens on the loopback and makes its own secret', () => {
  const dataDir = join(folder, 'data');
  const config = readConfig({ DATA_DIR: dataDir });
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: null,
    registration: 'open',
    dispatch: 'auto',
    role: 'all',
    loginLimitPerIp: 100,
  });
  expect([...config.features]).toEqual([]);
  expect(config.secretKey).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readConfig({ DATA_DIR: dataDir }).secretKey).toBe(config.secretKey);
});

describe('the secret key', () => {
  const KEY_FILE = 'secret.key';

  /** Makes or reads the key in its own process, after running this code. */
  async function keepInProcess(before = '') {
    const hook = `data:text/javascript,${encodeURIComponent(before)}`;
    const child = spawn(process.execPath, ['--import', hook, '--eval', KEEP, folder], {
      cwd: import.meta.dirname,
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [, signal] = (await once(child, 'close')) as [number, string | null];
    return { output, signal };
  }
  const KEEP = `import('./platform/settings/secret-key.ts').then(({ loadSecretKey }) =>
    process.stdout.write(loadSecretKey(process.argv[1])))`;

  test('is the same for processes that start together', async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, async () => keepInProcess()));
    expect(new Set(keys.map(({ output }) => output))).toEqual(
      new Set([readFileSync(join(folder, KEY_FILE), 'utf8')]),
    );
    expect(readdirSync(folder)).toEqual([KEY_FILE]);
  });

  test('is complete or missing after a power cut before it is on disk', async () => {
    const { signal } = await keepInProcess(`
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      fs.fsyncSync = () => process.kill(process.pid, 'SIGKILL');
      syncBuiltinESMExports();`);
    expect(signal).toBe('SIGKILL');
    expect(existsSync(join(folder, KEY_FILE))).toBe(false);
    expect((await keepInProcess()).output).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each(['', '\n', 'abc', 'g'.repeat(64), 'a'.repeat(63)])(
    'is refused when its file holds %j, which stays',
    (content) => {
      writeFileSync(join(folder, KEY_FILE), content);
      const faults = faultsOf({ DATA_DIR: folder });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(`${KEY_FILE} is not 64 hex digits: put your copy of it back.`);
      expect(readFileSync(join(folder, KEY_FILE), 'utf8')).toBe(content);
    },
  );

  test('may end with a line break, as editors leave it', () => {
    writeFileSync(join(folder, KEY_FILE), `${'a'.repeat(64)}\n`);
    expect(readConfig({ DATA_DIR: folder }).secretKey).toBe('a'.repeat(64));
  });
});

const TOPIC = 'arn:aws:sns:eu-north-1:123456789012:faktur-bounces';

test('input is normalised', () => {
  const config = readConfig({
    DATA_DIR: folder,
    PUBLIC_URL: 'https://Faktur.example:443/',
    STAFF_EMAILS: ' Kari@Example.no, ola@example.no ,',
    SMTP_URL: '  ',
    FEATURES: ' units,payments, ',
    SNS_TOPIC_ARNS: `${TOPIC}, ${TOPIC}.fifo`,
    SENTRY_DSN: 'https://0a1b@o1.ingest.de.sentry.example/45',
  });
  expect(config.publicUrl).toBe('https://faktur.example');
  expect([...config.staffEmails]).toEqual(['kari@example.no', 'ola@example.no']);
  expect(config.smtpUrl).toBeNull();
  expect([...config.features]).toEqual(['payments', 'units']);
  expect(config.snsTopicArns).toEqual([TOPIC, `${TOPIC}.fifo`]);
});

test('a document store has a bucket, a location and credentials', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const read = (settings: NodeJS.ProcessEnv) =>
    readConfig({ DATA_DIR: join(folder, 'data'), ...settings }).documentStore;
  expect(read(keys)).toBeNull();
  expect(read({ DOCUMENT_STORE: 's3://faktur?region=eu-north-1' })).toEqual({
    bucket: 'faktur',
    endpoint: null,
    region: 'eu-north-1',
    takesNew: true,
    credentials: null,
  });
  expect(
    read({ DOCUMENT_STORE: 's3://faktur?endpoint=https://s3.example:9000&new=no', ...keys }),
  ).toEqual({
    bucket: 'faktur',
    endpoint: 'https://s3.example:9000',
    region: 'us-east-1',
    takesNew: false,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: undefined },
  });
});

test('the limit for new companies can be removed', () => {
  const settings = { DATA_DIR: join(folder, 'data') };
  expect(readConfig(settings).newCompanyMailsPerDay).toBe(250);
  expect(
    readConfig({ ...settings, NEW_COMPANY_MAILS_PER_DAY: 'none' }).newCompanyMailsPerDay,
  ).toBeNull();
  expect(faultsOf({ NEW_COMPANY_MAILS_PER_DAY: '0' })).toEqual([
    '  - NEW_COMPANY_MAILS_PER_DAY must be a whole number from 1 to 1000000, or none',
  ]);
});

const EHF = {
  ACCESS_POINT: 'phoss-ap',
  ACCESS_POINT_URL: 'http://127.0.0.1:8080',
  ACCESS_POINT_TOKEN: 'secret',
};

// EHF-1, FEAT-2
test('EHF is on when there is an access point, in the test network by default', () => {
  const settings = { DATA_DIR: join(folder, 'data') };
  const off = readConfig({ ...settings, FEATURES: 'all', ACCESS_POINT_TOKEN: 'left over' });
  expect([off.ehf, off.features.has('ehf')]).toEqual([null, false]);
  const on = readConfig({ ...settings, ...EHF, PEPPOL_DNS: '[::1]:5353' });
  expect(on.features.has('ehf')).toBe(true);
  expect(on.ehf).toEqual({
    accessPoint: 'phoss-ap',
    url: 'http://127.0.0.1:8080',
    token: 'secret',
  });
  expect(on.peppol).toEqual({
    name: 'test',
    zone: 'participant.sml.test.tech.peppol.org',
    nameServer: '[::1]:5353',
    publisher: null,
  });
  const real = readConfig({ ...settings, ...EHF, PEPPOL_NETWORK: 'production' });
  expect(real.peppol?.zone).toBe('participant.sml.prod.tech.peppol.org');
});

// EHF-1, EINV-1
test('with the name of the network alone, receivers are looked up, and nothing is sent', () => {
  const settings = { DATA_DIR: join(folder, 'data'), PEPPOL_SMP: '[::1]:8443' };
  expect(readConfig(settings).peppol).toBeNull();
  const { ehf, peppol, features } = readConfig({ ...settings, PEPPOL_NETWORK: 'production' });
  expect([ehf, features.has('ehf')]).toEqual([null, false]);
  expect(peppol).toMatchObject({ name: 'production', publisher: { host: '::1', port: 8443 } });
});

// EHF-1, FEAT-1
describe('an unusable setting is named:', () => {
  test.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: 'http' }, 'PORT must be a whole number'],
    [{ PUBLIC_URL: 'faktur.example' }, 'PUBLIC_URL must be a URL that starts with'],
    [{ PUBLIC_URL: 'https://example.no/faktur' }, 'PUBLIC_URL must end after the host'],
    [{ DATABASE_URL: 'mysql://db/faktur' }, 'DATABASE_URL must be a URL that starts with'],
    [{ DATABASE_URL: 'postgres://kari:p#ss@db/faktur' }, 'write @ as %40, # as %23'],
    [{ MAIL_FROM: 'Faktur <faktura@example.no>' }, 'MAIL_FROM must be an address such as'],
    [{ MAIL_FROM: 'faktura@example.no.' }, 'MAIL_FROM must be an address such as'],
    [{ MAIL_FROM: 'faktura@my_host' }, 'MAIL_FROM must be an address such as'],
    [{ SUPPORT_EMAIL: 'hjelp' }, 'SUPPORT_EMAIL must be an address such as'],
    [{ PEPPOL_NETWORK: 'prod' }, 'PEPPOL_NETWORK must be test or production'],
    [{ PEPPOL_SMP: '10.0.0.1:443' }, 'PEPPOL_SMP must be an address of this machine'],
    [{ PEPPOL_SMP: 'localhost:443' }, 'PEPPOL_SMP must be an address of this machine'],
    [{ PEPPOL_SMP: '127.0.0.1' }, 'PEPPOL_SMP must be an address of this machine'],
    [{ STAFF_EMAILS: 'kari@example.no ola@example.no' }, 'STAFF_EMAILS must be addresses'],
    [{ DOCUMENT_STORE: 's3://bucket' }, 'DOCUMENT_STORE must be s3://BUCKET?region=REGION'],
    [{ DOCUMENT_STORE: 'https://s3.example' }, 'DOCUMENT_STORE must be s3://BUCKET'],
    [{ DOCUMENT_STORE: 's3://Bucket?region=eu-north-1' }, 'DOCUMENT_STORE must be'],
    [{ DOCUMENT_STORE: 's3://bucket/path?region=eu-north-1' }, 'DOCUMENT_STORE must be'],
    [{ DOCUMENT_STORE: 's3://bucket?regoin=eu-north-1' }, 'DOCUMENT_STORE must be'],
    [{ DOCUMENT_STORE: 's3://bucket?endpoint=s3.example' }, 'DOCUMENT_STORE must be'],
    [{ DOCUMENT_STORE: 's3://bucket?endpoint=https://s3.example&new=maybe' }, 'must be s3://'],
    [
      { DOCUMENT_STORE: 's3://bucket?region=eu-north-1', AWS_ACCESS_KEY_ID: 'a' },
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY go together',
    ],
    [{ SMTP_URL: 'mail.example' }, 'SMTP_URL must be a URL that starts with'],
    [{ WEBHOOK_HOSTS: 'crm.internal' }, 'WEBHOOK_HOSTS must be hosts with ports'],
    [{ WEBHOOK_HOSTS: 'https://crm.internal:1' }, 'WEBHOOK_HOSTS must be hosts with ports'],
    [{ SNS_TOPIC_ARNS: 'bounces' }, 'SNS_TOPIC_ARNS must be topics such as arn:aws:sns:'],
    [{ SNS_TOPIC_ARNS: 'arn:aws:sns:s3:123456789012:bounces' }, 'SNS_TOPIC_ARNS must be'],
    [{ SENTRY_DSN: 'https://sentry.example.no/1' }, 'SENTRY_DSN must be as Sentry shows it'],
    [{ SENTRY_DSN: 'https://key@sentry.example.no/project' }, 'SENTRY_DSN must be as Sentry'],
    [{ REGISTRATION: 'maybe' }, 'REGISTRATION must be open or closed'],
    [{ DISPATCH: 'never' }, 'DISPATCH must be auto or staff'],
    [
      { FEATURES: 'payments,reminder' },
      'FEATURES must be all, or some of payments, reminders, recurring, units, vat, products, credit, attachments, export, members, overview, einvoice, portal, security, integrations, quotes, closing with commas between them, and has reminder',
    ],
    [{ ROLE: 'boss' }, 'ROLE must be all or web or worker'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters'],
    [{ DATABASE_URL: 'postgres://db/faktur' }, 'SECRET_KEY is required with DATABASE_URL'],
    [{ ROLE: 'worker' }, 'ROLE=worker needs DATABASE_URL'],
    [
      { DATABASE_DIRECT_URL: 'postgres://db/faktur' },
      'the database of DATABASE_URL, which is missing',
    ],
    [{ DKIM_DOMAIN: 'faktur.example' }, 'DKIM_PRIVATE_KEY_FILE go together'],
    [{ ACCESS_POINT: 'oxalis' }, 'ACCESS_POINT must be none or phoss-ap or storecove'],
    [{ ...EHF, ACCESS_POINT_URL: '' }, 'ACCESS_POINT_URL is required with ACCESS_POINT=phoss-ap'],
    [{ ...EHF, ACCESS_POINT_TOKEN: '' }, 'ACCESS_POINT_TOKEN is required'],
    [
      { ...EHF, ACCESS_POINT_URL: 'http://ap.example' },
      'ACCESS_POINT_URL must be https, or http on',
    ],
    [{ ...EHF, ACCESS_POINT_URL: 'https://ap.example/api' }, 'ACCESS_POINT_URL must end after the'],
    [{ PEPPOL_NETWORK: 'acceptance' }, 'PEPPOL_NETWORK must be test or production'],
    [{ PEPPOL_SML_ZONE: 'localhost' }, 'PEPPOL_SML_ZONE must be a domain name'],
    [{ PEPPOL_DNS: '127.0.0.1' }, 'PEPPOL_DNS must be an IP address and a port'],
    [{ PEPPOL_DNS: 'dns.example:53' }, 'PEPPOL_DNS must be an IP address and a port'],
  ])('%j', (settings, fault) => {
    const faults = faultsOf(settings);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });
});

test('a data folder that cannot be written to is named, with the reason', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(faultsOf({ DATA_DIR: join(file, 'data') })).toEqual([
    expect.stringMatching(/DATA_DIR cannot be written to \(E(NOTDIR|EXIST).*name another folder$/),
  ]);
});

test('no folder is made when everything is stored elsewhere', () => {
  const dataDir = join(folder, 'unused');
  readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgres://db/faktur',
    SECRET_KEY: 's'.repeat(32),
    SMTP_URL: 'smtp://mail.example',
  });
  expect(existsSync(dataDir)).toBe(false);
});

// FEAT-6
test('the process names all faults at once, changes nothing and exits with 1', async () => {
  const dataDir = join(folder, 'data');
  const { code, output } = await runScript('server/main.ts', {
    DATA_DIR: dataDir,
    PORT: '-1',
    PUBLIC_URL: 'nowhere',
    SECRET_KEY: 'x',
  });
  expect(code).toBe(1);
  expect(output.trimEnd().split('\n')).toEqual([
    'The settings cannot be used:',
    expect.stringMatching(/^ {2}- PORT /),
    expect.stringMatching(/^ {2}- PUBLIC_URL /),
    expect.stringMatching(/^ {2}- SECRET_KEY /),
  ]);
  expect(existsSync(dataDir)).toBe(false);
});
