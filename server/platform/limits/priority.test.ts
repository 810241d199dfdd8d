import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

interface Thread {
  readonly priority: number;
  /** Linux's number of the scheduling policy, of `/proc/…/stat`. */
  readonly policy: number;
}

const IDLE = 5;

/** The threads of a process that has called this function. */
function threadsAfter(name: string, env: NodeJS.ProcessEnv = process.env): Thread[] {
  const program = `
    const { readdirSync, readFileSync } = await import('node:fs');
    const os = await import('node:os');
    const priority = await import(process.argv[1]);
    priority[process.argv[2]]();
    console.log(JSON.stringify(readdirSync('/proc/self/task').map((id) => ({
      priority: os.getPriority(Number(id)),
      policy: Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[38]),
    }))));`;
  const file = join(import.meta.dirname, 'priority.ts');
  const args = ['--input-type=module', '--eval', program, file, name];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env })) as Thread[];
}

const before = os.getPriority();
const lowered = (steps: number) => Math.min(os.constants.priority.PRIORITY_LOW, before + steps);

test.runIf(process.platform === 'linux').each([
  ['a process is lowered with all its threads', 'lowerPriorityOfProcess', process.env],
  ['so it is where no program makes it idle', 'lowerProcessToIdle', { PATH: '' }],
])('%s', (_, name, env) => {
  const priorities = threadsAfter(name, env).map(({ priority }) => priority);
  expect(priorities.length).toBeGreaterThan(1);
  expect(new Set(priorities)).toEqual(new Set([lowered(10)]));
});

test.runIf(process.platform === 'linux')('a process is made idle with all its threads', () => {
  const policies = threadsAfter('lowerProcessToIdle').map(({ policy }) => policy);
  expect(policies.length).toBeGreaterThan(1);
  expect(new Set(policies)).toEqual(new Set([IDLE]));
});

test.runIf(process.platform === 'linux')('a thread is lowered alone', () => {
  const threads = threadsAfter('lowerPriorityOfThread');
  expect(threads.filter(({ priority }) => priority === lowered(5))).toHaveLength(1);
  const others = threads.filter(({ priority }) => priority === before);
  expect(others).toHaveLength(threads.length - 1);
});
