import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { openServer } from '../platform/db/database.ts';
import { createLog } from '../platform/log/log.ts';
import { askPostgres, createServerDatabase } from '../testing/server-database.ts';
import { runScript } from '../testing/process.ts';
import { explainStartFailure } from './start-failure.ts';

const SECRET_KEY = 's'.repeat(32);

let folder: string;
let database: Awaited<ReturnType<typeof createServerDatabase>>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'faktur-start-'));
  database = await createServerDatabase(serverUrl());
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function allSettings(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    SECRET_KEY,
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...settings,
  };
}

/** Starts the product in a process, expects it to fail, and returns its one line of output. */
async function failInProcess(settings: NodeJS.ProcessEnv): Promise<string> {
  const { code, output } = await runScript('server/main.ts', allSettings(settings));
  expect(code).toBe(1);
  const [line = '', ...more] = output.split('\n');
  expect(more).toEqual(['']);
  return line;
}

/** Starts the product here, where it takes a tenth of a process, expects it to fail, and returns what that process would say. */
async function failToStart(settings: NodeJS.ProcessEnv): Promise<string> {
  const config = readConfig(allSettings(settings));
  const starting = createApp({ config, log: createLog(config), webFolder: null });
  const error: unknown = await starting.then(
    () => new Error('It started'),
    (reason: unknown) => reason,
  );
  return explainStartFailure(error, config) ?? String(error);
}

function serverUrl(): string {
  return inject('postgresUrl');
}

function urlOf(database: string, user?: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  if (user !== undefined) url.username = user;
  return url.href;
}

describe('one line says what to do', () => {
  test('when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const PORT = String(typeof address === 'object' ? address?.port : 0);
    expect(await failInProcess({ PORT })).toBe(
      `Cannot listen on 127.0.0.1:${PORT}: another process listens there. Stop it, or set PORT to another number.`,
    );
    other.close();
  });

  test('when HOST is not an address of this machine', async () => {
    expect(await failInProcess({ HOST: '203.0.113.5' })).toContain('Mend HOST.');
  });

  test('when the DKIM key is invalid, before the database is touched', async () => {
    const DKIM = { DKIM_DOMAIN: 'a.no', DKIM_SELECTOR: 'a', DKIM_PRIVATE_KEY_FILE: 'README.md' };
    const settings = { ...DKIM, DATABASE_URL: 'postgres://faktur:hemmelig@localhost:1/faktur' };
    expect(await failToStart(settings)).toContain('The DKIM key is not a private key in PEM.');
  });

  test('when the database does not answer', async () => {
    const DATABASE_URL = 'postgres://faktur:hemmelig@localhost:1/faktur';
    const line = await failInProcess({ DATABASE_URL });
    expect(line).toMatch(/^The database localhost:1\/faktur cannot be used \(connect ECONNREFUSED/);
    expect(line).toContain('See that PostgreSQL runs there');
    expect(line).not.toContain('hemmelig');
  });

  test('when a certificate named in the database URL is missing', async () => {
    const url = new URL(database.url);
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', join(folder, 'ingen.pem'));
    const line = await failToStart({ DATABASE_URL: url.href });
    expect(line).toContain('ingen.pem');
    expect(line).toContain('Mend sslmode in DATABASE_URL, or the certificate that it asks for.');
  });

  test('when the database does not exist', async () => {
    const line = await failToStart({ DATABASE_URL: urlOf('ingen') });
    expect(line).toContain('Create it, owned by the user in DATABASE_URL, with encoding UTF8.');
  });

  test('when its user does not own it', async () => {
    const { url, drop } = await createServerDatabase(serverUrl());
    await askPostgres(serverUrl(), 'CREATE ROLE fremmed LOGIN');
    const DATABASE_URL = urlOf(new URL(url).pathname.slice(1), 'fremmed');
    expect(await failToStart({ DATABASE_URL })).toContain('must own the database');
    await drop();
    await askPostgres(serverUrl(), 'DROP ROLE fremmed');
  });

  test('when its encoding cannot hold Norwegian letters', async () => {
    await askPostgres(
      serverUrl(),
      `CREATE DATABASE latin ENCODING 'SQL_ASCII' TEMPLATE template0 LOCALE 'C'`,
    );
    const line = await failToStart({ DATABASE_URL: urlOf('latin') });
    expect(line).toContain('The database has the encoding SQL_ASCII.');
    await askPostgres(serverUrl(), 'DROP DATABASE latin WITH (FORCE)');
  });

  test('when a newer version has migrated it', async () => {
    const { url, drop } = await createServerDatabase(serverUrl());
    const future = openServer(url, () => undefined);
    await sql`CREATE TABLE migration (name text, timestamp text)`.execute(future.db);
    await sql`INSERT INTO migration VALUES ('9999-future', '')`.execute(future.db);
    await future.close();
    expect(await failToStart({ DATABASE_URL: url })).toBe(
      'The database belongs to a newer version of Faktur (9999-future). Start that version, or restore a backup of this one.',
    );
    await drop();
  });
});
