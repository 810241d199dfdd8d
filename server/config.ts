import { isIP } from 'node:net';
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';

import { asciiEmail } from '../domain/email.ts';
import type { Feature } from '../domain/api/endpoint.ts';
import { environment, type Environment } from './platform/settings/environment.ts';
import { readS3Address, type S3Settings } from './platform/object-store/object-store.ts';
import { loadSecretKey } from './platform/settings/secret-key.ts';

/** All settings of the product in the form that the code uses. Nothing else reads the environment. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The origin in mailed links, without a trailing slash. */
  readonly publicUrl: string;
  readonly databaseUrl: string | null;
  /** URL of the same database that bypasses a pooler; `databaseUrl` itself unless set. */
  readonly databaseDirectUrl: string | null;
  /** Whether statements may be prepared by name, which some poolers do not support. */
  readonly preparesStatements: boolean;
  readonly dataDir: string;
  /** The store of documents' bytes outside the database; null when there is none. */
  readonly documentStore: S3Settings | null;
  readonly smtpUrl: string | null;
  /** How long the mail server may take to answer one delivery attempt (milliseconds). */
  readonly smtpTimeout: number;
  /** Connections to the mail server: as many mails are sent at once by one process. */
  readonly smtpConnections: number;
  readonly mailFrom: string;
  readonly supportEmail: string;
  readonly dkim: { domainName: string; keySelector: string; privateKey: string } | null;
  readonly secretKey: string;
  readonly registration: 'open' | 'closed';
  readonly dispatch: 'auto' | 'staff';
  /** Features that the operator has turned on, in the order of FEATURES. */
  readonly features: ReadonlySet<Feature>;
  /** Whether inkassovarsel may be sent. A law is changing who may send it. */
  readonly debtCollectionNotice: boolean;
  /** Peppol's network, which is asked who receives EHF; null when nobody is asked. */
  readonly peppol: PeppolConfig | null;
  /** The access point for EHF; null when EHF is off. */
  readonly ehf: EhfConfig | null;
  readonly staffEmails: ReadonlySet<string>;
  readonly businessRegisterUrl: string;
  readonly snsTopicArns: readonly string[];
  /** `host:port` of webhooks that may be on a private network, and over http. */
  readonly webhookHosts: readonly string[];
  readonly sentryDsn: string | null;
  readonly role: 'all' | 'web' | 'worker';
  readonly logLevel: string;
  readonly metricsToken: string | null;
  /** Per client in ten minutes: unused login mails, wrong codes, newsletter sign-ups. */
  readonly loginLimitPerIp: number;
  /** Requests of one client to this process; 0 means no limit. */
  readonly requestsPerMinute: number;
  /** Invoices that a company younger than a week may mail per day; null means no limit. */
  readonly newCompanyMailsPerDay: number | null;
  /** Whether X-Forwarded-For comes from a trusted proxy. */
  readonly trustProxy: boolean;
}

interface EhfConfig {
  readonly accessPoint: 'phoss-ap' | 'storecove';
  /** The access point's origin. */
  readonly url: string;
  readonly token: string;
}

/** Peppol's network: who is in it, and where that is asked. */
interface PeppolConfig {
  readonly name: 'test' | 'production';
  /** The zone of the Service Metadata Locator. */
  readonly zone: string;
  /** `ip:port` of the name server for look-ups; null uses those of the machine. */
  readonly nameServer: string | null;
  /** For trials: the address on this machine that answers in place of every publisher. */
  readonly publisher: { readonly host: string; readonly port: number } | null;
}

/** OpenPeppol's zones, since it took over the locator in 2026. */
const SML_ZONES = {
  test: 'participant.sml.test.tech.peppol.org',
  production: 'participant.sml.prod.tech.peppol.org',
} as const;

