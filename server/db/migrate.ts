import { setTimeout as sleep } from 'node:timers/promises';

import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

import {
  createMigrationTable,
  findPending,
  recordMigration,
  type Migrations,
} from './applied-migrations.ts';
import type { Database, Db, Trx } from './database.ts';
import { isDeadlock, isLockTimeout } from './errors.ts';
import { withMigrationLock } from './migration-lock.ts';
import type { Migration } from './migration.ts';
import { accounts } from './migrations/0001-accounts.ts';
import { customers } from './migrations/0002-customers.ts';
import { invoices } from './migrations/0003-invoices.ts';
import { delivery } from './migrations/0004-delivery.ts';
import { staff } from './migrations/0005-staff.ts';
import { waitingDeliveries } from './migrations/0006-waiting-deliveries.ts';
import { waitingDeliveryIndexes } from './migrations/0007-waiting-delivery-indexes.ts';
import { documentVersion } from './migrations/0008-document-version.ts';
import { versions } from './migrations/0009-versions.ts';
import { unsent } from './migrations/0010-unsent.ts';
import { unsentIndexes } from './migrations/0011-unsent-indexes.ts';
import { history } from './migrations/0012-history.ts';
import { documents } from './migrations/0013-documents.ts';
import { carriers } from './migrations/0014-carriers.ts';
import { carriersIndexes } from './migrations/0014-carriers-indexes.ts';
import { deliveryDocuments } from './migrations/0014-delivery-documents.ts';
import { ehf } from './migrations/0017-ehf.ts';
import { deliveriesAgain } from './migrations/0018-deliveries-again.ts';
import { deliveriesAgainIndexes } from './migrations/0019-deliveries-again-indexes.ts';
import { counts } from './migrations/0020-counts.ts';
import { payments } from './migrations/0021-payments.ts';
import { paymentsFilled } from './migrations/0021-payments-filled.ts';
import { bankFiles } from './migrations/0022-bank-files.ts';
import { bankFilesIndexes } from './migrations/0022-bank-files-indexes.ts';
import { kidAgreement } from './migrations/0023-kid-agreement.ts';
import { outstanding } from './migrations/0024-outstanding.ts';
import { outstandingFilled } from './migrations/0024-outstanding-filled.ts';
import { outstandingKept } from './migrations/0024-outstanding-kept.ts';
import { kidIndex } from './migrations/0025-kid-index.ts';
import { bankEntryIndexes } from './migrations/0026-bank-entry-indexes.ts';
import { latePaymentRates } from './migrations/0027-late-payment-rates.ts';
import { reminders } from './migrations/0028-reminders.ts';
import { remindersValidated } from './migrations/0028-reminders-validated.ts';
import { recurring } from './migrations/0029-recurring.ts';
import { remainderIndex } from './migrations/0030-remainder-index.ts';
import { reminderPayments } from './migrations/0030-reminder-payments.ts';
import { reminderPaymentsValidated } from './migrations/0030-reminder-payments-validated.ts';
import { reminderDay } from './migrations/0031-reminder-day.ts';
import { units } from './migrations/0034-units.ts';
import { unitsValidated } from './migrations/0034-units-validated.ts';
import { waitingReversalIndex } from './migrations/0032-waiting-reversal-index.ts';
import { draftChanges } from './migrations/0033-draft-changes.ts';
import { invoiceList } from './migrations/0035-invoice-list.ts';
import { invoiceListIndexes } from './migrations/0035-invoice-list-indexes.ts';
import { failureNotices } from './migrations/0036-failure-notices.ts';
import { failureNoticesIndex } from './migrations/0036-failure-notices-index.ts';
import { lineDescriptions } from './migrations/0037-line-descriptions.ts';
import { logos } from './migrations/0038-logos.ts';
import { logosIndexes } from './migrations/0038-logos-indexes.ts';
import { documentStore } from './migrations/0039-document-store.ts';
import { documentStoreValidated } from './migrations/0039-document-store-validated.ts';
import { companyInTriggers } from './migrations/0040-company-in-triggers.ts';
import { failedRemindersIndex } from './migrations/0041-failed-reminders-index.ts';
import { interestAsked } from './migrations/0042-interest-asked.ts';
import { invoiceLineIndex } from './migrations/0043-invoice-line-index.ts';
import { invoiceLineKeyDropped } from './migrations/0044-invoice-line-key-dropped.ts';
import { groupVersionAtDeletion } from './migrations/0045-group-version-at-deletion.ts';
import { renumberedCustomer } from './migrations/0046-renumbered-customer.ts';
import { lateReminders } from './migrations/0047-late-reminders.ts';
import { lateRemindersValidated } from './migrations/0048-late-reminders-validated.ts';
import type { Tables } from './tables.ts';
import { UnusableDatabaseError } from './unusable.ts';

