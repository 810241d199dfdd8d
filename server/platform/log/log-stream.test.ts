import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

const MODULE = JSON.stringify(join(import.meta.dirname, 'log-stream.ts'));

const ALL = Array.from({ length: 1000 }, (_, index) => index + 1);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faktur-log-'));
});
afterAll(async () => rm(folder, { recursive: true }));

/** Runs a program whose standard output is a file, and returns its exit code. */
async function run(program: string, output: string): Promise<number | null> {
  const fd = openSync(output, 'w');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', fd, 'inherit'],
  });
  closeSync(fd);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

test('lines logged just before the end are written', async () => {
  const output = join(folder, 'whole');
  const code = await run(
    `import { openLogStream } from ${MODULE};
    const log = openLogStream(1);
    for (let line = 1; line <= ${ALL.length}; line++) log.write(line + '\\n');
    process.exit(0);`,
    output,
  );
  expect(code).toBe(0);
  const lines = (await readFile(output, 'utf8')).trim().split('\n').map(Number);
  expect(lines.toSorted((one, other) => one - other)).toEqual(ALL);
});

// Linux has a device that is always full.
test.skipIf(!existsSync('/dev/full'))('a full disk ends nothing, and holds up no end', async () => {
  const code = await run(
    `import { openLogStream } from ${MODULE};
    const log = openLogStream(1);
    for (let line = 0; line < 5; line++) {
      log.write('A line\\n');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    process.exit(0);`,
    '/dev/full',
  );
  expect(code).toBe(0);
});

test('lines that could not be written are written when there is space again', async () => {
  const output = join(folder, 'later');
  const code = await run(
    `import { closeSync, openSync } from 'node:fs';
    import { openLogStream } from ${MODULE};
    const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
    const log = openLogStream(1);
    closeSync(1);
    log.write('No room\\n');
    await pause();
    // The lowest free descriptor, so this file becomes standard output.
    if (openSync(${JSON.stringify(output)}, 'w') !== 1) process.exit(2);
    log.write('Room\\n');
    await pause();
    process.exit(0);`,
    output,
  );
  expect(code).toBe(0);
  expect(await readFile(output, 'utf8')).toBe('No room\nRoom\n');
});
