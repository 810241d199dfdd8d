// Runs npm run staff, token, members, delivery, documents, ehf, ledger, rates, company, db:backup and db:restore. The commands are
// in server/operator/.

import fs from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { giveName } from '../server/platform/settings/secret-key.ts';
import { runOperatorCommand } from '../server/operator/run-command.ts';

const [name = '', ...args] = process.argv.slice(2);

/** The words before the name of the file that the command makes; null for one that makes none. */
const WORDS_BEFORE_FILE = name === 'db:backup' ? 0 : isCompany('export') ? 2 : null;
const isHelp = args.some((word) => word === '--help' || word === '-h');

if (WORDS_BEFORE_FILE !== null && !isHelp) {
  process.exitCode = await makeFile(args, WORDS_BEFORE_FILE);
} else {
  // The process that has the database open may run in another folder.
  const words = isCompany('import')
    ? args.map((word, i) => (i === 1 ? resolve(word) : word))
    : args;
  process.exitCode = await runOperatorCommand(name, words, {
    line: (text) => console.log(text),
    bytes: () => Promise.reject(new Error('This command makes no file')),
  });
}

function isCompany(action: string): boolean {
  return name === 'company' && args[0] === action;
}

/** The file gets its name only when it is complete and on disk. */
async function makeFile(words: string[], before: number): Promise<number> {
  // The command itself refuses options that it does not know.
  const options = { company: { type: 'string' } } as const;
  const named = parseArgs({ args: words, options, allowPositionals: true, strict: false });
  const [file, ...more] = named.positionals.slice(before);
  if (file === undefined || more.length > 0 || file.startsWith('-')) {
    console.error('Which file?');
    await runOperatorCommand(name, ['--help'], {
      line: (text) => console.error(`\n${text}`),
      bytes: () => Promise.resolve(),
    });
    return 2;
  }
  if (fs.existsSync(file)) return isThere(file);
  try {
    return await writeTo(file, words);
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    const what = name === 'db:backup' ? 'backup' : 'archive';
    console.error(`The ${what} was not made: ${file} cannot be written (${error.message}).`);
    return 1;
  }
}

function isThere(file: string): number {
  const what = name === 'db:backup' ? 'A backup' : 'An archive';
  console.error(`${file} is there already. ${what} does not write over another.`);
  return 1;
}

async function writeTo(file: string, words: string[]): Promise<number> {
  const partial = `${file}.partial-${process.pid}`;
  const handle = fs.openSync(partial, 'wx', 0o600);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      fs.rmSync(partial, { force: true });
      process.kill(process.pid, signal);
    });
  }
  try {
    const exit = await runOperatorCommand(name, words, {
      line: (text) => console.log(text),
      bytes: async (chunk) => {
        fs.writeFileSync(handle, chunk);
        await Promise.resolve();
      },
    });
    fs.fsyncSync(handle);
    if (exit === 0 && !giveName(partial, file)) return isThere(file);
    return exit;
  } finally {
    fs.closeSync(handle);
    fs.rmSync(partial, { force: true });
  }
}

/** Missing folder, no permission, or disk full. */
function isAboutFile(error: unknown): error is NodeJS.ErrnoException {
  const syscall = error instanceof Error && 'syscall' in error ? error.syscall : '';
  return ['open', 'write', 'fsync', 'link', 'rename'].includes(String(syscall));
}