/** Thrown when the environment is unusable; lists every fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads and checks the environment. Creates the data folder, and in it a secret key when none is set and the embedded
 * database is used.
 * @throws ConfigError listing every fault
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
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL) {
    faults.push(
      'DATABASE_DIRECT_URL is another way to the database of DATABASE_URL, which is missing',
    );
  }
  if (env.ROLE !== 'all' && !env.DATABASE_URL) {
    faults.push(`ROLE=${env.ROLE} needs DATABASE_URL: the embedded database serves one process`);
  }
  const dkim = [env.DKIM_DOMAIN, env.DKIM_SELECTOR, env.DKIM_PRIVATE_KEY_FILE];
  if (dkim.some(Boolean) && !dkim.every(Boolean)) {
    faults.push('DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY_FILE go together');
  }
  if (env.DOCUMENT_STORE && !env.AWS_ACCESS_KEY_ID !== !env.AWS_SECRET_ACCESS_KEY) {
    faults.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY go together');
  }
  if (env.ACCESS_POINT !== 'none') {
    for (const name of ['ACCESS_POINT_URL', 'ACCESS_POINT_TOKEN'] as const) {
      if (!env[name]) faults.push(`${name} is required with ACCESS_POINT=${env.ACCESS_POINT}`);
    }
  }
  return faults;
}

function toConfig(env: Environment): Config {
  if (usesDataDir(env)) prepareDataDir(env.DATA_DIR);
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL ?? null,
    preparesStatements: env.DATABASE_PREPARED_STATEMENTS === 'yes',
    dataDir: env.DATA_DIR,
    documentStore: readDocumentStore(env),
    smtpUrl: env.SMTP_URL ?? null,
    smtpTimeout: env.SMTP_TIMEOUT_SECONDS * 1000,
    smtpConnections: env.SMTP_CONNECTIONS,
    mailFrom: env.MAIL_FROM,
    supportEmail: env.SUPPORT_EMAIL,
    dkim: readDkim(env),
    secretKey: env.SECRET_KEY ?? readSecretKey(env.DATA_DIR),
    registration: env.REGISTRATION,
    dispatch: env.DISPATCH,
    features: new Set([
      ...env.FEATURES,
      ...(env.ACCESS_POINT === 'none' ? [] : ['ehf' as const]),
      ...(env.FEATURES.includes('security') && hasHostName(publicUrl) ? ['passkeys' as const] : []),
    ]),
    debtCollectionNotice: env.DEBT_COLLECTION_NOTICE === 'yes',
    peppol: readPeppol(env),
    ehf: readEhf(env),
    staffEmails: new Set(env.STAFF_EMAILS.map((email) => asciiEmail(email.toLowerCase()))),
    businessRegisterUrl: env.BUSINESS_REGISTER_URL ?? 'https://data.brreg.no/enhetsregisteret/api',
    snsTopicArns: env.SNS_TOPIC_ARNS,
    webhookHosts: env.WEBHOOK_HOSTS,
    sentryDsn: env.SENTRY_DSN ?? null,
    role: env.ROLE,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN ?? null,
    loginLimitPerIp: env.LOGIN_LIMIT_PER_IP,
    requestsPerMinute: env.REQUESTS_PER_MINUTE,
    newCompanyMailsPerDay: env.NEW_COMPANY_MAILS_PER_DAY,
    trustProxy: env.TRUST_PROXY === 'yes',
  };
}

/** Whether passkeys can be made for a site: browsers make none for an IP address (WebAuthn Level 3 § 5.1.3). */
function hasHostName(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replaceAll(/[[\]]/g, '')) === 0;
}

function readDocumentStore(env: Environment): S3Settings | null {
  const address = env.DOCUMENT_STORE === undefined ? null : readS3Address(env.DOCUMENT_STORE);
  if (!address) return null;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const credentials =
    accessKeyId && secretAccessKey
      ? { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN }
      : null;
  return { ...address, credentials };
}

/** Look-ups need no access point: the network's name is enough. */
function readPeppol(env: Environment): PeppolConfig | null {
  if (env.ACCESS_POINT === 'none' && env.PEPPOL_NETWORK === undefined) return null;
  const name = env.PEPPOL_NETWORK ?? 'test';
  const zone = env.PEPPOL_SML_ZONE ?? SML_ZONES[name];
  return { name, zone, nameServer: env.PEPPOL_DNS ?? null, publisher: env.PEPPOL_SMP };
}

function readEhf(env: Environment): EhfConfig | null {
  const { ACCESS_POINT: accessPoint, ACCESS_POINT_URL: url, ACCESS_POINT_TOKEN: token } = env;
  return accessPoint === 'none' || !url || !token ? null : { accessPoint, url, token };
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
    return loadSecretKey(dataDir);
  } catch (error) {
    throw unusable([`The secret key cannot be used: ${reasonOf(error)}`], error);
  }
}

/** With an external database and mail server, nothing is written there. */
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

/** Node's own message: "EACCES: permission denied, mkdir '/var/faktur'". */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
