import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeError } from './log.ts';

const MODULE = JSON.stringify(join(import.meta.dirname, 'log.ts'));

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

async function messagesIn(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

test('lines logged just before the end are written', async () => {
  const output = join(folder, 'whole');
  const code = await run(
    `import { createLog } from ${MODULE};
    const log = createLog({ logLevel: 'info' });
    for (let line = 1; line <= ${ALL.length}; line++) log.info(String(line));
    process.exit(0);`,
    output,
  );
  expect(code).toBe(0);
  const lines = (await messagesIn(output)).map(Number);
  expect(lines.toSorted((one, other) => one - other)).toEqual(ALL);
});

// Linux has a device that is always full.
test.skipIf(!existsSync('/dev/full'))('a full disk ends nothing, and holds up no end', async () => {
  const code = await run(
    `import { createLog } from ${MODULE};
    const log = createLog({ logLevel: 'info' });
    for (let line = 0; line < 5; line++) {
      log.info('A line');
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
    `import { closeSync, openSync, readFileSync } from 'node:fs';
    import { createLog } from ${MODULE};
    const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
    const log = createLog({ logLevel: 'info' });
    closeSync(1);
    log.info('No room');
    await pause();
    // The lowest free descriptor, so this file becomes standard output.
    if (openSync(${JSON.stringify(output)}, 'w') !== 1) process.exit(2);
    log.info('Room');
    for (let tries = 0; tries < 100; tries++) {
      await pause();
      if (readFileSync(${JSON.stringify(output)}, 'utf8').includes('"Room"')) process.exit(0);
    }
    process.exit(3);`,
    output,
  );
  expect(code).toBe(0);
  expect(await messagesIn(output)).toEqual(['No room', 'Room']);
});

test('an error is logged with its causes and its code, without the e-mail addresses that a mail server quotes', () => {
  const cause = Object.assign(new Error('550 5.1.1 <kari.ås@bjørkely.no> unknown'), {
    code: 'EENVELOPE',
  });
  const error = Object.assign(new Error('Not sent to ola@example.no (550)', { cause }), {
    responseCode: 550,
    recipient: 'ola@example.no',
  });
  const described = describeError(error);
  expect(described).toEqual({
    type: 'Error',
    message: 'Not sent to …@… (550): 550 5.1.1 <…@…> unknown',
    responseCode: 550,
    stack: expect.stringContaining('log.test.ts'),
  });
  expect(JSON.stringify(described)).not.toMatch(/ola|kari/);
});

test('a thrown value that is not an error is logged as text', () => {
  expect(describeError('kari@example.no is away')).toEqual({ message: '…@… is away' });
});
