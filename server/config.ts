import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

import { z } from 'zod';

import { asciiEmail } from '../domain/email.ts';
import { FEATURES, type Feature } from '../domain/feature.ts';

import { keepSecretKey } from './secret-key.ts';

/** One core is for those who wait for an answer; the others may print. */
export const SPARE_CORES = Math.min(64, Math.max(1, availableParallelism() - 1));

/** Every setting of the product. Nothing else reads the environment. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The origin in mailed links, without a trailing slash. */
  readonly publicUrl: string;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly smtpUrl: string | null;
  /** A delivery attempt that the mail server has not answered by then is given up (milliseconds). */
  readonly smtpTimeout: number;
  /** Connections to the mail server at a time, and so mails under way at once in one process. */
  readonly smtpConnections: number;
  readonly mailFrom: string;
  readonly supportEmail: string;
  readonly dkim: { domainName: string; keySelector: string; privateKey: string } | null;
  readonly secretKey: string;
  readonly registration: 'open' | 'closed';
  readonly dispatch: 'auto' | 'staff';
  /** What is on beyond what is always there, in the order of FEATURES. */
  readonly features: ReadonlySet<Feature>;
  readonly staffEmails: ReadonlySet<string>;
  readonly businessRegisterUrl: string;
  readonly snsTopicArns: readonly string[];
  readonly sentryDsn: string | null;
  readonly role: 'all' | 'web' | 'worker';
  readonly logLevel: string;
  readonly metricsToken: string | null;
  /** Login mails that nobody used, wrong codes and newsletter sign-ups of one client in ten minutes. */
  readonly loginLimitPerIp: number;
  /** Requests of any kind that one client address may make to this process; 0 for no limit. */
  readonly requestsPerMinute: number;
  /** Invoices that a company younger than a week may mail in a day; null for no limit. */
  readonly newCompanyMailsPerDay: number | null;
  /** Whether X-Forwarded-For comes from a proxy that may be believed. */
  readonly trustProxy: boolean;
  /** Threads that render PDFs. */
  readonly pdfThreads: number;
}

/** Thrown when the environment cannot be used; lists every fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const text = z
  .string()
  .optional()
  .transform((value) => value?.trim() || undefined);

const PERCENT_ENCODED = '; in a user name or password, write @ as %40, # as %23, / as %2F';

function url(...protocols: string[]) {
  const hasPassword = !protocols.includes('http:');
  return text.refine(
    (value) => value === undefined || protocols.includes(URL.parse(value)?.protocol ?? ''),
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}${hasPassword ? PERCENT_ENCODED : ''}`,
  );
}

/** The root of a host: Faktur's own addresses begin there, and browsers name the origin so. */
const origin = url('http:', 'https:')
  .refine((value) => {
    const parsed = value === undefined ? null : URL.parse(value);
    return parsed === null || (parsed.pathname === '/' && parsed.search + parsed.hash === '');
  }, 'must end after the host: Faktur answers at the root of its own host name')
  .transform((value) => (value === undefined ? undefined : new URL(value).origin));

const ADDRESS = /^[^\s@<>,]+@[^\s@<>,]+$/;

function mailAddress(fallback: string) {
  return text
    .transform((value) => value ?? fallback)
    .refine((value) => ADDRESS.test(value), 'must be an address such as faktura@example.no');
}

function whole(least: number, most: number, fallback: number) {
  return text
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .refine(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `must be a whole number from ${least} to ${most}`,
    );
}

function wholeOrNone(least: number, most: number, fallback: number) {
  return text
    .transform((value) => (value === 'none' ? null : Number(value ?? fallback)))
    .refine(
      (value) => value === null || (Number.isInteger(value) && value >= least && value <= most),
      `must be a whole number from ${least} to ${most}, or none`,
    );
}

function choice<const T extends string>(first: T, ...others: T[]) {
  const values = [first, ...others];
  return text
    .transform((value) => value ?? first)
    .refine((value): value is T => values.includes(value as T), `must be ${values.join(' or ')}`);
}

