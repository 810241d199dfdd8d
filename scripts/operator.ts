// Runs npm run staff, token, delivery, documents, ehf, ledger, rates, db:backup and db:restore. The commands are in
// server/operator/.

import fs from 'node:fs';

import { giveName } from '../server/platform/settings/secret-key.ts';
import { runOperatorCommand } from '../server/operator/run-command.ts';

const [name = '', ...args] = process.argv.slice(2);

if (name === 'db:backup' && !args.some((word) => word === '--help' || word === '-h')) {
  process.exitCode = await backUp(args);
} else {
  process.exitCode = await runOperatorCommand(name, args, {
    line: (text) => console.log(text),
    bytes: () => Promise.reject(new Error('Only a backup has bytes')),
  });
}

/** The file gets its name only when it is complete and on disk. */
async function backUp(words: string[]): Promise<number> {
  const [file] = words;
  if (file === undefined || words.length > 1 || file.startsWith('-')) {
    console.error('Which file?');
    await runOperatorCommand(name, ['--help'], {
      line: (text) => console.error(`\n${text}`),
      bytes: () => Promise.resolve(),
    });
    return 2;
  }
  if (fs.existsSync(file)) return isThere(file);
  try {
    return await backUpTo(file, words);
  } catch (error) {
    if (!isAboutFile(error)) throw error;
    console.error(`The backup was not made: ${file} cannot be written (${error.message}).`);
    return 1;
  }
}

function isThere(file: string): number {
  console.error(`${file} is there already. A backup does not write over another.`);
  return 1;
}

async function backUpTo(file: string, words: string[]): Promise<number> {
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
