import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { ConfigError, readConfig, type Config } from '../config.ts';
import { openDatabase, type Database } from '../platform/db/database.ts';
import { openObjectStore } from '../platform/object-store/object-store.ts';
import { rootCause } from '../platform/log/outside-error.ts';
import { explainStartFailure } from './start-failure.ts';
import { OperatorError, UsageError, type Output } from './command.ts';
import { COMMAND_NAMES, findUsage, runCommand } from './command-list.ts';
import { socketPath, type OperatorAnswer, type OperatorRequest } from './operator-socket.ts';
import { readRestore, restore, RESTORE_USAGE } from './restore.command.ts';
import { openNetwork } from '../delivery/carriers/ehf/network.ts';

const RESTORE = 'db:restore';

/**
 * Runs an operator's command, in the process that has the embedded database open if there is one. Returns the exit
 * code; 2 for a wrong call.
 */
export async function runOperatorCommand(
  name: string,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const usage = name === RESTORE ? RESTORE_USAGE : findUsage(name);
  if (usage === null) {
    output.line(
      `There is no command ${name}. There are ${[...COMMAND_NAMES, RESTORE].join(', ')}.`,
    );
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    output.line(usage);
    return 0;
  }
  try {
    const config = readConfig(process.env);
    return name === RESTORE
      ? await restoreHere(config, args, output)
      : await runWhereItIsOpen(config, name, args, output);
  } catch (error) {
    if (!(error instanceof OperatorError) && !(error instanceof ConfigError)) throw error;
    output.line(error.message);
    if (error instanceof UsageError) output.line(`\n${usage}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function restoreHere(
  config: Config,
  args: readonly string[],
  output: Output,
): Promise<number> {
  const request = await readRestore(args);
  return onDatabase(config, async (database) => restore(config, database, request, output));
}

async function runWhereItIsOpen(
  config: Config,
  name: string,
  args: readonly string[],
  output: Output,
): Promise<number> {
  if (config.databaseUrl === null) {
    const socket = await reachServer(config.dataDir);
    if (socket) return ask(socket, { command: name, args }, output);
    if (!existsSync(join(config.dataDir, 'postgres'))) {
      throw new OperatorError(
        `There is no database in ${config.dataDir}. Run npm start once; DATA_DIR and DATABASE_URL say where it is.`,
      );
    }
  }
  const network = openNetwork(config.ehf);
  const objectStore = openObjectStore(config.documentStore);
  try {
    return await onDatabase(config, async ({ db }) =>
      runCommand({ config, db, network, objectStore }, name, args, output),
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
  const database = await open(config);
  try {
    return await run(database);
  } catch (error) {
    const reason = error instanceof OperatorError ? null : explain(error, config);
    if (reason === null) throw error;
    throw new OperatorError(reason, { cause: error });
  } finally {
    await database.close();
  }
}

async function open(config: Config): Promise<Database> {
  try {
    const database = await openDatabase({
      ...config,
      databaseUrl: config.databaseDirectUrl,
      onError: () => undefined,
      limits: undefined,
    });
    await database.db.connection().execute(async () => undefined);
    return database;
  } catch (error) {
    const reason = explain(error, config) ?? rootCause(error).message;
    throw new OperatorError(reason, { cause: error });
  }
}

function explain(error: unknown, config: Config): string | null {
  const isDirect = config.databaseDirectUrl !== config.databaseUrl;
  return explainStartFailure(error, config, isDirect ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
}

/** The running process, or null when there is none. */
async function reachServer(dataDir: string): Promise<Socket | null> {
  const socket = connect(socketPath(dataDir));
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    // No socket, or one left by a killed process.
    return null;
  }
}

async function ask(socket: Socket, request: OperatorRequest, output: Output): Promise<number> {
  socket.write(`${JSON.stringify(request)}\n`);
  for await (const text of readLines(socket)) {
    const { line, bytes, exit } = JSON.parse(text) as OperatorAnswer;
    if (line !== undefined) output.line(line);
    if (bytes !== undefined) await output.bytes(Buffer.from(bytes, 'base64'));
    if (exit !== undefined) return exit;
  }
  throw new OperatorError(
    'Faktur stopped before the command was done, or gave it up because nobody read its answer.',
  );
}

/** The lines of the answer, until the other side closes it or is gone. */
async function* readLines(socket: Socket): AsyncGenerator<string> {
  let rest = '';
  socket.setEncoding('utf8');
  try {
    for await (const chunk of socket) {
      const [first = '', ...lines] = String(chunk).split('\n');
      rest += first;
      for (const line of lines) {
        yield rest;
        rest = line;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'read') throw error;
  }
}
