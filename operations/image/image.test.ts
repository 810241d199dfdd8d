import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { ownerOf, seedInvoices } from '../../bench/seed-companies.ts';
import type { PdfInput } from '../../server/document/pdf/document-printer.ts';
import { createPdfRenderer } from '../../server/document/pdf/renderer.ts';
import { openServer } from '../../server/platform/db/database.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import type { TestClient } from '../../server/testing/client.ts';
import {
  completeProfile,
  createCustomer,
  createDraft,
  register,
} from '../../server/testing/factories.ts';
import { freePort, ROOT, visitorOf } from '../../server/testing/process.ts';
import { sampleInvoice, sampleLine } from '../../server/testing/invoice-documents.ts';
import { loginCodeIn, readMail } from '../../server/testing/mails.ts';
import { until } from '../../server/testing/until.ts';
import { BASE, makeImages, NPM } from './images.ts';
import { openPodman, succeeded, type Podman } from './podman.ts';

/** Largest size of `node_modules` in the image, in MiB. docs/decisions/0002-toolchain.md lists the packages. */
const PACKAGES_LIMIT = 275;
/** Largest size of everything added to the base image (MiB). */
const IMAGE_LIMIT = 290;
const BUILD_TIMEOUT = 20 * 60_000;
const SERVICES = ['postgres', 'mail', 'web', 'worker'];
const OPERATOR = ['node_modules/.bin/node', 'scripts/operator.ts'];
const EMAIL = 'kari@example.no';
const PASSWORD = 'a-password-for-tests';

let podman: Podman;
let web: string;
let mails: string;
let client: TestClient;

beforeAll(async () => {
  const [webPort, mailPort] = [await freePort(), await freePort()];
  web = `http://127.0.0.1:${webPort}`;
  mails = `http://127.0.0.1:${mailPort}`;
  podman = openPodman({
    SECRET_KEY: 'a secret for tests that is long enough',
    POSTGRES_PASSWORD: PASSWORD,
    WEB_PORT: String(webPort),
    MAIL_PORT: String(mailPort),
    PUBLIC_URL: web,
    STAFF_EMAILS: 'ola@example.no',
    METRICS_TOKEN: 'a token for the metrics of tests',
    // Makes the SDK load; nobody listens there.
    SENTRY_DSN: 'http://key@127.0.0.1:9/1',
    BASE_IMAGE: BASE,
    NPM_IMAGE: NPM,
  });
  await makeImages(podman);
  await podman.compose('--podman-build-args=--network=host', 'build', 'web');
}, BUILD_TIMEOUT);

afterAll(async () => {
  await podman?.close();
}, BUILD_TIMEOUT);

const nameOf = (service: string) => `faktur_${service}_1`;
const inWorker = async (...command: string[]) =>
  podman.run('exec', nameOf('worker'), ...OPERATOR, ...command);

/** The result of the image's own HEALTHCHECK. Without systemd, Podman does not run it by itself. */
async function health(service: string): Promise<string> {
  await podman.ask(['healthcheck', 'run', nameOf(service)]);
  return podman.run('inspect', '--format={{.State.Health.Status}}', nameOf(service));
}

/** Waits until web and worker have this state. */
async function bothTurn(wanted: 'healthy' | 'unhealthy'): Promise<string[]> {
  return until(
    async () => Promise.all([health('web'), health('worker')]),
    (both) => both.every((one) => one === wanted),
    180_000,
  );
}

async function caught(): Promise<{ taken: string[]; begun: number }> {
  return (await (await fetch(mails)).json()) as { taken: string[]; begun: number };
}

async function mailTo(email: string, subject: RegExp) {
  const found = await until(
    async () =>
      Promise.all((await caught()).taken.map(async (raw) => readMail(Buffer.from(raw, 'latin1')))),
    (all) =>
      all.some((mail) => subject.test(mail.subject ?? '') && mail.to?.[0]?.address === email),
    90_000,
  );
  const mail = found.findLast((one) => subject.test(one.subject ?? ''));
  if (!mail) throw new Error('It was there a moment ago');
  return mail;
}