/** The migrations that this version of the product knows, oldest first. */
export const MIGRATIONS: Migrations = {
  '0001-accounts': accounts,
  '0002-customers': customers,
  '0003-invoices': invoices,
  '0004-delivery': delivery,
  '0005-staff': staff,
  '0006-waiting-deliveries': waitingDeliveries,
  '0007-waiting-delivery-indexes': waitingDeliveryIndexes,
  '0008-document-version': documentVersion,
  '0009-versions': versions,
  '0010-unsent': unsent,
  '0011-unsent-indexes': unsentIndexes,
  '0012-history': history,
  '0013-documents': documents,
  '0014-carriers': carriers,
  '0014-carriers-indexes': carriersIndexes,
  '0014-delivery-documents': deliveryDocuments,
  '0017-ehf': ehf,
  '0018-deliveries-again': deliveriesAgain,
  '0019-deliveries-again-indexes': deliveriesAgainIndexes,
  '0020-counts': counts,
  '0021-payments': payments,
  '0021-payments-filled': paymentsFilled,
  '0022-bank-files': bankFiles,
  '0022-bank-files-indexes': bankFilesIndexes,
  '0023-kid-agreement': kidAgreement,
  '0024-outstanding': outstanding,
  '0024-outstanding-filled': outstandingFilled,
  '0024-outstanding-kept': outstandingKept,
  '0025-kid-index': kidIndex,
  '0026-bank-entry-indexes': bankEntryIndexes,
  '0027-late-payment-rates': latePaymentRates,
  '0028-reminders': reminders,
  '0028-reminders-validated': remindersValidated,
  '0029-recurring': recurring,
  '0030-remainder-index': remainderIndex,
  '0030-reminder-payments': reminderPayments,
  '0030-reminder-payments-validated': reminderPaymentsValidated,
  '0031-reminder-day': reminderDay,
  '0032-waiting-reversal-index': waitingReversalIndex,
  '0033-draft-changes': draftChanges,
  '0034-units': units,
  '0034-units-validated': unitsValidated,
  '0035-invoice-list': invoiceList,
  '0035-invoice-list-indexes': invoiceListIndexes,
  '0036-failure-notices': failureNotices,
  '0036-failure-notices-index': failureNoticesIndex,
  '0037-line-descriptions': lineDescriptions,
  '0038-logos': logos,
  '0038-logos-indexes': logosIndexes,
  '0039-document-store': documentStore,
  '0039-document-store-validated': documentStoreValidated,
  '0040-company-in-triggers': companyInTriggers,
  '0041-failed-reminders-index': failedRemindersIndex,
  '0042-interest-asked': interestAsked,
  '0043-invoice-line-index': invoiceLineIndex,
  '0044-invoice-line-key-dropped': invoiceLineKeyDropped,
  '0045-group-version-at-deletion': groupVersionAtDeletion,
  '0046-renumbered-customer': renumberedCustomer,
  '0047-late-reminders': lateReminders,
  '0048-late-reminders-validated': lateRemindersValidated,
};

/** Their names. */
export const KNOWN_MIGRATIONS: readonly string[] = Object.keys(MIGRATIONS);

const OLDEST_SERVER = 150_000;
const CONNECT_TIMEOUT = 10_000;
/**
 * A migration that waits for a table blocks everybody who comes after it. So it waits this long at
 * most, pauses, and tries again until the time is up (milliseconds). PostgreSQL looks for deadlocks
 * after a second; before that the migration gives way.
 */
const LOCK_TIMEOUT = 500;
const PAUSE = 3000;
const TRY_FOR = 10 * 60_000;

interface Options {
  readonly migrations?: Migrations;
  readonly lockTimeout?: number;
  readonly pause?: number;
  readonly tryFor?: number;
  /** Writes to the log what is done and what is waited for. */
  readonly report?: (message: string) => void;
}

type Settings = Required<Options>;

const DEFAULTS: Settings = {
  migrations: MIGRATIONS,
  lockTimeout: LOCK_TIMEOUT,
  pause: PAUSE,
  tryFor: TRY_FOR,
  report: () => undefined,
};

