import { pendingMigrations } from '../platform/db/migrate.ts';
import { UnusableDatabaseError } from '../platform/db/database-errors.ts';
import { backupCommand } from './backup.command.ts';
import {
  OperatorError,
  UsageError,
  type Command,
  type OperatorContext,
  type Output,
} from './command.ts';
import { deliveryCommand } from './delivery.command.ts';
import { documentsCommand } from './documents.command.ts';
import { ehfCommand } from './ehf.command.ts';
import { ledgerCommand } from './ledger.command.ts';
import { ratesCommand } from './rates.command.ts';
import { staffCommand } from './staff.command.ts';
import { tokenCommand } from './token.command.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  staff: staffCommand,
  token: tokenCommand,
  delivery: deliveryCommand,
  documents: documentsCommand,
  ehf: ehfCommand,
  ledger: ledgerCommand,
  rates: ratesCommand,
  'db:backup': backupCommand,
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** The usage of a command; null when there is no such command. */
export function findUsage(name: string): string | null {
  return COMMAND_NAMES.includes(name) ? findCommand(name).usage : null;
}

/** Finds a command by name. @throws OperatorError */
function findCommand(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new OperatorError(`There is no command ${name}.`);
  return command;
}

/** Runs a command on an open database, reports errors, and returns its exit code. */
export async function runCommand(
  context: OperatorContext,
  name: string,
  args: readonly string[],
  output: Output,
): Promise<number> {
  try {
    const command = findCommand(name);
    if (!command.anyVersion) await requireCurrentTables(context);
    return await command.run(context, args, output);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    output.line(error.message);
    if (error instanceof UsageError) output.line(`\n${findCommand(name).usage}`);
    return error instanceof UsageError ? 2 : 1;
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