test('the image contains only what the server reads', async () => {
  const du = [
    'run',
    '--rm',
    '--network=none',
    '--entrypoint=du',
    'faktur',
    '-sm',
    '/app/node_modules',
  ];
  expect(Number.parseInt(await podman.run(...du), 10)).toBeLessThanOrEqual(PACKAGES_LIMIT);
  const sizes = await Promise.all(
    ['localhost/faktur', BASE].map(async (name) =>
      podman.run('image', 'inspect', '--format={{.Size}}', name),
    ),
  );
  const [all = 0, base = 0] = sizes.map(Number);
  expect((all - base) / 2 ** 20).toBeLessThanOrEqual(IMAGE_LIMIT);
});

test('its packages have every imported module, and print the same PDF as the complete packages', async () => {
  const names = ['Ærlig Ål', 'Ελλάδα Київ', 'नमस्ते', 'مرحبا', 'שלום', 'สวัสดี', '发票', '송장', '🧾'];
  const input: PdfInput = {
    document: sampleInvoice({ lines: names.map((name) => sampleLine(name, 2, 99.5)) }),
    stamp: { kind: 'DRAFT' },
    xml: '<Invoice/>',
    logo: null,
  };
  const renderer = createPdfRenderer({ processes: 1, log: console });
  const pdf = await renderer.render(input);
  await renderer.close();

  const inside = path.join(ROOT, 'operations', 'image', 'inside.ts');
  const mount = `--volume=${inside}:/app/operations/image/inside.ts:ro`;
  const args = [
    'run',
    '--rm',
    '--interactive',
    '--network=none',
    '--read-only',
    '--tmpfs=/tmp',
    mount,
  ];
  const command = [...args, 'faktur', 'operations/image/inside.ts'];
  const answer = succeeded(await podman.ask(command, JSON.stringify(input)), command);
  const said = JSON.parse(answer) as { modules: number; hash: string };
  expect(said.modules).toBeGreaterThan(200);
  expect(said.hash).toBe(createHash('sha256').update(pdf).digest('hex'));
});

test('compose.yaml starts, and web and worker become healthy', async () => {
  await podman.compose('up', '-d', '--no-build');
  expect(await bothTurn('healthy')).toHaveLength(2);
  const running = await podman.run('ps', '--format={{.Names}}');
  expect(running.split('\n').toSorted()).toEqual(SERVICES.map(nameOf).toSorted());
});

test.each(['web', 'worker'])(
  '%s runs as its user, without rights, on a disk that cannot be written',
  async (service) => {
    const inContainer = async (...command: string[]) =>
      podman.ask(['exec', nameOf(service), ...command]);
    const { stdout } = await inContainer('cat', '/proc/1/status');
    expect(stdout).toMatch(/^Name:\s+node/m);
    expect(stdout).toMatch(/^Uid:\s+10001\s+10001\s+10001\s+10001$/m);
    for (const set of ['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']) {
      expect(stdout).toMatch(new RegExp(`^Cap${set}:\\s+0+$`, 'm'));
    }
    expect(stdout).toMatch(/^NoNewPrivs:\s+1$/m);
    const written = await inContainer('touch', '/app/a', '/usr/a', '/etc/a');
    expect(written.stderr.match(/Read-only file system/g)).toHaveLength(3);
    expect((await inContainer('touch', '/tmp/a', '/data/a')).code).toBe(0);
  },
);