/**
 * Brings the database up to date, also while others work in it. When several processes call it at
 * once, the first does the work and the others wait for it.
 * @throws UnusableDatabaseError for a database that cannot be used
 */
export async function migrate(
  database: Pick<Database, 'db' | 'directUrl'>,
  options: Options = {},
): Promise<void> {
  const settings = { ...DEFAULTS, ...options };
  const pending = await findPending(database.db, settings.migrations);
  if (pending.length === 0) return;
  await requireSupportedServer(database.db);
  if (database.directUrl === null) {
    // Nobody else has the embedded database open.
    await database.db
      .connection()
      .execute(async (connection) => migrateAll(connection, false, settings));
    return;
  }
  const db = openConnection(database.directUrl);
  try {
    await db.connection().execute(async (connection) => {
      await sql`SET statement_timeout = 0`.execute(connection);
      await sql`SET lock_timeout = 0`.execute(connection);
      await withMigrationLock(connection, settings.report, async () =>
        migrateAll(connection, true, settings),
      );
    });
  } finally {
    await db.destroy();
  }
}

/** The migrations of this version that the database lacks. @throws UnusableDatabaseError */
export async function pendingMigrations(db: Db): Promise<string[]> {
  return findPending(db, MIGRATIONS);
}

/** Applies these migrations in a transaction. */
export async function applyMigrations(trx: Trx, names: readonly string[]): Promise<void> {
  await createMigrationTable(trx);
  for (const name of names) await applyIn(trx, name, find(MIGRATIONS, name));
}

/** A connection without the time limits of the product's pool, which are for requests. */
function openConnection(url: string): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    application_name: 'faktur-migration',
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

async function migrateAll(db: Db, isShared: boolean, settings: Settings): Promise<void> {
  const { migrations, report } = settings;
  await retryWhileLocked('the table of migrations', settings, async () =>
    inTransaction(db, settings, createMigrationTable),
  );
  for (const name of await findPending(db, migrations)) {
    const migration = find(migrations, name);
    await retryWhileLocked(name, settings, async () =>
      migration.online && isShared
        ? applyOnline(db, name, migration)
        : inTransaction(db, settings, async (trx) => applyIn(trx, name, migration)),
    );
    report(`migrated the database: ${name}`);
  }
}

function find(migrations: Migrations, name: string): Migration {
  const migration = migrations[name];
  if (!migration) throw new Error(`There is no migration ${name}`);
  return migration;
}

async function applyIn(trx: Trx, name: string, migration: Migration): Promise<void> {
  await migration.up(withoutTypes(trx));
  await recordMigration(trx, name, migration, 'DONE');
}

async function applyOnline(db: Db, name: string, migration: Migration): Promise<void> {
  await recordMigration(db, name, migration, 'BEGUN');
  await migration.up(withoutTypes(db));
  await recordMigration(db, name, migration, 'DONE');
}

/** A migration does without the types of tables, which describe another moment. */
function withoutTypes(db: Db): Kysely<unknown> {
  return db as unknown as Kysely<unknown>;
}

async function inTransaction(
  db: Db,
  { lockTimeout }: Settings,
  work: (trx: Trx) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL lock_timeout = ${sql.lit(lockTimeout)}`.execute(trx);
    await work(trx);
  });
}

/** Tries again while others lock what the work needs. @throws UnusableDatabaseError in the end */
async function retryWhileLocked(
  name: string,
  { pause, tryFor, report }: Settings,
  work: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + tryFor;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      if (Date.now() > deadline) {
        throw new UnusableDatabaseError(
          `The database could not be migrated (${name}): another transaction has held its tables for too long. pg_stat_activity shows which; when it has ended, start anew.`,
          { cause: error },
        );
      }
      report(`another transaction holds a table that ${name} changes; trying again`);
      await sleep(pause);
    }
  }
}

async function requireSupportedServer(db: Db): Promise<void> {
  const { rows } = await sql<{ number: number; version: string; encoding: string }>`
    SELECT current_setting('server_version_num')::integer AS number,
      current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding`.execute(db);
  const [server] = rows;
  if (server && server.number < OLDEST_SERVER) {
    throw new UnusableDatabaseError(`PostgreSQL 15 or later is needed; this is ${server.version}.`);
  }
  if (server && server.encoding !== 'UTF8') {
    throw new UnusableDatabaseError(
      `The database has the encoding ${server.encoding}. Create it anew with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
}
