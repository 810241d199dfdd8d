import { parseArgs, type ParseArgsConfig } from 'node:util';

import { asciiEmail, readableEmail } from '../../domain/email.ts';
import type { Context } from '../context.ts';

/** The dependencies of an operator's command. It runs in the server's process or in its own. */
export type OperatorContext = Pick<
  Context,
  'config' | 'db' | 'directUrl' | 'network' | 'objectStore'
>;

/** The output of a command: a terminal, or a socket to one. */
export interface Output {
  line(text: string): void;
  /** Writes a part of the file that the command makes. Resolves when there is room for more. */
  bytes(chunk: Uint8Array): Promise<void>;
}

/** One of the operator's commands. */
export interface Command {
  /** Text printed by `--help`. */
  readonly usage: string;
  /** Whether it also works on tables of another version, as before an upgrade. */
  readonly anyVersion?: boolean;
  /** Returns the exit code. @throws OperatorError, UsageError */
  run(context: OperatorContext, args: readonly string[], output: Output): Promise<number>;
}

/** An error that the operator can fix; only its message is shown. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** A wrong call of the command; its usage is shown too. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** An option with a value. */
export const TEXT = { type: 'string' } as const;
/** An option without one. */
export const FLAG = { type: 'boolean' } as const;

/** Parses the words and the options of a command. @throws UsageError for an unknown option */
export function readArguments<const Known extends Options>(args: readonly string[], known: Known) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: known,
      allowPositionals: true,
    });
    return { words: positionals, options: values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ', 1)[0] : String(error));
  }
}

/** Does an action; returns the exit code, if it is not 0. @throws OperatorError, UsageError */
type Action<Known extends Options> = (
  context: OperatorContext,
  /** The target of the action, the word after its name. */
  call: Pick<ReturnType<typeof readArguments<Known>>, 'options'> & { word: string | undefined },
  output: Output,
) => Promise<number | void>;

/** A command whose first word is an action, such as `add EMAIL`. */
export function commandOf<const Known extends Options>({
  usage,
  actions,
  options: known,
}: {
  readonly usage: string;
  readonly actions: Readonly<Record<string, Action<Known>>>;
  readonly options: Known;
}): Command {
  return {
    usage,
    async run(context, args, output) {
      const { words, options } = readArguments(args, known);
      const [name, word, ...rest] = words;
      refuseWords(rest);
      if (name === undefined) throw new UsageError('What to do?');
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (!action) throw new UsageError(`Unknown: ${name}`);
      return (await action(context, { word, options }, output)) ?? 0;
    },
  };
}

/** @throws UsageError when there are words that a command does not use */
export function refuseWords(words: readonly string[]): void {
  if (words.length > 0) throw new UsageError(`Too many words: ${words.join(' ')}`);
}

/** An e-mail address in the form that accounts have. @throws UsageError when it is missing or invalid */
export function readEmail(word: string | undefined): string {
  const email = asciiEmail(word?.trim().toLowerCase() ?? '');
  if (!email.includes('@')) throw new UsageError('An e-mail address is needed');
  return email;
}

/** The account does not exist. */
export function noAccount(email: string): OperatorError {
  return new OperatorError(
    `There is no account for ${readableEmail(email)}. Its owner has to sign up first.`,
  );
}

/** The lines of a stream of UTF-8 that have arrived whole. @throws TypeError for other bytes */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = '';
  for await (const chunk of chunks) {
    const [rest = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    line += rest;
    for (const next of lines) {
      yield line;
      line = next;
    }
  }
}