test('a user logs in, and an invoice is registered, printed and mailed', async () => {
  client = visitorOf(web);
  await client.post('/api/users/register/email/', { email: EMAIL });
  const { subject } = await mailTo(EMAIL, /er koden/);
  const login = { email: EMAIL, registration_token: loginCodeIn(subject) };
  expect((await client.post('/api/users/login/verify/', login)).status).toBe(200);
  await completeProfile(client);
  const uuid = await createDraft(client, await createCustomer(client), { delivery_type: 'EMAIL' });
  await register(client, uuid);

  const { attachments, subject: title } = await mailTo('kunde@example.no', /[Ff]aktura/);
  const pdf = attachments.find(({ mimeType }) => mimeType === 'application/pdf');
  expect(title).toContain('aktura');
  expect(
    Buffer.from(pdf?.content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const page = await fetch(web);
  expect(await page.text()).toContain('Faktur trenger JavaScript');
});

test('the commands of docs/operations.md work in it', async () => {
  expect(await inWorker('ledger', 'check')).toContain('1');
  expect(await inWorker('staff', 'list')).toContain('ola@example.no');
  await inWorker('db:backup', '/data/faktur.backup');
  const copy = path.join(podman.folder, 'faktur.backup');
  await podman.run('cp', `${nameOf('worker')}:/data/faktur.backup`, copy);
  expect(fs.readFileSync(copy).subarray(0, 2).toString('hex')).toBe('1f8b');
});

// EXP-42: `/tmp` has 64 MB there, and the rows of 17,000 invoices took all of it.
test(
  'an archive of 100,000 invoices is made within the bounds of compose.yaml',
  async () => {
    const format = '--format={{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    const address = await podman.run('inspect', format, nameOf('postgres'));
    const urlAt = (host: string, name = 'large') =>
      `postgres://faktur:${PASSWORD}@${host}:5432/${name}`;
    const own = openServer(urlAt(address, 'faktur'), () => undefined);
    await sql`CREATE DATABASE large`.execute(own.db);
    await own.close();
    const database = openServer(urlAt(address), () => undefined);
    try {
      await migrate(database);
      await seedInvoices(urlAt(address), 100_000);
      // As after they were mailed: printing them takes hours.
      await sql`
      INSERT INTO document_file (company_id, document_id, format, sha256, home, content)
      SELECT company_id, id, 'PDF', sha256(pdf), 'DATABASE', pdf
      FROM document, LATERAL (SELECT convert_to('%PDF-' || id, 'UTF8') AS pdf) made
      ON CONFLICT DO NOTHING`.execute(database.db);
    } finally {
      await database.close();
    }
    const command = [...OPERATOR.slice(1), 'company', 'export', ownerOf(1), '/data/large.zip'];
    const elsewhere = ['-e', `DATABASE_URL=${urlAt('postgres')}`];
    await podman.compose('run', '--rm', '--no-deps', '-T', ...elsewhere, 'worker', ...command);
    const size = await podman.run(
      'exec',
      nameOf('worker'),
      'stat',
      '--format=%s',
      '/data/large.zip',
    );
    expect(Number(size)).toBeGreaterThan(100_000_000);
  },
  BUILD_TIMEOUT,
);

test('they become unhealthy while the database is away, and healthy when it is back', async () => {
  await podman.run('stop', '--time=20', nameOf('postgres'));
  expect(await bothTurn('unhealthy')).toHaveLength(2);
  await podman.run('start', nameOf('postgres'));
  expect(await bothTurn('healthy')).toHaveLength(2);
});

// FEAT-8
test('SIGTERM lets a mail in progress finish, and the process exits with 0', async () => {
  const uuid = await createDraft(client, await createCustomer(client), { delivery_type: 'EMAIL' });
  const before = await caught();
  await register(client, uuid);
  await until(caught, ({ begun }) => begun > before.begun, 60_000);
  expect((await caught()).taken).toHaveLength(before.taken.length);
  await Promise.all(
    ['worker', 'web'].map(async (name) => podman.run('stop', '--time=95', nameOf(name))),
  );
  expect((await caught()).taken).toHaveLength(before.taken.length + 1);
  for (const service of ['web', 'worker']) {
    const ended = await podman.run('inspect', '--format={{.State.ExitCode}}', nameOf(service));
    expect(ended).toBe('0');
    expect(await podman.run('logs', nameOf(service))).toContain('"signal":"SIGTERM"');
  }
});

test('a backup is restored while the service is stopped', async () => {
  const command = ['scripts/operator.ts', 'db:restore', '/data/faktur.backup', '--force'];
  await podman.compose('run', '--rm', '--no-deps', '-T', 'worker', ...command);
  await podman.run('start', nameOf('web'));
  await until(
    async () => health('web'),
    (one) => one === 'healthy',
    120_000,
  );
  const list = await client.get('/api/invoices/');
  expect(list.status).toBe(200);
  expect(list.text).toContain('SENT');
});
