import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ConfigError, readConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import { openNetwork } from '../delivery/carriers/ehf/network.ts';
import { openDatabase, type Database } from '../platform/db/database.ts';
import { pendingMigrations } from '../platform/db/migrate.ts';
import { UnusableDatabaseError } from '../platform/db/database-errors.ts';
import { rootCause } from '../platform/log/outside-error.ts';
import { openObjectStore } from '../platform/object-store/open-object-store.ts';
import {
  OperatorError,
  UsageError,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';
import { askServer, listenToOperator } from './operator-socket.ts';
import { explainStartFailure } from './start-failure.ts';

/** A command loads only its own code, which saves a third of its start. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['staff', async () => (await import('./staff.command.ts')).staffCommand],
  ['token', async () => (await import('./token.command.ts')).tokenCommand],
  ['members', async () => (await import('./members.command.ts')).membersCommand],
  ['delivery', async () => (await import('./delivery.command.ts')).deliveryCommand],
  ['documents', async () => (await import('./documents.command.ts')).documentsCommand],
  ['ehf', async () => (await import('./ehf.command.ts')).ehfCommand],
  ['ledger', async () => (await import('./ledger.command.ts')).ledgerCommand],
  ['rates', async () => (await import('./rates.command.ts')).ratesCommand],
  ['company', async () => (await import('./company.command.ts')).companyCommand],
  ['db:backup', async () => (await import('./backup.command.ts')).backupCommand],
]);
/** Restores open the database by themselves, so this is no `Command`. */
const RESTORE = 'db:restore';

/**
 * Runs a command at the operator's terminal: in the process that has the embedded database open if there is one,
 * otherwise here. Returns the exit code; 2 for a wrong call.
 */
export async function runOperatorCommand(
  name: string,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const usage = name === RESTORE ? await restoreUsage() : (await COMMANDS.get(name)?.())?.usage;
  if (usage === undefined) {
    output.line(
      `There is no command ${name}. There are ${[...COMMANDS.keys(), RESTORE].join(', ')}.`,
    );
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    output.line(usage);
    return 0;
  }
  return reportingErrors(usage, output, async () => {
    const config = readConfig(process.env);
    if (name !== RESTORE) return runWhereItIsOpen(config, name, args, output);
    const { readRestore, restore } = await import('./backup.command.ts');
    const request = await readRestore(args);
    return onDatabase(config, async (database) => restore(config, database, request, output));
  });
}

async function restoreUsage(): Promise<string> {
  return (await import('./backup.command.ts')).RESTORE_USAGE;
}

/** Runs the commands of `runOperatorCommand` in this process, which has the embedded database open. */
export async function takeCommands(
  context: OperatorContext & Pick<Context, 'log'>,
): Promise<{ close: () => Promise<void> }> {
  // Before the files are replaced by those of a newer version, under a process of this one.
  await Promise.all(COMMANDS.values().map(async (load) => load()));
  return listenToOperator(context.config.dataDir, context.log, async ({ command, args }, output) =>
    runCommand(context, command, args, output),
  );
}

/** Runs a command on an open database, reports errors, and returns its exit code. */
export async function runCommand(
  context: OperatorContext,
  name: string,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const command = await COMMANDS.get(name)?.();
  return reportingErrors(command?.usage ?? '', output, async () => {
    if (!command) throw new OperatorError(`There is no command ${name}.`);
    if (!command.anyVersion) await requireCurrentTables(context);
    return command.run(context, args, output);
  });
}

/** Prints errors that the operator can fix. */
async function reportingErrors(
  usage: string,
  output: Output,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof OperatorError) && !(error instanceof ConfigError)) throw error;
    output.line(error.message);
    if (!(error instanceof UsageError)) return 1;
    output.line(`\n${usage}`);
    return 2;
  }
}

async function requireCurrentTables({ db }: OperatorContext): Promise<void> {
  const pending = await pendingMigrations(db).catch((error: unknown) => {
    if (!(error instanceof UnusableDatabaseError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  });
  if (pending.length === 0) return;
  throw new OperatorError(
    'The database has not been prepared by this version of Faktur. Run npm start once, then try again.',
  );
}

async function runWhereItIsOpen(
  config: Config,
  name: string,
  args: readonly string[],
  output: Output,
): Promise<number> {
  if (config.databaseUrl === null) {
    const exit = await askServer(config.dataDir, { command: name, args }, output);
    if (exit !== null) return exit;
    if (!existsSync(join(config.dataDir, 'postgres'))) {
      throw new OperatorError(
        `There is no database in ${config.dataDir}. Run npm start once; DATA_DIR and DATABASE_URL say where it is.`,
      );
    }
  }
  const network = openNetwork(config);
  const objectStore = openObjectStore(config.documentStore);
  try {
    return await onDatabase(config, async ({ db, directUrl }) =>
      runCommand({ config, db, directUrl, network, objectStore }, name, args, output),
    );
  } finally {
    objectStore.close();
  }
}

/** Commands run long, in one session or one long transaction, so they bypass a pooler. */
async function onDatabase(
  config: Config,
  run: (database: Database) => Promise<number>,
): Promise<number> {
  const setting =
    config.databaseDirectUrl === config.databaseUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  let isOpen = false;
  let database: Database | undefined;
  try {
    database = await openDatabase({
      ...config,
      databaseUrl: config.databaseDirectUrl,
      onError: () => undefined,
      limits: undefined,
    });
    await database.db.connection().execute(async () => undefined);
    isOpen = true;
    return await run(database);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = explainStartFailure(error, config, setting);
    if (reason === null && isOpen) throw error;
    throw new OperatorError(reason ?? rootCause(error).message, { cause: error });
  } finally {
    await database?.close();
  }
}
