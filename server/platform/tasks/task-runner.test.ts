import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from 'vitest';

import type { FragileOrder } from '../../testing/fragile.process.ts';
import { until } from '../../testing/until.ts';
import type { Program } from './start-program.ts';
import { RunnerEnded, TaskFailed, TaskRunner, withRunner } from './task-runner.ts';

const FILE = new URL('../../testing/fragile.process.ts', import.meta.url);
const PATIENCE = 240_000;
const processes: TaskRunner<FragileOrder, number>[] = [];

function start(options: Partial<Program> = {}) {
  const process = new TaskRunner<FragileOrder, number>({ file: FILE, ...options });
  processes.push(process);
  return process;
}

afterEach(async () => {
  await Promise.all(processes.splice(0).map(async (process) => process.end()));
});

function isAlive(pid: number): boolean {
  try {
    // A zombie still answers to `kill`.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a process of its own', () => {
  it('answers one task after the other', async () => {
    const process = start();
    const first = await process.ask('answer', PATIENCE);
    expect(await process.ask('answer', PATIENCE)).toBe(first);
  });

  it.each([
    ['die', 'EXITED', 'fragile.process.ts ended by 1'],
    ['crash', 'KILLED', 'fragile.process.ts ended by SIGABRT'],
  ] as const)('says how it ended: %s', async (order, how, message) => {
    const process = start();
    const asked = process.ask(order, PATIENCE);
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.toMatchObject({ how });
    expect(process.isAlive).toBe(false);
    await expect(process.ask('answer', PATIENCE)).rejects.toThrow(RunnerEnded);
  });

  it('takes no more memory than it may, and says why it ended', async () => {
    const others = start();
    const asked = start({ megabytes: 64 }).ask('fill', PATIENCE);
    await expect(asked).rejects.toMatchObject({
      how: 'KILLED',
      cause: { message: expect.stringContaining('out of memory') },
    });
    await expect(others.ask('answer', PATIENCE)).resolves.toBeGreaterThan(0);
  });

  it('ends after a refusal', async () => {
    const process = start();
    const asked = process.ask('refuse', PATIENCE);
    await expect(asked).rejects.toThrow('not today');
    await expect(asked).rejects.not.toBeInstanceOf(RunnerEnded);
    await expect(asked).rejects.toBeInstanceOf(TaskFailed);
    expect(process.isAlive).toBe(false);
  });

  it('may work for long as long as it gives signs of life', async () => {
    const process = start();
    await process.ask('answer', PATIENCE);
    await expect(process.ask('work', 3000)).resolves.toBeGreaterThan(0);
    await expect(process.ask('hang', 300)).rejects.toMatchObject({ how: 'SILENT' });
  });

  it('has ended when its work is over, or nobody waits for it', async () => {
    const pid = await withRunner<FragileOrder, number, number>({ file: FILE }, async (process) =>
      process.ask('answer', PATIENCE),
    );
    expect(isAlive(pid)).toBe(false);
    const gone = new AbortController();
    let second = 0;
    const working = withRunner<FragileOrder, number, number>(
      { file: FILE },
      async (process) => {
        second = await process.ask('answer', PATIENCE);
        gone.abort(new Error('hung up'));
        return process.ask('hang', PATIENCE);
      },
      gone.signal,
    );
    await expect(working).rejects.toThrow('hung up');
    expect(isAlive(second)).toBe(false);
    const late = withRunner({ file: FILE }, async () => 1, gone.signal);
    await expect(late).rejects.toThrow('hung up');
  });

  it('keeps the server alive only while it works, and ends with it', async () => {
    const program = `
      import { TaskRunner } from ${JSON.stringify(new URL('task-runner.ts', import.meta.url).href)};
      const child = new TaskRunner({ file: new URL(${JSON.stringify(FILE.href)}) });
      console.log(await child.ask('answer', 240_000));
      if (process.argv[1] === 'wait') setInterval(() => undefined, 1000);`;
    const run = (how: string) =>
      spawn(process.execPath, ['--input-type=module', '--eval', program, how], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    const leaving = run('leave');
    const [left] = await Promise.all([text(leaving.stdout), once(leaving, 'close')]);
    await until(
      () => isAlive(Number(left)),
      (alive) => !alive,
    );
    const killed = run('wait');
    const [line] = (await once(killed.stdout, 'data')) as [Buffer];
    expect(isAlive(Number(line))).toBe(true);
    killed.kill('SIGKILL');
    await until(
      () => isAlive(Number(line)),
      (alive) => !alive,
    );
  });
});

describe('a thread', () => {
  it('answers, refuses and ends as a process does', async () => {
    const thread = start({ isThread: true });
    expect(await thread.ask('answer', PATIENCE)).toBe(process.pid);
    await expect(thread.ask('work', 3000)).resolves.toBe(process.pid);
    await expect(thread.ask('refuse', PATIENCE)).rejects.toThrow('not today');
    expect(thread.isAlive).toBe(false);
    await expect(start({ isThread: true }).ask('die', PATIENCE)).rejects.toMatchObject({
      how: 'EXITED',
    });
    await expect(start({ isThread: true }).ask('hang', 300)).rejects.toMatchObject({
      how: 'SILENT',
    });
  });

  it('takes no more memory than it may', async () => {
    const asked = start({ isThread: true, megabytes: 64 }).ask('fill', PATIENCE);
    await expect(asked).rejects.toMatchObject({
      cause: { message: expect.stringContaining('memory limit') },
    });
  });
});