const list = text.transform((value) =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const features = list
  .refine(
    (names) => names.every((name) => name === 'all' || FEATURES.some((known) => known === name)),
    `must be all, or some of ${FEATURES.join(', ')} with commas between them`,
  )
  .transform((names) => FEATURES.filter((known) => names.includes(known) || names.includes('all')));

const environment = z.object({
  PORT: whole(0, 65_535, 3000),
  HOST: text.transform((value) => value ?? '127.0.0.1'),
  PUBLIC_URL: origin,
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATA_DIR: text.transform((value) => resolve(value ?? 'data')),
  SMTP_URL: url('smtp:', 'smtps:'),
  SMTP_TIMEOUT_SECONDS: whole(1, 600, 60),
  SMTP_CONNECTIONS: whole(1, 100, 10),
  MAIL_FROM: mailAddress('faktura@localhost'),
  SUPPORT_EMAIL: mailAddress('hjelp@localhost'),
  DKIM_DOMAIN: text,
  DKIM_SELECTOR: text,
  DKIM_PRIVATE_KEY_FILE: text,
  SECRET_KEY: text.refine(
    (value) => value === undefined || value.length >= 32,
    'must have at least 32 characters',
  ),
  REGISTRATION: choice('open', 'closed'),
  DISPATCH: choice('auto', 'staff'),
  FEATURES: features,
  STAFF_EMAILS: list.refine(
    (emails) => emails.every((email) => ADDRESS.test(email)),
    'must be addresses with commas between them',
  ),
  BUSINESS_REGISTER_URL: url('http:', 'https:'),
  SNS_TOPIC_ARNS: list,
  SENTRY_DSN: url('http:', 'https:'),
  ROLE: choice('all', 'web', 'worker'),
  LOG_LEVEL: choice('info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'),
  METRICS_TOKEN: text,
  LOGIN_LIMIT_PER_IP: whole(1, 1_000_000, 100),
  REQUESTS_PER_MINUTE: whole(0, 10_000_000, 0),
  NEW_COMPANY_MAILS_PER_DAY: wholeOrNone(1, 1_000_000, 1000),
  TRUST_PROXY: choice('no', 'yes'),
  PDF_THREADS: whole(1, 64, SPARE_CORES),
});

type Environment = z.output<typeof environment>;

/**
 * Reads and checks the whole environment. Makes the data folder, and in it the secret key when the
 * embedded database is used and none is set. @throws ConfigError listing every fault.
 */
export function readConfig(source: NodeJS.ProcessEnv): Config {
  const parsed = environment.safeParse(source);
  const faults = parsed.success
    ? findConflicts(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if (!parsed.success || faults.length > 0) throw unusable(faults);
  return toConfig(parsed.data);
}

function unusable(faults: readonly string[], cause?: unknown): ConfigError {
  const lines = faults.map((fault) => `  - ${fault}`);
  return new ConfigError(`The settings cannot be used:\n${lines.join('\n')}`, { cause });
}

function findConflicts(env: Environment): string[] {
  const faults: string[] = [];
  if (env.DATABASE_URL && !env.SECRET_KEY) {
    faults.push('SECRET_KEY is required with DATABASE_URL, so that every process uses the same');
  }
  if (env.ROLE !== 'all' && !env.DATABASE_URL) {
    faults.push(`ROLE=${env.ROLE} needs DATABASE_URL: the embedded database serves one process`);
  }
  const dkim = [env.DKIM_DOMAIN, env.DKIM_SELECTOR, env.DKIM_PRIVATE_KEY_FILE];
  if (dkim.some(Boolean) && !dkim.every(Boolean)) {
    faults.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY_FILE go together');
  }
  return faults;
}

function toConfig(env: Environment): Config {
  if (usesDataDir(env)) prepareDataDir(env.DATA_DIR);
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    databaseUrl: env.DATABASE_URL ?? null,
    dataDir: env.DATA_DIR,
    smtpUrl: env.SMTP_URL ?? null,
    smtpTimeout: env.SMTP_TIMEOUT_SECONDS * 1000,
    smtpConnections: env.SMTP_CONNECTIONS,
    mailFrom: env.MAIL_FROM,
    supportEmail: env.SUPPORT_EMAIL,
    dkim: readDkim(env),
    secretKey: env.SECRET_KEY ?? readSecretKey(env.DATA_DIR),
    registration: env.REGISTRATION,
    dispatch: env.DISPATCH,
    features: new Set(env.FEATURES),
    staffEmails: new Set(env.STAFF_EMAILS.map((email) => asciiEmail(email.toLowerCase()))),
    businessRegisterUrl: env.BUSINESS_REGISTER_URL ?? 'https://data.brreg.no/enhetsregisteret/api',
    snsTopicArns: env.SNS_TOPIC_ARNS,
    sentryDsn: env.SENTRY_DSN ?? null,
    role: env.ROLE,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN ?? null,
    loginLimitPerIp: env.LOGIN_LIMIT_PER_IP,
    requestsPerMinute: env.REQUESTS_PER_MINUTE,
    newCompanyMailsPerDay: env.NEW_COMPANY_MAILS_PER_DAY,
    trustProxy: env.TRUST_PROXY === 'yes',
    pdfThreads: env.PDF_THREADS,
  };
}

function readDkim(env: Environment): Config['dkim'] {
  if (!env.DKIM_DOMAIN || !env.DKIM_SELECTOR || !env.DKIM_PRIVATE_KEY_FILE) return null;
  try {
    return {
      domainName: env.DKIM_DOMAIN,
      keySelector: env.DKIM_SELECTOR,
      privateKey: readFileSync(env.DKIM_PRIVATE_KEY_FILE, 'utf8'),
    };
  } catch (error) {
    const reason = reasonOf(error);
    throw unusable([`DKIM_PRIVATE_KEY_FILE cannot be read (${reason})`], error);
  }
}

function readSecretKey(dataDir: string): string {
  try {
    return keepSecretKey(dataDir);
  } catch (error) {
    throw unusable([`The secret key cannot be used: ${reasonOf(error)}`], error);
  }
}

/** A database and a mail server elsewhere, and a key from outside, leave nothing to write. */
function usesDataDir(env: Environment): boolean {
  return !env.DATABASE_URL || !env.SMTP_URL;
}

function prepareDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(
      [
        `DATA_DIR cannot be written to (${reasonOf(error)}): let the user that runs Faktur write there, or name another folder`,
      ],
      error,
    );
  }
}

/** Node's own words: "EACCES: permission denied, mkdir '/var/faktur'". */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
