import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ConfigError, readConfig } from './config.ts';
import { runScript } from './testing/script.ts';

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

test('without settings, it listens on the loopback and keeps a secret of its own', () => {
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
  });
  expect(config.secretKey).toMatch(/^[0-9a-f]{64}$/);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readConfig({ DATA_DIR: dataDir }).secretKey).toBe(config.secretKey);
});

test('what people write is tidied up', () => {
  const config = readConfig({
    DATA_DIR: folder,
    PUBLIC_URL: 'https://faktur.example/',
    STAFF_EMAILS: ' Kari@Example.no, ola@example.no ,',
    SMTP_URL: '  ',
  });
  expect(config.publicUrl).toBe('https://faktur.example');
  expect([...config.staffEmails]).toEqual(['kari@example.no', 'ola@example.no']);
  expect(config.smtpUrl).toBeNull();
});

describe('a setting that cannot be used is named:', () => {
  test.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: 'http' }, 'PORT must be a whole number'],
    [{ PUBLIC_URL: 'faktur.example' }, 'PUBLIC_URL must be a URL that starts with'],
    [{ DATABASE_URL: 'mysql://db/faktur' }, 'DATABASE_URL must be a URL that starts with'],
    [{ SMTP_URL: 'mail.example' }, 'SMTP_URL must be a URL that starts with'],
    [{ REGISTRATION: 'maybe' }, 'REGISTRATION must be open or closed'],
    [{ DISPATCH: 'never' }, 'DISPATCH must be auto or staff'],
    [{ ROLE: 'boss' }, 'ROLE must be all or web or worker'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters'],
    [{ DATABASE_URL: 'postgres://db/faktur' }, 'SECRET_KEY is required with DATABASE_URL'],
    [{ ROLE: 'worker' }, 'ROLE=worker needs DATABASE_URL'],
    [{ DKIM_DOMAIN: 'faktur.example' }, 'DKIM_PRIVATE_KEY_FILE go together'],
  ])('%j', (settings, fault) => {
    const faults = faultsOf(settings);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });
});

test('the process names every fault at once, touches nothing and ends with 1', async () => {
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
